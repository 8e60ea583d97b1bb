"""The table of the drill: which kinds were tried, and which test caught each."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from drill.kinds import Kind
from drill.trial import Trial

FILE = Path(__file__).with_name("table.md")

_HEADER = ("Kind", "It would be untrue that", "Caught by", "Seconds")
_ROW = re.compile(r"^\| (\S+) \| (.+) \| (\S+) \| (\d+) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """A kind that was caught: its id, the sentence, the test without parameters, and seconds."""

    kind: str
    falsifies: str
    caught_by: str
    seconds: int


def rows_of(trials: Iterable[Trial]) -> dict[str, Row]:
    """The rows of the kinds that were caught, by id."""
    return {
        trial.kind.id: Row(
            trial.kind.id,
            trial.kind.falsifies,
            short(trial.caught_by),
            max(1, math.ceil(trial.seconds)),
        )
        for trial in trials
        if trial.caught_by is not None
    }


def read_rows(text: str) -> dict[str, Row]:
    """The rows of a table, by id."""
    return {
        kind: Row(kind, sentence.replace(r"\|", "|"), test, int(seconds))
        for kind, sentence, test, seconds in _ROW.findall(text)
    }


def total(caught: int, kinds: int) -> str:
    """The last line of the table, which the README repeats."""
    which = "all" if caught == kinds else str(caught)
    return f"{kinds} kinds, {which} caught"


def table(kinds: Sequence[Kind], rows: Mapping[str, Row]) -> str:
    """The table as Markdown, by family: of each kind, its row where it was tried as it is now."""
    known = [kind for kind in kinds if kind.id in rows and _is_of(rows[kind.id], kind)]
    lines = ["# What was tried, and what caught it", "", "`make drill` writes this table."]
    for family in dict.fromkeys(kind.family for kind in known):
        lines += [
            "",
            f"## {family[0].upper()}{family[1:]}",
            "",
            _line(_HEADER),
            "|---|---|---|--:|",
        ]
        for kind in known:
            if kind.family == family:
                row = rows[kind.id]
                cells = (row.kind, row.falsifies, row.caught_by, str(row.seconds))
                lines.append(_line(cells))
    return "\n".join([*lines, "", f"{total(len(known), len(kinds))}."]) + "\n"


def short(test: str) -> str:
    """A test as the table names it: its folder, file and name, without parameters."""
    return re.sub(r"\[.*", "", test.removeprefix("tests/"), flags=re.DOTALL)


def _is_of(row: Row, kind: Kind) -> bool:
    file = row.caught_by.partition("::")[0]
    wanted = {short(test).partition("::")[0] for test in kind.tests}
    return row.falsifies == kind.falsifies and file in wanted


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
