"""Fixtures: the pages of this project as they are staged, without a site."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from docs_build.faults import Refusal
from docs_build.project import Project, this_project
from docs_build.stage import stage


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, str], str]:
    """The text of each staged page, by language and by name, such as `concepts/scorers`."""
    elsewhere = tmp_path_factory.mktemp("staged")
    try:
        staging = stage(Project(this_project().root, str(elsewhere)))
    except Refusal as refusal:
        raise pytest.fail.Exception(str(refusal), pytrace=False) from None
    return {
        (page.language, page.path.with_suffix("").as_posix()): page.staged.read_text("utf-8")
        for page in staging.pages
    }
