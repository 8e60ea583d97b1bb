"""Markdown tables whose cells show a text exactly, whatever it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_ACTIVE = re.compile(r"[\\`*_{}\[\]|]")
_BLANKS = re.compile(r"[ \t\r\n]+")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table of cells that are Markdown already."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def text_cell(text: str) -> str:
    """Plain text as the Markdown of a cell: nothing in it is markup.

    Line breaks and runs of blanks become one blank; no-break spaces stay what they are.
    """
    words = _BLANKS.sub(" ", text).strip(" ")
    entities = "".join(_ENTITIES.get(character, character) for character in words)
    return _ACTIVE.sub(r"\\\g<0>", entities)


def code_cell(text: str) -> str:
    """One line of code as the Markdown of a cell. The text has no white space at its ends.

    Inside a code span Python-Markdown takes a pipe for what it is, so none is escaped.
    """
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * (longest + 1)
    # A blank keeps a backtick of the text from the fence, and a backslash from escaping it.
    before = " " if text.startswith("`") else ""
    after = " " if text.endswith(("`", "\\")) else ""
    return f"{ticks}{before}{text}{after}{ticks}"


def lines_cell(lines: Iterable[str]) -> str:
    """Several lines of code as the Markdown of one cell."""
    return "<br>".join(code_cell(line) for line in lines)
