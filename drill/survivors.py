"""The survivors that are known: mutants that no test can notice, each with the reason why.

`survivors.toml` holds them. The list may only shrink: a new survivor fails the run until a better
test notices it, and so does an entry that is noticed by now, or applies no more.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from drill.forked import Tried
from drill.kinds import DrillError
from drill.mutants import Change

FILE = Path(__file__).with_name("survivors.toml")

_KEYS = {"module", "function", "before", "after", "nth", "reason"}


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that survives, and why no user can see what it changes."""

    module: str
    change: Change
    reason: str


def read_survivors(file: Path = FILE) -> list[Survivor]:
    """The list. Raises `DrillError` for an entry that is malformed, has no reason, or is there
    twice."""
    rows = tomllib.loads(file.read_text("utf-8")).get("survivor", [])
    read: list[Survivor] = []
    for row in rows:
        nth = row.get("nth", 1)
        if row.keys() | {"nth"} != _KEYS or not str(row["reason"]).strip():
            wanted = "module, function, before, after and reason (nth too, where it is not 1)"
            raise DrillError(f"{file.name}: an entry has {wanted}. Found: {row}")
        change = Change(row["function"], row["before"], row["after"], nth)
        if any((one.module, one.change) == (row["module"], change) for one in read):
            raise DrillError(f"{file.name}: this entry is there twice. Found: {row}")
        read.append(Survivor(row["module"], change, row["reason"]))
    return read


def outdated(module: str, changes: Sequence[Change], known: Sequence[Survivor]) -> Iterator[str]:
    """What to do about each entry of a module that is no mutant of it any more."""
    for survivor in known:
        if survivor.module == module and survivor.change not in changes:
            yield _problem("It applies no more: remove it from the list", module, survivor.change)


def problems(tried: Tried, known: Sequence[Survivor]) -> Iterator[str]:
    """What to do about each survivor that is not listed, and each entry that is no survivor."""
    module = tried.module.name
    listed = [survivor.change for survivor in known if survivor.module == module]
    yield from outdated(module, tried.changes, known)
    for change in listed:
        if change in tried.changes and change not in tried.survivors:
            yield _problem("A test notices it by now: remove it from the list", module, change)
    for change in tried.survivors:
        if change not in listed:
            yield _problem("No test notices it. Write one that does", module, change)


def _problem(what: str, module: str, change: Change) -> str:
    lines = [f"{what}:", "", "[[survivor]]", f"module = {json.dumps(module)}"]
    lines += [
        f"{key} = {json.dumps(getattr(change, key), ensure_ascii=False)}"
        for key in ("function", "before", "after", "nth")
        if getattr(change, key) != 1
    ]
    return "\n".join(lines)
