"""What is wrong with a source: where it stands, what was found, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one source file. `line` counts from 1; `None` where the whole file is meant."""

    file: str
    line: int | None
    problem: str
    remedy: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.problem} {self.remedy}"


class Refusal(Exception):
    """Sources that cannot be built. `faults` are all that were found, `str()` one a line."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


def refuse(file: str, line: int | None, problem: str, remedy: str) -> Refusal:
    """The refusal of a single fault."""
    return Refusal([Fault(file, line, problem, remedy)])


def shown(path: Path) -> str:
    """A path as messages name it: relative to the working directory where it lies in it.

    A link is named itself, not what it leads to.
    """
    try:
        place = path.parent.resolve() / path.name
        return place.relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return path.as_posix()


def closest(word: str, known: Iterable[str]) -> str:
    """` Did you mean X?`, with the known word that is most like this one."""
    close = get_close_matches(word, sorted(known), 1, cutoff=0.0)
    return f" Did you mean {close[0]}?" if close else ""
