"""JSON as it stands on a line of a case file: written to be read, and its members found in it."""

from __future__ import annotations

import json
from collections.abc import Iterator

_BLANKS = " \t\r"


def one_line(value: object, *, compact: bool = False) -> str:
    """A value as JSON on one line, readable, with escapes where something could not be seen."""
    separators = (",", ":") if compact else (", ", ": ")
    text = json.dumps(value, ensure_ascii=False, separators=separators)
    return text if text.isprintable() else json.dumps(value, separators=separators)


def members(text: str) -> Iterator[tuple[str, slice]]:
    """The keys of a valid JSON object on one line, each with where its value stands there."""
    decoder = json.JSONDecoder()
    position = text.index("{") + 1
    while True:
        position = _after(text, position, _BLANKS + ",")
        if text[position] == "}":
            return
        key, position = decoder.raw_decode(text, position)
        start = _after(text, position, _BLANKS + ":")
        _, position = decoder.raw_decode(text, start)
        yield key, slice(start, position)


def with_member(text: str, key: str, value: object) -> str:
    """The text of an object, which has members, with this value for a key that it may have.

    All else stays as it is written; a key that is new comes last, spaced as the first one is.
    """
    places = dict(members(text))
    compact = text[min(place.start for place in places.values()) - 1] == ":"
    written = one_line(value, compact=compact)
    if key in places:
        place = places[key]
    else:
        end = max(place.stop for place in places.values())
        place = slice(end, end)
        written = f',"{key}":{written}' if compact else f', "{key}": {written}'
    return text[: place.start] + written + text[place.stop :]


def _after(text: str, position: int, characters: str) -> int:
    while text[position] in characters:
        position += 1
    return position
