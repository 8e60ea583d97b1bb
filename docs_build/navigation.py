"""The navigation of the site as mkdocs.yml gives it: the order of the pages, and their sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from docs_build.converter import read_configuration


@dataclass(frozen=True, slots=True)
class Section:
    """Pages that stand together. `title` is `None` for those that stand before all sections."""

    title: str | None
    paths: tuple[PurePosixPath, ...]


def read_navigation(configuration: Path, language: str) -> tuple[Section, ...]:
    """The sections of the navigation, with their titles in a language.

    A section inside a section counts to the outer one. Raises `Refusal` where the configuration
    is not YAML.
    """
    settings = read_configuration(configuration)
    words = _translations(settings, language)
    alone: list[PurePosixPath] = []
    sections: list[Section] = []
    for entry in settings["nav"]:
        for title, content in entry.items():
            if isinstance(content, list):
                sections.append(Section(words.get(title, title), tuple(_paths(content))))
            else:
                alone.append(PurePosixPath(content))
    return (Section(None, tuple(alone)), *sections)


def _paths(entries: list[dict[str, Any]]) -> Iterator[PurePosixPath]:
    for entry in entries:
        for content in entry.values():
            if isinstance(content, list):
                yield from _paths(content)
            else:
                yield PurePosixPath(content)


def _translations(settings: dict[str, Any], language: str) -> dict[str, str]:
    (i18n,) = (plugin["i18n"] for plugin in settings["plugins"] if "i18n" in plugin)
    (found,) = (entry for entry in i18n["languages"] if entry["locale"] == language)
    translations: dict[str, str] = found.get("nav_translations", {})
    return translations
