"""Convert Markdown as the site does: with the extensions of mkdocs.yml."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, TypeVar

import yaml
from markdown import Markdown

from docs_build.faults import refuse, shown

T = TypeVar("T")
YAML: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Reads YAML; it is ten times as fast where it was built with the C library."""


def markdown_of(configuration: Path) -> Markdown:
    """A converter with the extensions that a configuration of MkDocs names.

    Equal configurations have the same one. Raises `Refusal` where the configuration is not YAML.
    """
    return _read(configuration, _markdown)


def read_configuration(configuration: Path) -> dict[str, Any]:
    """What a configuration of MkDocs says; a value that only MkDocs can resolve is `None`.

    Raises `Refusal` where it is not YAML.
    """
    return _read(configuration, _settings)


@lru_cache(maxsize=1024)
def converted(text: str, markdown: Markdown) -> str:
    """A text as HTML. A page is converted for its own sake, and for each of its translations."""
    return markdown.reset().convert(text)


def _read(configuration: Path, reader: Callable[[str], T]) -> T:
    try:
        return reader(configuration.read_text("utf-8"))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        problem = f"this is not YAML: {error.problem}."
        raise refuse(shown(configuration), line, problem, "Correct the line.") from None


@lru_cache(maxsize=4)
def _markdown(configuration: str) -> Markdown:
    names: list[str] = []
    options: dict[str, Any] = {}
    for entry in _settings(configuration).get("markdown_extensions", []):
        for name, given in entry.items() if isinstance(entry, dict) else [(entry, None)]:
            names.append(name)
            options[name] = {
                key: value for key, value in (given or {}).items() if value is not None
            }
    return Markdown(extensions=names, extension_configs=options)


@lru_cache(maxsize=4)
def _settings(configuration: str) -> dict[str, Any]:
    settings: dict[str, Any] = yaml.load(configuration, _Loader)
    return settings


@dataclass(frozen=True, slots=True)
class Element:
    """An HTML element that checks look at: its tag, its id, and its text."""

    tag: str
    id: str | None
    text: str


@lru_cache(maxsize=1024)
def elements(html: str, tags: frozenset[str]) -> tuple[Element, ...]:
    """The elements of these tags, and all elements that have an id, in order."""
    collector = _Collector(tags)
    collector.feed(html)
    collector.close()
    return tuple(collector.found())


class _Loader(YAML):  # type: ignore[misc]  # one of two classes
    """Reads mkdocs.yml without what only MkDocs can resolve (`!ENV`): such a value is `None`."""


_Loader.add_multi_constructor("!", lambda loader, suffix, node: None)


class _Collector(HTMLParser):
    def __init__(self, tags: frozenset[str]) -> None:
        super().__init__()
        self._tags = tags
        self._open: list[int] = []
        self._found: list[tuple[str, str | None, list[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        id_ = dict(attrs).get("id")
        if tag in self._tags or id_ is not None:
            self._found.append((tag, id_, []))
        if tag in self._tags:
            self._open.append(len(self._found) - 1)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._found[self._open[-1]][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        for index in self._open:
            self._found[index][2].append(data)

    def found(self) -> Iterator[Element]:
        for tag, id_, text in self._found:
            yield Element(tag, id_, "".join(text))
