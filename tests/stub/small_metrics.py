"""Small metrics for the tests: write one, check it inside this process, read what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from skynet_stub.cases import Case, Measured, Pin
from skynet_stub.check import Report, check_metric
from skynet_stub.helpers import Models
from skynet_stub.in_process import run_in_process
from skynet_stub.outcomes import Called, Job, Loading

GOOD = 'def score(input, output, expected=None):\n    return 1.0, {"feedback": "Right."}\n'
"""A metric that keeps the contract, whatever the case."""


def case(number: int = 1, output: Any = "out", **fields: Any) -> Case:
    """A case with an output of its own; the other fields as `Case` has them."""
    return Case(**{"number": number, "line": number, "input": {}, "output": output} | fields)


def cases_with(outputs: Iterable[Any], **fields: Any) -> list[Case]:
    """One case for each output, numbered from 1."""
    return [case(number, output, **fields) for number, output in enumerate(outputs, 1)]


def pinned(
    score: float, feedback: str | None = None, scores: dict[str, float] | None = None
) -> Pin:
    """A pinned result."""
    return Pin(score, feedback, scores)


def measured(ms: float | None = None, usd: float | None = None) -> Measured:
    """What was measured of a case."""
    return Measured(ms, usd)


def write_metric(folder: Path, source: str, name: str = "metric.py") -> Path:
    """Write a metric file, with exactly these characters, and return its path."""
    path = folder / name
    path.write_bytes(source.encode("utf-8", "surrogatepass"))
    return path


def returning(expression: str, before: str = "") -> str:
    """The source of a metric that returns the value of one expression."""
    return f"{before}\ndef score(input, output, expected=None):\n    return {expression}\n"


def check(
    folder: Path,
    source: str,
    cases: Sequence[Case] | None = None,
    *,
    name: str = "metric.py",
    all_cases: bool = True,
    models: Models = Models(),  # noqa: B008  # frozen
) -> Report:
    """Check the metric with this source inside this process, by default on one case."""
    metric = write_metric(folder, source, name)
    return check_metric(
        metric, cases or [case()], all_cases=all_cases, models=models, runner=run_in_process
    )


def run(folder: Path, source: str, cases: Sequence[Case]) -> list[Called]:
    """The outcomes of the calls of a metric inside this process; it must load."""
    job = Job(write_metric(folder, source), cases, 60, Models())
    loading, *called = run_in_process(job)
    assert isinstance(loading, Loading)
    assert loading.faults == ()
    return [one for one in called if isinstance(one, Called)]


def reasons(report: Report) -> list[tuple[int | None, str]]:
    """Each failure of a report: the number of its case, and its reason."""
    return [
        (failure.case, failure.fault.reason) for item in report.items for failure in item.failures
    ]


def states(report: Report) -> dict[str, bool | None]:
    """Whether each item of a report passed; `None` where it was not checked."""
    return {item.id: item.passed for item in report.items}


def advice(report: Report) -> list[tuple[int | None, str]]:
    """Each advice of a report: the number of its case, and its id."""
    return [(one.case, one.id) for one in report.advice]
