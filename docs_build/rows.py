"""Read the data behind two tables: the return values, and the pairs of feedback.

`tomllib` gives no line numbers, so the lines are found again in the text for messages.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs_build.faults import Fault, Refusal, closest, refuse
from skynet_stub.reasons import REASONS
from skynet_stub.return_value import check_return_value

RETURN_VALUES = "return_values.toml"
FEEDBACK = "feedback.toml"

_ROW_KEYS = ("value", "valid", "reason")
_TOML_PLACE = re.compile(r" \(at line (?P<line>\d+), column \d+\)$")


@dataclass(frozen=True, slots=True)
class ReturnValue:
    """A row of the validity table: Python source of a value, and the reason why it is not valid
    (a key of `REASONS`), or `None` where it is."""

    value: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class FeedbackPair:
    """A weak feedback and a useful one for the same fault, each in every language."""

    id: str
    weak: Mapping[str, str]
    useful: Mapping[str, str]


def read_return_values(folder: Path) -> tuple[ReturnValue, ...]:
    """The rows of `return_values.toml`, each judged by the stub.

    Raises `Refusal`, which names the line of each row that is malformed or claims what the stub
    does not say.
    """
    file, rows = tables_of(folder, RETURN_VALUES, "row")
    faults = [
        Fault(file, row.line_of(key), problem, remedy)
        for row in rows
        for key, problem, remedy in _row_faults(row.values)
    ]
    if faults:
        raise Refusal(faults)
    return tuple(ReturnValue(row.values["value"], row.values.get("reason")) for row in rows)


def read_feedback_pairs(folder: Path, languages: Sequence[str]) -> tuple[FeedbackPair, ...]:
    """The pairs of `feedback.toml`, whose texts must be there in each language.

    Other keys of a pair are data that tests prove its texts by. Raises `Refusal` as
    `read_return_values`.
    """
    file, pairs = tables_of(folder, FEEDBACK, "pair")
    faults = [
        Fault(file, pair.line_of(key), problem, remedy)
        for pair in pairs
        for key, problem, remedy in _pair_faults(pair.values, languages)
    ]
    ids = [pair.values.get("id") for pair in pairs]
    for number, pair in enumerate(pairs):
        if ids[number] in ids[:number]:
            problem = f"the id {ids[number]} stands here again."
            faults.append(Fault(file, pair.line_of("id"), problem, "Give each pair its own."))
    if faults:
        raise Refusal(faults)
    return tuple(
        FeedbackPair(pair.values["id"], pair.values["weak"], pair.values["useful"])
        for pair in pairs
    )


@dataclass(frozen=True, slots=True)
class TomlTable:
    """One `[[table]]` of a TOML file, the line of its header, and its source."""

    values: dict[str, Any]
    line: int
    source: tuple[str, ...]

    def line_of(self, key: str) -> int:
        """The line where a key (or a table of the row, `weak.en`) stands, else the header's."""
        name = re.escape(key.rpartition(".")[2])
        within = key.rpartition(".")[0]
        section = ""
        for number, line in enumerate(self.source, self.line):
            if match := re.match(r"\s*\[+\s*([^\]]*?)\s*\]+", line):
                section = match[1].partition(".")[2]
                if section == key:
                    return number
            elif section == within and re.match(rf'\s*["\']?{name}["\']?\s*=', line):
                return number
        return self.line


