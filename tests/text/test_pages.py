"""The pages of this project can be staged: without a site, this says at once what is wrong."""

from __future__ import annotations

from collections.abc import Mapping

from docs_build.project import this_project
from skynet_stub.messages import LANGUAGES

pytest_plugins = ["staged_pages"]


def test_every_page_can_be_staged(staged: Mapping[tuple[str, str], str]) -> None:
    docs = this_project().docs
    pages = {
        (language, path.relative_to(docs / language).with_suffix("").as_posix())
        for language in LANGUAGES
        for path in (docs / language).rglob("*.md")
    }
    assert set(staged) == pages
    assert pages
