"""Pin the results of the snippets anew: run each on all its cases, and write what it returned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs_build.faults import Fault, Refusal, refuse, shown
from docs_build.files import write_if_changed
from docs_build.pin_lines import pin_lines
from docs_build.project import Project
from docs_build.renderings import CASES, METRIC
from skynet_stub import pinning
from skynet_stub.cases import Case, load_cases
from skynet_stub.check import Report, check_metric
from skynet_stub.messages import catalog
from skynet_stub.outcomes import Called, Returned
from skynet_stub.refused import Refused


def pin(project: Project) -> list[str]:
    """Write the `result` of every case of every example as the metric returns it now.

    All else in a case file stays as it is written, and so does a result that still holds. Returns
    what changed, one line a case, and a last line that sums up. Raises `Refusal`, and writes
    nothing, where a metric returns nothing to pin.
    """
    changes: list[str] = []
    faults: list[Fault] = []
    texts: dict[Path, str] = {}
    count = 0
    for metric in sorted(project.snippets.glob(f"*/{METRIC}")):
        file = metric.with_name(CASES)
        try:
            cases, returned = _run(metric, file)
        except Refusal as refusal:
            faults += refusal.faults
            continue
        count += len(cases)
        found = list(pinning.changes(zip(cases, returned, strict=True), complete=True))
        texts[file] = pinning.pinned(file.read_bytes().decode(), found)
        changes += pin_lines(shown(file), found)
    if faults:
        raise Refusal(faults)
    for file, text in texts.items():
        write_if_changed(file, text.encode())
    return [*changes, f"{len(changes)} of {count} results changed in {shown(project.snippets)}"]


def _run(metric: Path, cases: Path) -> tuple[tuple[Case, ...], list[Returned]]:
    """All cases of an example, and what the metric returned for each."""
    try:
        read = load_cases(cases)
        report = check_metric(metric, read, all_cases=True)
    except Refused as refused:
        raise refuse(shown(cases), None, str(refused), "") from None
    faults = list(_nothing_to_pin(shown(metric), shown(cases), read, report))
    if faults:
        raise Refusal(faults)
    return read, [called.returned for called in report.cases if called.returned is not None]


def _nothing_to_pin(
    metric: str, cases: str, read: tuple[Case, ...], report: Report
) -> Iterator[Fault]:
    reason = catalog("en").text
    remedy = "Mend the metric or the case, then pin again."
    for fault in report.loading.faults:
        yield Fault(metric, fault.line, f"{reason(f'reason.{fault.reason}')}.", remedy)
    for called in report.cases:
        if called.returned is None:
            yield Fault(cases, read[called.case - 1].line, _why(called), remedy)


def _why(called: Called) -> str:
    words = "; ".join(catalog("en").text(f"reason.{fault.reason}") for fault in called.faults)
    return f"case {called.case} has nothing to pin: {words}."
