"""JSON on one line, as case files have it, and its members as they are written."""

from __future__ import annotations

import json
from collections.abc import Iterator

_BLANKS = " \t"


def one_line(value: object) -> str:
    """A value as JSON on one line, readable, with an escape for whatever cannot be seen."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def members(text: str) -> Iterator[tuple[str, str]]:
    """The keys of a valid JSON object on one line, each with its value as it is written there."""
    decoder = json.JSONDecoder()
    position = text.index("{") + 1
    while True:
        position = _after(text, position, _BLANKS + ",")
        if text[position] == "}":
            return
        key, position = decoder.raw_decode(text, position)
        start = _after(text, position, _BLANKS + ":")
        _, position = decoder.raw_decode(text, start)
        yield key, text[start:position]


def _after(text: str, position: int, characters: str) -> int:
    while text[position] in characters:
        position += 1
    return position
