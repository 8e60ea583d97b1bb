"""The contract check: run a metric on cases, and judge item by item (B7)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from skynet_stub import items
from skynet_stub.advice import advice_across_cases, case_advice, file_advice
from skynet_stub.cases import Case, load_cases
from skynet_stub.display import cut, show, shown_name
from skynet_stub.helpers import Models
from skynet_stub.limits import (
    CONTRACT_CHECK_CASES,
    METRIC_MEMORY_MIB,
    METRIC_TIMEOUT_MAX_SECONDS,
    METRIC_TIMEOUT_SECONDS,
)
from skynet_stub.outcomes import Advice, Called, Job, Loading, Runner
from skynet_stub.pins import pin_faults
from skynet_stub.reasons import REASONS, Fault, Hint
from skynet_stub.record import Record
from skynet_stub.refused import Refused, not_there
from skynet_stub.return_value import is_number

CASES_FILE_NAME = "cases.jsonl"
"""The case file that is read where none is named: it stands beside the metric."""


class Failure(Record):
    """One fault, and the number of the case that showed it (`None`: the metric as a whole)."""

    fault: Fault
    case: int | None = None


class ItemResult(Record):
    """The result of one check item: `passed` is `None` where it was not checked (B7)."""

    id: str
    passed: bool | None
    failures: tuple[Failure, ...] = ()


class Report(Record):
    """All that a check found, apart from any language.

    `items` are in the contract's order (B7). `loading` says how loading the file ended, `cases` how
    each call did; `checked` are the cases that the calls were for, and `case_file` is where they
    were read (`None`: they were given).
    """

    metric: Path
    items: tuple[ItemResult, ...]
    loading: Loading
    cases: tuple[Called, ...]
    advice: tuple[Advice, ...]
    case_file: Path | None = None
    checked: tuple[Case, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no item failed."""
        return not any(item.passed is False for item in self.items)


def check_metric(
    metric: str | Path,
    cases: str | Path | Sequence[Case] | None = None,
    *,
    all_cases: bool = False,
    numbers: Iterable[int] = (),
    timeout: float = METRIC_TIMEOUT_SECONDS,
    memory: float = METRIC_MEMORY_MIB,
    models: Models = Models(),  # noqa: B008  # frozen
    runner: Runner | None = None,
) -> Report:
    """Check a metric against the contract (B7).

    `cases` is the path of a case file, or cases; by default `cases.jsonl` beside the metric. The
    first `CONTRACT_CHECK_CASES` of them are checked (A7), or those with these `numbers`, or all,
    whatever the numbers. `timeout` is in seconds, above
    0 and at most `METRIC_TIMEOUT_MAX_SECONDS`; `memory` is how much the metric and all that it
    starts may hold, in MiB of resident memory, above 0 (B4). `runner` runs the metric: in a
    process of its own where none is given.

    Raises `Refused`, before anything runs, for what cannot be checked, and `TypeError` for cases
    that are none.
    """
    path = _metric_path(metric)
    refuse_bad_timeout(timeout)
    refuse_bad_memory(memory)
    file, read = _cases(path, cases)
    checked = _chosen(read, frozenset(numbers), file)
    if all_cases:
        checked = tuple(read)
    outcomes = (runner or _process_runner())(Job(path, checked, timeout, models, memory))
    loading, called = _split(outcomes)
    results = _item_results(checked, loading, called)
    advice = tuple(_advice(path, checked, loading, called))
    return Report(path, results, loading, called, advice, file and file.absolute(), checked)


def _process_runner() -> Runner:
    from skynet_stub.process import run_in_a_process  # processes are not there in a browser

    return run_in_a_process


def _metric_path(metric: str | Path) -> Path:
    path, file = Path(metric), shown_name(metric)
    try:
        mode = os.stat(metric).st_mode  # noqa: PTH116  # `Path("")` is a folder
    except ValueError:  # there is a NUL in it
        raise Refused("metric-missing", file=file) from None
    except OSError as problem:
        if not_there(problem):
            raise Refused("metric-missing", file=file) from None
        raise Refused("metric-unreachable", file=file, problem=problem.strerror) from None
    if S_ISDIR(mode):
        raise Refused("metric-is-a-folder", file=file)
    if not S_ISREG(mode):  # reading it might never end
        raise Refused("metric-is-no-file", file=file)
    return path.absolute()


def refuse_bad_timeout(timeout: float, found: str = "") -> None:
    """Raise `Refused` for a timeout that is out of range; `found` is how it was written."""
    if not is_number(timeout) or not 0 < timeout <= METRIC_TIMEOUT_MAX_SECONDS:  # nor is NaN
        raise Refused("timeout", found=found or show(timeout), maximum=METRIC_TIMEOUT_MAX_SECONDS)


