"""Compare the structure of a section with that of the English one, aspect by aspect.

What is compared is the converted page. Of each aspect the first difference is told, with the lines
of both files. What a sentence may turn around, such as its links and its numbers, is compared
within the paragraphs between two other things, such as list items, whatever its order there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from docs_build.faults import Fault
from translation.outline import Mark, Section

_PIECES = frozenset({"li", "td", "th", "block", "heading", "/heading", "table", "div", "/div"})
_MONTH = re.compile(r"\b(\d{1,2})\s?月")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?![.,]?\d)")
_THOUSANDS = {"en": r"(?<=\d),(?=\d{3}(?!\d))", "ru": r"(?<=\d) (?=\d{3}(?!\d))"}


class Part(NamedTuple):
    """Something that a section has: how messages show it, and its line."""

    shown: str
    line: int


Parts = Iterable[Part]


def differences(
    english: Section, translated: Section, files: tuple[str, str], language: str
) -> Iterator[Fault]:
    """Where the structure of a translated section differs; `files` are those of both."""
    for name, parts in _ASPECTS.items():
        pairs = zip_longest(parts(english, "en"), parts(translated, language))
        for wanted, found in pairs:
            if wanted is None or found is None or wanted.shown != found.shown:
                yield _difference(name, wanted, found, (english, translated), files)
                break


def code_differences(english: Section, translated: Section, file: str) -> Iterator[str]:
    """Where a translated section names other code. That may be right, so it is only a warning."""
    wanted, found = _code(english), _code(translated)
    place = f"{file}:{translated.line}"
    if missing := sorted(wanted - found):
        yield f"{place}: {', '.join(missing)} is code in English only; look whether that is right."
    if surplus := sorted(found - wanted):
        yield f"{place}: {', '.join(surplus)} is code here only; look whether that is right."


def numbers(text: str, language: str) -> list[str]:
    """The numbers in a text as English writes them, without marks of thousands.

    The month of a Chinese date is none, since English has a word for it.
    """
    if language.startswith("zh"):
        text = _MONTH.sub("", text)
    text = re.sub(_THOUSANDS.get(language, _THOUSANDS["en"]), "", text)
    found = _NUMBER.findall(text)
    return [number.replace(",", ".") for number in found] if language == "ru" else found


def prose_text(section: Section) -> str:
    """The words of a section, without what stands in code."""
    return " ".join(mark.value for mark in _prose(section.marks) if mark.kind == "text")


def _difference(
    name: str,
    wanted: Part | None,
    found: Part | None,
    sections: tuple[Section, Section],
    files: tuple[str, str],
) -> Fault:
    english, translated = sections
    there = f"{files[0]}:{wanted.line if wanted else english.line}"
    has = found.shown if found else "nothing"
    wants = wanted.shown if wanted else "nothing"
    problem = f"{name} in the section {translated.id}: {has} here, {wants} in {there}."
    remedy = "Make it the same, or say why not in translation/exemptions.toml."
    return Fault(files[1], found.line if found else translated.line, problem, remedy)


def _levels(section: Section, language: str) -> Parts:
    return [Part(f"a heading of level {section.level}", section.line)]


def _blocks(section: Section, language: str) -> Parts:
    return [Part(f"::: {mark.value}", mark.line) for mark in section.blocks]


def _rows(section: Section, language: str) -> Parts:
    """Each row of each table: its columns, and the code in cells that hold nothing else."""
    table = row = 0
    cells: list[list[Mark]] = []
    for mark in section.marks:
        if mark.kind == "table":
            table, row = table + 1, 0
        elif mark.kind == "tr":
            row, cells = row + 1, []
        elif mark.kind in ("td", "th"):
            cells.append([mark])
        elif mark.kind == "/tr":
            columns = ", ".join(map(_cell, cells))
            line = cells[0][-1].line if cells else mark.line
            yield Part(f"row {row} of table {table} with {len(cells)} cells ({columns})", line)
        elif cells and not mark.kind.startswith("/"):
            cells[-1].append(mark)


def _cell(marks: list[Mark]) -> str:
    """The code of a cell that holds nothing else."""
    inside = marks[1:]
    is_code = [mark.kind for mark in inside] == ["code", "text"]
    return f"`{inside[1].value}`" if is_code else "words" if inside else "nothing"


def _lists(section: Section, language: str) -> Parts:
    """Each list when it ends: its kind, its length, how deep it lies."""
    stack: list[tuple[Mark, int]] = []
    for mark in section.marks:
        if mark.kind in ("ul", "ol"):
            stack.append((mark, 0))
        elif mark.kind == "li" and stack:
            stack[-1] = (stack[-1][0], stack[-1][1] + 1)
        elif mark.kind in ("/ul", "/ol"):
            begin, items = stack.pop()
            kind = "numbered list" if begin.kind == "ol" else "list"
            yield Part(f"a {kind} of {items} at depth {len(stack) + 1}", begin.line)


def _notes(section: Section, language: str) -> Parts:
    return [Part(mark.value, mark.line) for mark in section.marks if mark.kind == "div"]


def _within_pieces(kind: str) -> Callable[[Section, str], Parts]:
    """What the pieces of a section have of a kind, sorted in each."""

    def parts(section: Section, language: str) -> Parts:
        for piece in _pieces(section):
            yield from sorted(Part(mark.value, mark.line) for mark in piece if mark.kind == kind)

    return parts


def _numbers(section: Section, language: str) -> Parts:
    """The numbers of each piece. How often one is named is the language's affair."""
    for piece in _pieces(section):
        found: dict[str, int] = {}
        for mark in _prose(piece):
            if mark.kind == "text":
                found |= dict.fromkeys(numbers(mark.value, language), mark.line)
        yield from (Part(number, line) for number, line in sorted(found.items()))


def _pieces(section: Section) -> Iterator[list[Mark]]:
    piece: list[Mark] = []
    for mark in section.marks:
        if mark.kind in _PIECES:
            yield piece
            piece = []
        piece.append(mark)
    yield piece


def _prose(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Marks without those that stand in code."""
    in_code = False
    for mark in marks:
        if mark.kind in ("code", "/code"):
            in_code = mark.kind == "code"
        elif not in_code:
            yield mark


def _code(section: Section) -> set[str]:
    marks = section.marks
    return {
        f"`{marks[number + 1].value}`"
        for number, mark in enumerate(marks[:-1])
        if mark.kind == "code"
    }


_ASPECTS: dict[str, Callable[[Section, str], Parts]] = {
    "level": _levels,
    "blocks": _blocks,
    "tables": _rows,
    "lists": _lists,
    "notes": _notes,
    "links": _within_pieces("a"),
    "pictures": _within_pieces("img"),
    "numbers": _numbers,
}
