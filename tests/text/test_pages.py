"""The pages can be staged, and say as much in every language: this is known without a site."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from docs_build.project import this_project
from drill.statements import sections
from skynet_stub.messages import LANGUAGES

pytest_plugins = ["staged_pages"]

DOCS = this_project().docs
NAMES = sorted(
    path.relative_to(DOCS / "en").with_suffix("").as_posix() for path in (DOCS / "en").rglob("*.md")
)
BEGINNING = re.compile(r"\s*(?:#+|[-*] |\d+\. |\||!!! \w+|)")
NOT_SAID = re.compile(r"`[^`]*`|\]\([^)]*\)|\{#[^}]*\}")
NUMBER = re.compile(r"\d+(?:\.\d+)*")
ONLY_IN_CHINESE = {"9", "0.5"}
"""Chinese writes "September" and "one half" with digits."""


def test_every_page_can_be_staged(staged: Mapping[tuple[str, str], str]) -> None:
    assert NAMES
    assert set(staged) == {(language, name) for language in LANGUAGES for name in NAMES}


def sections_of(language: str, name: str) -> Mapping[str, str]:
    return sections((DOCS / language / f"{name}.md").read_text("utf-8"))


def kinds_of_lines(section: str) -> list[str]:
    """What a section is made of: blocks as they are written; of all else, how each line begins."""
    lines = [line for line in section.split("\n") if line.strip()]
    return [line if line.startswith("::: ") else BEGINNING.findall(line)[0] for line in lines]


def numbers_of(section: str) -> set[str]:
    return set(NUMBER.findall(NOT_SAID.sub("", section)))


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("name", NAMES)
def test_a_section_has_the_same_lines_in_every_language(name: str, language: str) -> None:
    source, translation = sections_of("en", name), sections_of(language, name)
    assert list(translation) == list(source)
    for heading, text in source.items():
        assert kinds_of_lines(translation[heading]) == kinds_of_lines(text), heading


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("name", NAMES)
def test_a_section_gives_the_same_numbers_in_every_language(name: str, language: str) -> None:
    source, translation = sections_of("en", name), sections_of(language, name)
    more = ONLY_IN_CHINESE if language == "zh-Hans" else set()
    for heading, text in source.items():
        assert numbers_of(translation[heading]) - more == numbers_of(text) - more, heading
