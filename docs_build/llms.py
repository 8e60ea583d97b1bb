"""Write llms.txt: what the site is, and its pages as Markdown, for a program that reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_ACTIVE = re.compile(r"[\\\[\]]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list: a linked title, and a sentence about it."""

    title: str
    address: str
    description: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """Entries under a heading, or under none."""

    title: str | None
    entries: tuple[Entry, ...]


def llms_text(title: str, description: str, chapters: Iterable[Chapter]) -> str:
    """The text of a file llms.txt: a title, a description, and lists of links."""
    return "\n".join(_lines(title, description, chapters)) + "\n"


def _lines(title: str, description: str, chapters: Iterable[Chapter]) -> Iterator[str]:
    yield f"# {title}"
    yield ""
    yield f"> {description}"
    for chapter in chapters:
        if chapter.title is not None:
            yield ""
            yield f"## {chapter.title}"
        yield ""
        for entry in chapter.entries:
            name = _ACTIVE.sub(r"\\\g<0>", entry.title)
            yield f"- [{name}]({entry.address}): {entry.description}"