def refuse_bad_memory(memory: float, found: str = "") -> None:
    """Raise `Refused` for a limit on memory that is none; `found` is how it was written."""
    if not is_number(memory) or not 0 < memory < inf:
        raise Refused("memory", found=found or show(memory))


def _cases(
    metric: Path, cases: str | Path | Sequence[Case] | None
) -> tuple[Path | None, Sequence[Case]]:
    """The cases, and the file that they were read from, if they were."""
    if cases is None:
        cases = metric.with_name(CASES_FILE_NAME)
    if not isinstance(cases, str | Path):
        if not cases:
            raise Refused("no-cases", file="cases")
        for one in cases:
            if not isinstance(one, Case):
                raise TypeError(f"Cases are Case objects, as of load_cases. Got {show(one)}")
        return None, cases
    with suppress(OSError, ValueError):  # `load_cases` says why it cannot be read
        if metric.samefile(cases):
            raise Refused("same-file", file=cases)
    return Path(cases), load_cases(cases)


def _chosen(cases: Sequence[Case], numbers: frozenset[int], file: Path | None) -> tuple[Case, ...]:
    """The cases with these numbers, in their order; the first few where there are no numbers."""
    if not numbers:
        return tuple(cases[:CONTRACT_CHECK_CASES])
    there = {case.number for case in cases}
    for number in sorted(numbers - there):
        facts = {"found": cut(str(number), 40), "last": max(there)}
        raise Refused("case-not-there", file=file or "cases", **facts)
    return tuple(case for case in cases if case.number in numbers)


def _split(outcomes: Iterator[Loading | Called]) -> tuple[Loading, tuple[Called, ...]]:
    loading = Loading()
    called = []
    for outcome in outcomes:
        if isinstance(outcome, Loading):
            loading = outcome
        else:
            called.append(outcome)
    return loading, tuple(called)


def _item_results(
    cases: Sequence[Case], loading: Loading, called: Sequence[Called]
) -> tuple[ItemResult, ...]:
    if loading.faults:
        return tuple(_while_loading(loading.faults))
    failures = [
        Failure(_with_expected(fault, case), one.case)
        for case, one in zip(cases, called, strict=True)
        for fault in one.faults
    ]
    pinned, differing = _compare_pins(cases, called)
    failures += differing
    judged: dict[str, bool] = {
        items.RETURN_VALUE: any(_came_back(one) for one in called),
        items.RESULT: pinned,
    }
    return tuple(_result(id, judged.get(id, True), failures) for id in items.CHECK_ITEMS)


def _while_loading(faults: Sequence[Fault]) -> Iterator[ItemResult]:
    """The item that failed while loading; those before it passed, those behind are unchecked.

    A timeout while loading leaves even the items before it unchecked: nothing was loaded.
    """
    failed = REASONS[faults[0].reason].item
    passed: bool | None = None if failed == items.TIMEOUT else True
    for id in items.CHECK_ITEMS:
        if id == failed:
            yield ItemResult(id, False, tuple(Failure(fault) for fault in faults))
            passed = None
        else:
            yield ItemResult(id, passed)


def _with_expected(fault: Fault, case: Case) -> Fault:
    """Say that the case has no expected value, where an exception may come from that."""
    if fault.reason != "call-raised" or case.expected is not None:
        return fault
    sources = " ".join(hint.facts.get("source", "") for hint in fault.hints)
    if "None" not in fault.facts.get("exception", "") and not re.search(r"\bexpected\b", sources):
        return fault
    return fault.replace(hints=(*fault.hints, Hint("hint.no-expected")))


def _compare_pins(cases: Sequence[Case], called: Sequence[Called]) -> tuple[bool, list[Failure]]:
    """Whether any pin could be compared, and where a result differs from its pin."""
    pinned, failures = False, []
    for case, one in zip(cases, called, strict=True):
        if case.result is not None and one.returned is not None:
            pinned = True
            faults = pin_faults(case.result, one.returned)
            failures += [Failure(fault, case.number) for fault in faults]
    return pinned, failures


def _came_back(called: Called) -> bool:
    """Whether the call returned: a value that is valid, or one whose faults are of its own."""
    return called.returned is not None or _item_of(called) == items.RETURN_VALUE


def _item_of(called: Called) -> str:
    return REASONS[called.faults[0].reason].item


def _result(id: str, judged: bool, failures: Sequence[Failure]) -> ItemResult:
    own = tuple(failure for failure in failures if REASONS[failure.fault.reason].item == id)
    return ItemResult(id, not own if judged else None, own)


def _advice(
    path: Path, cases: Sequence[Case], loading: Loading, called: Sequence[Called]
) -> Iterator[Advice]:
    yield from file_advice(path.name)
    yield from loading.advice
    if called:
        for case, one in zip(cases, called, strict=True):
            yield from case_advice(case, one)
        yield from advice_across_cases(cases, called)
