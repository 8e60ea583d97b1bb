"""Show any value of a metric in a short, safe way, whatever its own methods do (B2)."""

from __future__ import annotations

import json
import reprlib

SHOWN_CHARACTERS = 200
"""The length to which a shown value is cut, in characters."""

_REPR = reprlib.Repr()
_REPR.maxlevel = 4
_REPR.maxtuple = _REPR.maxlist = _REPR.maxset = _REPR.maxfrozenset = _REPR.maxdict = 8
_REPR.maxstring = _REPR.maxlong = _REPR.maxother = SHOWN_CHARACTERS


def show(value: object) -> str:
    """The `repr` of a value, cut to a sensible length, on one line, and never raising."""
    try:
        text = _REPR.repr(value)
    except BaseException:  # the methods are the metric's: anything may come out of them
        return f"<{type_name(value)}>"
    return cut(text)


def show_json(value: object) -> str:
    """A JSON value as it stands in a case file, cut to a sensible length."""
    return cut(json.dumps(value, ensure_ascii=False))


def cut(text: str, characters: int = SHOWN_CHARACTERS) -> str:
    """The text on one line and at most so many characters long, with … where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= characters else line[: characters - 1] + "…"


def type_name(value: object) -> str:
    """The name of a value's type, with its module where that is not `builtins`."""
    kind = type(value)
    try:
        module, name = str(kind.__module__), str(kind.__qualname__)
    except BaseException:  # a metaclass of the metric's
        return "object"
    return name if module == "builtins" else f"{module}.{name}"


def show_exception(error: BaseException) -> str:
    """An exception as `Type: message`, cut, and never raising."""
    try:
        message = str(error)
    except BaseException:  # `__str__` is the metric's
        message = ""
    name = type_name(error)
    return cut(f"{name}: {message}" if message else name, 400)


_KEPT = "\t\u00a0\u2002\u2003\u2009\u200c\u200d\u202f\u3000"
"""Blanks and joiners of ordinary text, which Python does not count as printable."""


def visible(text: str) -> str:
    """A line for the terminal: what would steer it, or not be seen, stands there as an escape.

    That is control codes (line ends too), marks of writing direction, and half characters.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in _KEPT else _escape(one) for one in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def shown_name(name: object) -> str:
    """The name of a file, or another argument of the command: an empty one must be seen too."""
    return str(name) or '""'
