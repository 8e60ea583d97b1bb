"""No metric fools, hangs or confuses the check, and nothing that it starts survives (B4)."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hostile_metrics import FAILING, FINE, HANGING, HEAD, LOADING, RAISING, RIGHT
from skynet_stub.cases import Case
from skynet_stub.helpers import Models
from skynet_stub.outcomes import Called, Job, Loading
from skynet_stub.process import run_in_a_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

ROOT = Path(__file__).parents[2]
SHORT = 1.0
"""A timeout in seconds for what hangs for ever, and for the calls beside it, which return."""


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What the metric's processes are known by; after the test none of them is left."""
    mark = str(uuid.uuid4().int)[:20]
    monkeypatch.setenv("HOSTILE_MARK", mark)
    yield mark
    assert survivors(mark) == []


def survivors(mark: str) -> list[str]:
    """The commands of all processes that bear the mark, in their environment or arguments."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            texts = [(process / name).read_bytes() for name in ("environ", "cmdline")]
        except OSError:  # it has ended
            continue
        if any(mark.encode() in text for text in texts):
            found.append(f"{process.name}: {texts[1].replace(bytes(1), b' ')!r}")
    return found


def source_of(statements: str) -> str:
    """A metric whose second call runs these statements."""
    return f"""{HEAD}
def nasty():
    {statements}
def score(input, output, expected=None):
    return (nasty() if output == 2 else None) or {RIGHT}
"""


def run(folder: Path, source: str, timeout: float = 60) -> tuple[Loading, list[Called]]:
    """The outcomes of a metric for three cases, whose outputs are 1, 2 and 3."""
    path = folder / "metric.py"
    path.write_text(source, encoding="utf-8")
    cases = [Case(number, number, {}, number) for number in (1, 2, 3)]
    loading, *called = run_in_a_process(Job(path, cases, timeout, Models()))
    assert isinstance(loading, Loading)
    return loading, [one for one in called if isinstance(one, Called)]


def reasons(called: Sequence[Called]) -> list[tuple[int, list[str]]]:
    return [(one.case, [fault.reason for fault in one.faults]) for one in called]


def feedbacks(called: Sequence[Called]) -> list[str | None]:
    return [one.returned.feedback if one.returned else None for one in called]


@pytest.mark.parametrize("metric", FINE)
def test_a_metric_passes_that(tmp_path: Path, mark: str, metric: str) -> None:
    loading, called = run(tmp_path, source_of(FINE[metric]))
    assert loading.faults == ()
    assert reasons(called) == [(1, []), (2, []), (3, [])]
    assert feedbacks(called) == ["Right."] * 3


@pytest.mark.parametrize("metric", FAILING)
def test_only_the_one_case_fails_of_a_metric_that(tmp_path: Path, mark: str, metric: str) -> None:
    statements, ending, facts = FAILING[metric]
    _, called = run(tmp_path, source_of(statements))
    assert reasons(called) == [(1, []), (2, [f"call-{ending}"]), (3, [])]
    assert called[1].faults[0].facts == facts


@pytest.mark.parametrize("metric", RAISING)
def test_the_exception_is_shown_of_a_metric_that(tmp_path: Path, mark: str, metric: str) -> None:
    statements, exception = RAISING[metric]
    _, called = run(tmp_path, source_of(statements))
    assert reasons(called) == [(1, []), (2, ["call-raised"]), (3, [])]
    assert called[1].faults[0].facts["exception"] == exception


@pytest.mark.parametrize("metric", HANGING)
def test_the_time_is_up_of_a_metric_that(tmp_path: Path, mark: str, metric: str) -> None:
    _, called = run(tmp_path, source_of(HANGING[metric]), SHORT)
    assert reasons(called) == [(1, []), (2, ["call-timed-out"]), (3, [])]
    assert called[1].ms >= SHORT * 1000


@pytest.mark.parametrize("metric", LOADING)
def test_no_case_is_run_of_a_metric_that(tmp_path: Path, mark: str, metric: str) -> None:
    statements, reason = LOADING[metric]
    loading, called = run(tmp_path, f"{HEAD}{statements}\ndef score(*_): return {RIGHT}\n")
    assert [fault.reason for fault in loading.faults] == [reason]
    assert called == []