def tables_of(folder: Path, name: str, kind: str) -> tuple[str, list[TomlTable]]:
    """The name of a TOML file in messages, and its tables of one kind; the file has no others."""
    file = f"{folder.name}/{name}"
    try:
        text = (folder / name).read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise refuse(file, None, "the file is missing.", f"Write it, with [[{kind}]].") from None
    except UnicodeDecodeError:
        raise refuse(file, None, "the file is not UTF-8.", "Save it as UTF-8.") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        line = int(place["line"]) if place else text.count("\n")
        problem = f"this is not TOML: {_TOML_PLACE.sub('', str(error))}."
        raise refuse(file, line, problem, "Correct the line.") from None
    lines = text.split("\n")
    for key in data:
        if key != kind:
            line = next(n for n, found in enumerate(lines, 1) if re.search(rf"\b{key}\b", found))
            raise refuse(file, line, f"unknown table {key}.", f"Each table here is a [[{kind}]].")
    tables = data.get(kind, [])
    if not tables or not isinstance(tables, list):
        raise refuse(file, None, f"there is no [[{kind}]].", "Write at least one.")
    starts = [
        number for number, line in enumerate(lines) if re.match(rf"\s*\[\[\s*{kind}\s*\]\]", line)
    ]
    if len(starts) != len(tables):  # a text over several lines that holds a header
        raise refuse(file, None, f"[[{kind}]] also stands inside a text.", "Reword the text.")
    ends = [*starts[1:], len(lines)]
    return file, [
        TomlTable(values, start + 1, tuple(lines[start:end]))
        for values, start, end in zip(tables, starts, ends, strict=True)
    ]


def _row_faults(row: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The faults of a row of return values: the key, the problem, the remedy."""
    for key in row:
        if key not in _ROW_KEYS:
            yield (
                key,
                f"unknown key {key}.",
                f"Use {', '.join(_ROW_KEYS)}.{closest(key, _ROW_KEYS)}",
            )
    for key, kind, article in (("value", str, "a string"), ("valid", bool, "true or false")):
        if key not in row:
            yield "", f"the row has no {key}.", f"Add {key} = {article}."
        elif not isinstance(row[key], kind):
            yield key, f"{key} is {row[key]!r}.", f"Write {article}."
    if "reason" in row and not isinstance(row["reason"], str):
        yield "reason", f"reason is {row['reason']!r}.", "Write a reason code as a string."
    elif isinstance(row.get("value"), str) and isinstance(row.get("valid"), bool):
        yield from _claim_faults(row["value"], row["valid"], row.get("reason"))


def _claim_faults(value: str, valid: bool, reason: str | None) -> Iterator[tuple[str, str, str]]:
    """What is wrong with the verdict that a well-formed row claims."""
    if valid and reason is not None:
        yield "reason", "a valid row has no reason.", "Remove the reason, or write valid = false."
    if not valid and reason is None:
        yield "valid", "the row is not valid, and gives no reason.", "Add reason = a reason code."
    if reason is not None and reason not in REASONS:
        remedy = f"Use a code of skynet_stub/reasons.py.{closest(reason, REASONS)}"
        yield "reason", f"unknown reason code {reason}.", remedy
        return
    try:
        found = ast.literal_eval(value)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        yield "value", f"{value} is not a Python value.", "Write a literal: a pair, a number, ..."
        return
    faults = check_return_value(found).faults
    judged = faults[0].reason if faults else None
    if judged != reason and valid == (reason is None):
        verdict = "it is valid" if judged is None else f"it fails with {judged}"
        yield (
            "value",
            f"the row does not say what the stub says of {value}: {verdict}.",
            ("Correct the row, or the stub."),
        )


def _pair_faults(pair: dict[str, Any], languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The faults of a pair of feedback: the key, the problem, the remedy."""
    if not isinstance(pair.get("id"), str) or not pair["id"].strip():
        yield "id", "the pair has no id.", 'Add id = "a-word".'
    for kind in ("weak", "useful"):
        texts = pair.get(kind)
        if not isinstance(texts, dict):
            yield kind, f"the pair has no texts at {kind}.", f"Add [pair.{kind}]."
            continue
        for language in languages:
            text = texts.get(language)
            if not isinstance(text, str) or not text.strip():
                key = f"{kind}.{language}" if language in texts else kind
                yield key, f"{kind} has no text in {language}.", f'Add {language} = "...".'
        for language in texts:
            if language not in languages:
                remedy = f"Use {', '.join(languages)}.{closest(language, languages)}"
                yield f"{kind}.{language}", f"unknown language {language}.", remedy
