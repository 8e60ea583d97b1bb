"""Let faults pass that are right for a reason, as translation/exemptions.toml says."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from docs_build.faults import Fault, refuse, shown


@dataclass(frozen=True, slots=True)
class Exemption:
    """A fault that may stand: its file, a part of what is said of it, and why it may."""

    file: str
    fault: str
    reason: str

    def covers(self, fault: Fault) -> bool:
        """Whether a fault is the one that is meant."""
        return fault.file.endswith(self.file) and self.fault in fault.problem


def read_exemptions(path: Path) -> tuple[Exemption, ...]:
    """The exemptions of a file; none where there is no file.

    Raises `Refusal` where one does not give a file, a fault and a reason.
    """
    if not path.is_file():
        return ()
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get("exemption", [])
        exemptions = tuple(Exemption(**entry) for entry in entries)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        remedy = "Give each [[exemption]] a file, a fault and a reason."
        raise refuse(shown(path), None, f"{error}.", remedy) from None
    for one in exemptions:
        if not (one.file and one.fault and one.reason):
            problem = f"an exemption of {one.file or '?'} is empty."
            raise refuse(shown(path), None, problem, "Give it a file, a fault and a reason.")
    return exemptions


def unexempted(faults: Iterable[Fault], exemptions: Iterable[Exemption]) -> Iterator[Fault]:
    """The faults that no exemption covers."""
    known = tuple(exemptions)
    return (fault for fault in faults if not any(one.covers(fault) for one in known))


def unneeded(
    faults: Iterable[Fault], exemptions: Iterable[Exemption], path: Path
) -> Iterator[Fault]:
    """A fault for each exemption that covers none of all the faults there are."""
    all_faults = tuple(faults)
    for one in exemptions:
        if not any(one.covers(fault) for fault in all_faults):
            problem = f"the exemption of {one.file}, {one.fault!r}, is not needed any more."
            yield Fault(shown(path), None, problem, "Take it out.")
