"""Read case files: JSON Lines, one case a line, each line validated before anything runs (B5)."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, NoReturn

from skynet_stub.closest import closest
from skynet_stub.display import cut, show_json, shown_name
from skynet_stub.record import Record
from skynet_stub.refused import Refused, not_there

CASE_FIELDS = {
    "input": True,
    "output": True,
    "expected": False,
    "llm": False,
    "measured": False,
    "measured.ms": False,
    "measured.usd": False,
    "result": False,
    "result.score": True,
    "result.feedback": False,
    "result.scores": False,
}
"""The fields of a case, in the order in which they are written, and whether each is required: by
the case, or by the object that it stands in. What it holds is the catalog's `case-field.<name>`."""


def _keys_in(object_name: str = "") -> tuple[str, ...]:
    """The keys of a case, or those of one of the objects in it."""
    parts = (field.rpartition(".") for field in CASE_FIELDS)
    return tuple(key for within, _, key in parts if within == object_name)


CASE_KEYS = _keys_in()
MEASURED_KEYS = _keys_in("measured")
RESULT_KEYS = _keys_in("result")

NESTING = 200
"""How many levels deep a case may be: Python cannot copy much deeper ones (B3)."""

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


class Measured(Record):
    """What was measured of the user's `run` for a case: `ms` in milliseconds, `usd` in US
    dollars, each 0 or more, `None` where it was not measured (A6, B5)."""

    ms: float | None = None
    usd: float | None = None


_NOT_MEASURED = Measured()


class Pin(Record):
    """The pinned result of a case: `feedback` and `scores` are `None` where not pinned (B5)."""

    score: float
    feedback: str | None = None
    scores: Mapping[str, float] | None = None


class Case(Record):
    """One case: what a metric is called with, and what it has to do with (B5).

    `number` counts cases from 1, `line` the lines of the file. `expected` is `None` where the
    case has no expected value. `llm` are the scripted replies for the calls of `llm()`, in order.
    """

    number: int
    line: int
    input: dict[str, Any]
    output: Any
    expected: Any = None
    llm: tuple[str, ...] = ()
    measured: Measured = _NOT_MEASURED
    result: Pin | None = None


def load_cases(path: str | Path) -> tuple[Case, ...]:
    """Read and validate a whole case file (B5).

    Raises `Refused`, which names the file, the line, what is wrong with it and what to do, for
    a file that cannot be read, holds no case, or has one bad line.
    """
    file = shown_name(path)
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  # `Path("")` is a folder
        if S_ISDIR(mode):
            raise Refused("cases-are-a-folder", file=file)
        if not S_ISREG(mode):  # reading it might never end
            raise Refused("cases-are-no-file", file=file)
        data = Path(path).read_bytes()
    except ValueError:  # there is a NUL in it
        raise Refused("cases-missing", file=file) from None
    except OSError as problem:
        if not_there(problem):
            raise Refused("cases-missing", file=file) from None
        raise Refused("case-file-unreadable", file=file, problem=problem.strerror) from None
    return parse_cases(data, file)


def parse_cases(data: bytes, name: str) -> tuple[Case, ...]:
    """Validate the bytes of a case file; `name` stands for it in messages. As `load_cases`."""
    cases: list[Case] = []
    reader = _LineReader(name)
    for line, text in _lines(data, name):
        reader.line = line
        try:
            cases.append(reader.case(text, number=len(cases) + 1))
        except Refused as refused:
            if refused.key in ("refused.line-not-json", "refused.line-not-an-object"):
                _refuse_near_miss(data, line, name)
            raise
    if not cases:
        raise Refused("no-cases", file=name)
    return tuple(cases)


