"""What a page says, section by section, as the converter sees it: an outline.

White space, line wraps, comments and the bounds of paragraphs are not in it, and of what a block
shows nothing but its name and arguments. All else is: words, code, links, pictures, lists, tables,
notes, emphasis.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html.parser import HTMLParser

from docs_build.page_checks import Page

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BARE = frozenset({"br", "p", "span", "thead", "tbody", "label", "input"})  # say nothing
_VOID = frozenset({"hr", "img"})
_SAYS = {"a": "href", "div": "class", "img": "src"}


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that a page says, and the line of the source where it stands.

    `kind` is "text", "block", the tag of an element that begins, or that of one that ends, with a
    slash. `value` is its words, or the target of a link, the source of a picture, the class of a
    `div`.
    """

    kind: str
    value: str
    line: int


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, up to the next heading of any level.

    `source` are its lines as they are written.
    """

    id: str
    level: int
    line: int
    marks: tuple[Mark, ...]
    source: tuple[str, ...]

    @cached_property
    def title(self) -> str:
        """The words of the heading."""
        kinds = [mark.kind for mark in self.marks]
        heading = self.marks[kinds.index("heading") : kinds.index("/heading")]
        return " ".join(mark.value for mark in heading if mark.kind == "text")

    @cached_property
    def digest(self) -> str:
        """A short name for what the section says, its id and its place apart."""
        return short_digest(f"{mark.kind} {mark.value}" for mark in joined(self.marks))

    @property
    def blocks(self) -> list[Mark]:
        """The blocks of the section."""
        return [mark for mark in self.marks if mark.kind == "block"]


@dataclass(frozen=True)
class Outline:
    """The sections of a page in order, and a digest of its title and description."""

    file: str
    language: str
    sections: tuple[Section, ...]
    head: str

    @cached_property
    def by_id(self) -> dict[str, Section]:
        """The sections by their ids."""
        return {section.id: section for section in self.sections}


def outline(page: Page, html: str) -> Outline:
    """The outline of a page, from the HTML that `check_page` gave."""
    walker = _Walker(page)
    walker.feed(html)
    walker.close()
    head = short_digest(" ".join(page.meta[key].split()) for key in ("title", "description"))
    return Outline(page.file, page.language, tuple(walker.sections()), head)


def joined(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Marks, with pieces of text that stand side by side as one."""
    words: list[Mark] = []
    for mark in (*marks, None):
        if mark and mark.kind == "text":
            words.append(mark)
            continue
        if words:
            yield Mark("text", " ".join(word.value for word in words), words[0].line)
            words = []
        if mark:
            yield mark


def short_digest(texts: Iterable[str]) -> str:
    """A short name for texts, in their order."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


class _Walker(HTMLParser):
    """Collects the marks. HTML has no lines, so each is found by its words: they come in the order
    of the source, and so the search goes on from the line that was found last."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page = page
        self._line = page.body + 1
        self._marks: list[Mark] = []
        self._starts: list[tuple[str, int, int, int]] = []  # id, level, line, index of its marks
        self._in_permalink = False

    def sections(self) -> Iterator[Section]:
        """The sections; what stands before the first heading belongs to that one."""
        begin = 0
        ends = [(line, index) for _, _, line, index in self._starts[1:]]
        ends.append((len(self._page.lines) + 1, len(self._marks)))
        for (id_, level, line, _), (end_line, end) in zip(self._starts, ends, strict=True):
            source = self._page.lines[line - 1 : end_line - 1]
            yield Section(id_, level, line, tuple(self._marks[begin:end]), source)
            begin = end

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "headerlink" in (given.get("class") or ""):
            self._in_permalink = True
        elif tag in _HEADINGS:
            self._line = _line_of_heading(self._page.lines, given["id"] or "")
            self._starts.append((given["id"] or "", int(tag[1]), self._line, len(self._marks)))
            self._add("heading", tag)
        elif block := given.get("data-block"):
            self._line = int(given["data-line"] or 0)
            self._add("block", block)
        elif tag not in _BARE:
            self._add(tag, given.get(_SAYS.get(tag, "")) or "")
            if tag == "img" and given.get("alt"):
                self.handle_data(given["alt"] or "")

    def handle_endtag(self, tag: str) -> None:
        if self._in_permalink:
            self._in_permalink = tag != "a"
        elif tag in _HEADINGS:
            self._add("/heading", "")
        elif tag not in _BARE | _VOID:
            self._add(f"/{tag}", "")

    def handle_data(self, data: str) -> None:
        if self._in_permalink or not data.strip():
            return
        first = data.strip().split("\n")[0]
        for number in range(self._line, len(self._page.lines) + 1):
            if first in self._page.lines[number - 1]:
                self._line = number
                break
        self._begin_here()
        self._add("text", " ".join(data.split()))

    def _begin_here(self) -> None:
        """Elements that have begun since the last words, begin on the line of the next ones."""
        for number in range(len(self._marks) - 1, -1, -1):
            mark = self._marks[number]
            if mark.kind in ("text", "block", "heading") or mark.kind.startswith("/"):
                break
            self._marks[number] = replace(mark, line=self._line)

    def _add(self, kind: str, value: str) -> None:
        self._marks.append(Mark(kind, value, self._line))


def _line_of_heading(lines: Sequence[str], id_: str) -> int:
    return next(
        number
        for number, line in enumerate(lines, 1)
        if line.startswith("#") and line.rstrip().endswith(f"{{#{id_}}}")
    )
