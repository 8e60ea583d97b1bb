"""Read the pages of a project with their outlines, their records and their states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from markdown import Markdown

from docs_build.blocks import resolve
from docs_build.converter import markdown_of
from docs_build.faults import refuse, shown
from docs_build.page_checks import Page, check_page, read_page
from docs_build.project import Project
from docs_build.renderings import Sources
from docs_build.wheel import Wheel
from skynet_stub.messages import LANGUAGES, catalog
from translation.follows import record_of
from translation.outline import Mark, Outline, Section, outline, short_digest
from translation.states import PageState, missing_page, page_state

SOURCE = LANGUAGES[0]
"""The language that the others are translated from."""

TRANSLATIONS = LANGUAGES[1:]


ANY_WHEEL = Wheel("skynet_stub.whl", b"")
"""Stands for the wheel that pages offer: no prose depends on its version or digest."""


@dataclass(frozen=True, slots=True)
class Read:
    """A page, and what it says."""

    page: Page
    outline: Outline


class Pages:
    """The pages of a project, read when they are asked for, each once.

    A path is that of a page within its language's folder, such as `concepts/scorers.md`.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self._read: dict[tuple[str, str], Read] = {}
        self._states: dict[tuple[str, str], PageState] = {}
        self._shows: dict[str, str] = {}

    @cached_property
    def paths(self) -> list[str]:
        """The paths of all English pages."""
        folder = self.project.docs / SOURCE
        return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))

    @cached_property
    def _markdown(self) -> Markdown:
        return markdown_of(self.project.configuration)

    def file(self, language: str, path: str) -> Path:
        """The file of a page."""
        return self.project.docs / language / path

    def read(self, language: str, path: str) -> Read:
        """A page. Raises `Refusal` where it is not there, or cannot be read."""
        if (language, path) not in self._read:
            file = self.file(language, path)
            if not file.is_file():
                problem = f"there is no such page in {language}."
                raise refuse(shown(file), None, problem, "Correct PAGE or TO, or write it.")
            self._read[language, path] = self.parsed(file.read_bytes(), shown(file), language)
        return self._read[language, path]

    def parsed(self, data: bytes, file: str, language: str) -> Read:
        """A page from its contents. Raises `Refusal` where these cannot be read."""
        return _parsed(data, file, language, self._markdown)

    def state(self, language: str, path: str) -> PageState:
        """The state of a translated page. Raises `Refusal` where its record is malformed."""
        if (language, path) not in self._states:
            self._states[language, path] = self._state(language, path)
        return self._states[language, path]

    def _state(self, language: str, path: str) -> PageState:
        english = self.read(SOURCE, path).outline
        if not self.file(language, path).is_file():
            return missing_page(english)
        translated = self.read(language, path)
        record = record_of(translated.page, translated.outline)
        return page_state(english, translated.outline, record)

    def shows(self, section: Section, file: str) -> str:
        """A digest of what the blocks of an English section show now; `""` where it has none."""
        return (
            short_digest(self._shown(mark, file) for mark in section.blocks)
            if section.blocks
            else ""
        )

    def _shown(self, block: Mark, file: str) -> str:
        if block.value not in self._shows:
            sources = Sources(self.project.snippets, catalog(SOURCE), wheel=ANY_WHEEL)
            self._shows[block.value] = resolve(f"::: {block.value}", file, sources).text
        return self._shows[block.value]


@lru_cache(maxsize=256)
def _parsed(data: bytes, file: str, language: str, markdown: Markdown) -> Read:
    page = read_page(data, file, language)
    return Read(page, outline(page, check_page(page, markdown)))


def languages_of(to: str | None) -> Iterator[str]:
    """The translation that is named, or all of them. Raises `Refusal` for what is none."""
    if to and to not in TRANSLATIONS:
        raise refuse(
            "TO", None, f"{to!r} is no translation.", f"Write {' or '.join(TRANSLATIONS)}."
        )
    yield from [to] if to else TRANSLATIONS