def _lines(data: bytes, name: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers. Only a line feed ends a line."""
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            text = raw.decode("utf-8").strip(" \t\r")
        except UnicodeDecodeError as error:
            byte = f"0x{raw[error.start]:02x}"
            raise Refused(
                "line-not-utf-8", file=name, line=number, byte=byte, column=error.start + 1
            ) from None
        if text:
            yield number, text


def _refuse_near_miss(data: bytes, line: int, file: str) -> None:
    """Refuse what stands from a line on that is no JSON object, if it is something well known."""
    text = b"\n".join(data.split(b"\n")[line - 1 :]).decode("utf-8", "replace")
    text = (text.removeprefix("\ufeff") if line == 1 else text).lstrip(" \t\r")
    if text.startswith("\ufeff"):
        raise Refused("mark-amid-the-file", file=file, line=line)
    if _levels(text) > NESTING:
        return
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        raise Refused("cases-in-an-array", file=file, line=line)
    if isinstance(value, dict) and "\n" in text[:end]:
        raise Refused("case-on-several-lines", file=file, line=line)


class _LineReader:
    """Validates the text of one line after the other; every refusal names its place."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.line: int  # set before each line is read
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_constant=lambda name: self.refuse("not-json-number", found=name),
            parse_float=self._float,
        )

    def refuse(self, key: str, /, **facts: object) -> NoReturn:
        raise Refused(key, file=self.file, line=self.line, **facts)

    def case(self, text: str, number: int) -> Case:
        row = self._json(text)
        if not isinstance(row, dict):
            self.refuse("line-not-an-object", found=show_json(row))
        self._known_keys(row, CASE_KEYS, "")
        self._required_keys(row, CASE_KEYS, "")
        if not isinstance(row["input"], dict):
            self._wrong("not-an-object", "input", row["input"])
        return Case(
            number,
            self.line,
            row["input"],
            row["output"],
            row.get("expected"),
            self._llm(row),
            self._measured(row),
            self._result(row),
        )

    def _json(self, text: str) -> object:
        if text.count("[") + text.count("{") > NESTING and _levels(text) > NESTING:
            self.refuse("line-too-deep")
        try:
            return self._decoder.decode(text)
        except json.JSONDecodeError as error:
            self.refuse("line-not-json", problem=error.msg, column=error.colno)
        except ValueError:  # Python reads no integer of more than 4300 digits
            self.refuse("line-number-too-long")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        row: dict[str, Any] = {}
        for key, value in pairs:
            if key in row:
                self.refuse("key-repeated", key=cut(key))
            row[key] = value
        return row

    def _float(self, text: str) -> float:
        number = float(text)
        if math.isinf(number):
            self.refuse("not-json-number", found=cut(text))
        return number

    def _known_keys(self, row: dict[str, Any], known: tuple[str, ...], within: str) -> None:
        for key in row:
            if key not in known:
                close = closest(key, known)
                if close:
                    self.refuse("key-mistyped", key=cut(within + key), close=within + close)
                self.refuse("key-unknown", key=cut(within + key), known=", ".join(known))

    def _required_keys(self, row: dict[str, Any], keys: tuple[str, ...], within: str) -> None:
        for key in keys:
            if key not in row and CASE_FIELDS[within + key]:
                self.refuse("key-missing", key=within + key)

    def _llm(self, row: dict[str, Any]) -> tuple[str, ...]:
        if "llm" not in row:
            return ()
        replies = row["llm"]
        if not isinstance(replies, list) or not all(isinstance(reply, str) for reply in replies):
            self._wrong("not-strings", "llm", replies)
        return tuple(replies)

    def _measured(self, row: dict[str, Any]) -> Measured:
        if "measured" not in row:
            return _NOT_MEASURED
        measured = row["measured"]
        if not isinstance(measured, dict):
            self._wrong("not-an-object", "measured", measured)
        self._known_keys(measured, MEASURED_KEYS, "measured.")
        numbers: list[float | None] = []
        for key in MEASURED_KEYS:
            value = measured.get(key)
            number = self._number(f"measured.{key}", value) if value is not None else None
            if number is not None and number < 0:
                self._wrong("negative", f"measured.{key}", value)
            numbers.append(number)
        return Measured(*numbers)

    def _result(self, row: dict[str, Any]) -> Pin | None:
        if "result" not in row:
            return None
        result = row["result"]
        if not isinstance(result, dict):
            self._wrong("not-an-object", "result", result)
        self._known_keys(result, RESULT_KEYS, "result.")
        self._required_keys(result, RESULT_KEYS, "result.")
        feedback = result.get("feedback")
        if "feedback" in result and not isinstance(feedback, str):
            self._wrong("not-a-string", "result.feedback", feedback)
        scores = None
        if "scores" in result:
            if not isinstance(result["scores"], dict):
                self._wrong("not-an-object", "result.scores", result["scores"])
            scores = {
                name: self._number(f"result.scores.{name}", number)
                for name, number in result["scores"].items()
            }
        return Pin(self._number("result.score", result["score"]), feedback, scores)

    def _number(self, key: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._wrong("not-a-number", key, value)
        try:
            return float(value)
        except OverflowError:
            self._wrong("too-large", key, value)

    def _wrong(self, wrong: str, key: str, found: object) -> NoReturn:
        self.refuse(f"value-{wrong}", key=key, found=show_json(found))


def _levels(text: str) -> int:
    """How many levels deep the brackets of a JSON text are nested, those in strings apart.

    Counted before the text is parsed: the parser recurses, and in a browser that ends Python.
    """
    level = deepest = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        level += _STEPS.get(token[0], 0)
        deepest = max(deepest, level)
    return deepest
