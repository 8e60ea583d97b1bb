"""Write what a metric returned into its case file, as the pinned results (B5)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from skynet_stub import items
from skynet_stub.cases import Case, Pin, parse_cases
from skynet_stub.check import ItemResult, Report
from skynet_stub.json_text import one_line, with_member
from skynet_stub.messages import catalog
from skynet_stub.outcomes import Returned
from skynet_stub.pins import pin_faults
from skynet_stub.record import Record
from skynet_stub.refused import Refused
from skynet_stub.report_json import from_here


class Change(Record):
    """A case whose pinned result is another now; `was` is `None` where it had none."""

    case: Case
    was: dict[str, object] | None
    now: dict[str, object]


def pin(report: Report, language: str) -> tuple[Report, list[str]]:
    """Pin the results of a check in its case file; the report without old pins, and what changed.

    Where a case failed for anything but its old pin, nothing is written. Raises `Refused` where
    the file was changed meanwhile, or cannot be written; then it is as it was.
    """
    words = catalog(language)
    anew = _without_pins(report)
    if not anew.passed or report.case_file is None:
        return anew, [words.text("report.not-pinned")]
    file = from_here(report.case_file)
    found = list(changes(results(report)))
    if found:
        data = _read(report.case_file, file)
        there = {case.number: case for case in _parsed(data, file)}
        if any(there.get(case.number) != case for case in report.checked):
            raise Refused("pin-changed", file=file)
        replace_file(report.case_file, pinned(data.decode(), found).encode())
    lines = []
    for change in found:
        facts = {"file": file, "line": change.case.line, "case": change.case.number}
        facts["now"] = one_line(change.now)
        if change.was is None:
            lines.append(words.text("report.pin-added", **facts))
        else:
            lines.append(words.text("report.pin-changed", **facts, was=one_line(change.was)))
    counts = {"file": file, "n": len(found), "count": len(report.cases)}
    return anew, [*lines, words.text("report.pinned", **counts)]


def results(report: Report) -> Iterator[tuple[Case, Returned]]:
    """The cases of a check with what the metric returned for each, where it was valid."""
    for case, called in zip(report.checked, report.cases, strict=False):
        if called.returned is not None:
            yield case, called.returned


def changes(pairs: Iterable[tuple[Case, Returned]], *, complete: bool = False) -> Iterator[Change]:
    """The cases whose pin does not hold. What a pin leaves out stays out; a new one has all.

    `complete` says that each pin is to have all.
    """
    for case, returned in pairs:
        pin = case.result
        if pin is None:
            yield Change(case, None, _written(returned, returned))
        elif any(pin_faults(pin, returned)) or (complete and _leaves_out(pin, returned)):
            yield Change(
                case, _written(pin, pin), _written(returned, returned if complete else pin)
            )


def _leaves_out(pin: Pin, returned: Returned) -> bool:
    return pin.feedback is None or (pin.scores is None) != (returned.scores is None)


def pinned(text: str, found: Sequence[Change]) -> str:
    """The text of a case file with these changes; all else in it is as it was."""
    lines = text.split("\n")
    for change in found:
        at = change.case.line - 1
        lines[at] = with_member(lines[at], "result", change.now)
    return "\n".join(lines)


def replace_file(file: Path, data: bytes) -> None:
    """Replace what a file holds, all at once; what a link names is replaced, not the link.

    A file with several names (hard links) is written over, and as it was where that fails.
    """
    target = os.path.realpath(file)
    temporary = f"{target}.{os.getpid()}.new"
    shown = from_here(file)
    try:
        status = os.stat(target)  # noqa: PTH116
        mode = stat.S_IMODE(status.st_mode)
        if not mode & 0o222:
            raise PermissionError(0, "read-only")
        if status.st_nlink > 1:  # it has other names, which are to name the same file
            _overwrite(target, data)
            return
        with open(temporary, "xb") as new:  # noqa: PTH123
            try:
                new.write(data)
                os.fchmod(new.fileno(), mode)
                new.close()
                os.replace(temporary, target)  # noqa: PTH105
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)  # noqa: PTH108
                raise
    except OSError as problem:
        raise Refused("pin-not-written", file=shown, problem=problem.strerror) from None


def _overwrite(target: str, data: bytes) -> None:
    with open(target, "r+b", buffering=0) as file:  # noqa: PTH123
        before = file.read()
        try:
            _fill(file.fileno(), data)
        except OSError:
            _fill(file.fileno(), before)
            raise


def _fill(file: int, data: bytes) -> None:
    os.lseek(file, 0, os.SEEK_SET)
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]
    os.ftruncate(file, len(data))


def _read(path: Path, file: str) -> bytes:
    with suppress(OSError):  # it was there
        if path.is_file():  # reading anything else might never end
            return path.read_bytes()
    raise Refused("pin-changed", file=file)


def _parsed(data: bytes, file: str) -> tuple[Case, ...]:
    try:
        return parse_cases(data, file)
    except Refused:
        raise Refused("pin-changed", file=file) from None


def _without_pins(report: Report) -> Report:
    """The report as it would be if no case had pinned a result."""
    judged = (
        ItemResult(item.id, None) if item.id == items.RESULT else item for item in report.items
    )
    return report.replace(items=tuple(judged))


def _written(result: Pin | Returned, like: Pin | Returned) -> dict[str, object]:
    """A result as a case file has it, with the parts that the other one has too."""
    written: dict[str, object] = {"score": _readable(result.score)}
    if result.feedback is not None and like.feedback is not None:
        written["feedback"] = result.feedback
    if result.scores is not None and like.scores is not None:
        written["scores"] = {name: _readable(score) for name, score in result.scores.items()}
    return written


def _readable(number: float) -> float:
    """A number without the noise of its last digits, which a pin is not compared by (B5)."""
    return float(f"{number:.12g}")
