"""The table of the drill: which kinds were tried, and which test caught each."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from drill.trial import Trial

FILE = Path(__file__).with_name("table.md")

_HEADER = ("Kind", "It would be untrue that", "Caught by", "Seconds")


def total(caught: int, kinds: int) -> str:
    """The last line of the table, which the README repeats."""
    which = "all" if caught == kinds else str(caught)
    return f"{kinds} kinds, {which} caught"


def table(trials: Sequence[Trial]) -> str:
    """The table as Markdown, by family; `make drill` writes it."""
    caught = sum(trial.caught_by is not None for trial in trials)
    lines = ["# What was tried, and what caught it", "", "`make drill` writes this table."]
    for family in dict.fromkeys(trial.kind.family for trial in trials):
        lines += ["", f"## {family[0].upper()}{family[1:]}", "", _row(_HEADER), "|---|---|---|--:|"]
        lines += map(_row, _rows(trial for trial in trials if trial.kind.family == family))
    return "\n".join([*lines, "", f"{total(caught, len(trials))}."]) + "\n"


def _rows(trials: Iterable[Trial]) -> Iterator[tuple[str, ...]]:
    for trial in trials:
        seconds = str(max(1, math.ceil(trial.seconds)))
        yield trial.kind.id, trial.kind.falsifies, short(trial.caught_by), seconds


def short(test: str | None) -> str:
    """A test as the table names it: its folder, file and name, without parameters."""
    if test is None:
        return "**missed**"
    return re.sub(r"\[.*", "", test.removeprefix("tests/"), flags=re.DOTALL)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
