"""Columns of text for a terminal, where a Chinese character is as wide as two letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

GAP = "  "


def width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(one) in ("Mn", "Me", "Cf") else 1 + (east_asian_width(one) in "WF")
        for one in text
    )


def fit(text: str, columns: int) -> str:
    """The text in at most so many columns, with … where it was cut."""
    if width(text) <= columns:
        return text
    while width(text) > columns - 1:
        text = text[: min(len(text) - 1, columns)]
    return f"{text}…"


def aligned(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> Iterator[str]:
    """The rows as lines with their columns below each other, those in `right` on their right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = []
        for number, (cell, wide) in enumerate(zip(row, widths, strict=True)):
            blank = " " * (wide - width(cell))
            cells.append(blank + cell if number in right else cell + blank)
        yield GAP.join(cells).rstrip()
