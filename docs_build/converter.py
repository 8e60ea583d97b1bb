"""Convert Markdown as the site does: with the extensions of mkdocs.yml."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import yaml
from markdown import Markdown

from docs_build.faults import refuse, shown

YAML: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Reads YAML; it is ten times as fast where it was built with the C library."""


def markdown_of(configuration: Path) -> Markdown:
    """A converter with the extensions that a configuration of MkDocs names.

    Raises `Refusal` where the configuration is not YAML.
    """
    settings = read_configuration(configuration)
    names: list[str] = []
    options: dict[str, Any] = {}
    for entry in settings.get("markdown_extensions", []):
        for name, given in entry.items() if isinstance(entry, dict) else [(entry, None)]:
            names.append(name)
            options[name] = {
                key: value for key, value in (given or {}).items() if value is not None
            }
    return Markdown(extensions=names, extension_configs=options)


def read_configuration(configuration: Path) -> dict[str, Any]:
    """What a configuration of MkDocs says; a value that only MkDocs can resolve is `None`.

    Raises `Refusal` where it is not YAML.
    """
    try:
        settings: dict[str, Any] = yaml.load(configuration.read_text("utf-8"), _Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        problem = f"this is not YAML: {error.problem}."
        raise refuse(shown(configuration), line, problem, "Correct the line.") from None
    return settings


@dataclass(frozen=True, slots=True)
class Element:
    """An HTML element that checks look at: its tag, its id, and its text."""

    tag: str
    id: str | None
    text: str


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
