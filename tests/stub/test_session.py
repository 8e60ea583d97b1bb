"""A metric in one process: what its calls took, when what they made is let go, and who is told."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from skynet_stub import metric_file, session
from skynet_stub.helpers import Models
from skynet_stub.in_process import run_in_process
from skynet_stub.outcomes import Called, Job
from skynet_stub.reasons import Fault
from skynet_stub.session import Session
from small_metrics import case, check, reasons, returning, run, write_metric

LOUD = "class Loud:\n    def __del__(self):\n        print('gone')\n"
DEF = "def score(input, output, expected=None):\n"


def job_of(folder: Path, source: str, cases: int = 1, memory: float = 1024) -> Job:
    """A job for a metric with this source."""
    numbered = [case(number) for number in range(1, cases + 1)]
    return Job(write_metric(folder, source), numbered, 60, Models(), memory)


def printed(job: Job) -> list[str]:
    """What was printed in the time of each call."""
    return [one.printed.head for one in run_in_process(job) if isinstance(one, Called)]


@pytest.fixture
def peaks(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How much memory the process says it has held at most, each time that it is asked."""
    levels: list[float] = []
    monkeypatch.setattr(session, "_peak_mebibytes", lambda: lambda: levels.pop(0))
    return levels


# --- What a call takes ---------------------------------------------------------------------------


def test_a_call_is_timed_in_milliseconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 10.25])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    (called,) = run(tmp_path, returning('1.0, {"feedback": "Right."}'), [case()])
    assert called.ms == 250


LARGE = {
    "feedback": '1.0, {"feedback": "x" * 1001}',
    "named scores": '1.0, {"feedback": "", "scores": dict.fromkeys(range(1001))}',
    "named scores of a class of dicts": (
        '1.0, {"feedback": "", "scores": __import__("collections").Counter(range(1001))}'
    ),
    "a list in place of a pair": "[0] * 1001",
    "a part of the score": "([0] * 1001, {})",
    "a part of a list that is not large": "[[0] * 1001, *[0] * 999]",
    "a part of a named score": '1.0, {"feedback": "", "scores": {"a": [0] * 1001}}',
}
SMALL = (
    '1.0, {"feedback": "", "scores": {"a": [[0] * 1001]}}',
    '1.0, {"feedback": "x" * 1000}',
    "[0] * 1000",
    """1.0, {"feedback": type("Text", (str,), {})("x" * 1000)}""",
    """1.0, {"feedback": "", "scores": __import__("collections").Counter(range(1000))}""",
    "range(10**9)",
    "None",
    "object()",
)


@pytest.mark.parametrize("kind", LARGE)
def test_it_is_told_that_a_call_has_returned_whose_value_is_large(
    tmp_path: Path, kind: str
) -> None:
    assert told(tmp_path, LARGE[kind]) == ["returned"]


@pytest.mark.parametrize("value", SMALL)
def test_it_is_not_told_of_a_value_that_is_judged_at_once(tmp_path: Path, value: str) -> None:
    assert told(tmp_path, value) == []


def told(folder: Path, value: str) -> list[str]:
    """What a session tells before it judges this value, which it does once all is told."""
    found: list[str] = []
    job = job_of(folder, returning(value))
    one = Session(job, has_returned=lambda: found.append("returned"))
    with one.open():
        one.load()
        one.call(job.cases[0])
    return found


def test_a_value_without_a_valid_score_or_feedback_is_no_result(tmp_path: Path) -> None:
    for expression in ('"high", {"feedback": "x"}', "1.0, {}"):
        (called,) = run(tmp_path, returning(expression), [case()])
        assert called.returned is None


# --- What a call leaves --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        '(1.0, {"feedback": "x", "more": Loud()})',
        '(1.0, {"feedback": "x", Loud(): 1})',
        '[1.0, {"feedback": "x", "more": [0, (Loud(), 0)]}]',
        '(1.0, {"feedback": "x", "scores": {"a": 1.0, "b": Loud()}})',
        '(1.0, {"feedback": "x"}, Loud())',
        "Loud()",
    ],
)
def test_what_runs_code_when_it_is_let_go_is_kept_while_there_is_room(
    tmp_path: Path, peaks: list[float], value: str
) -> None:
    peaks += [10, 10, 10]
    assert printed(job_of(tmp_path, returning(value, LOUD), cases=3)) == ["", "", ""]


@pytest.mark.parametrize(
    ("memory", "peak", "said"),
    [(1024, 74, ""), (1024, 74.5, "gone\n"), (100, 35, ""), (100, 35.5, "gone\n")],
)
def test_it_is_let_go_in_the_time_of_the_next_call_once_memory_has_grown(
    tmp_path: Path, peaks: list[float], memory: float, peak: float, said: str
) -> None:
    """By 64 MiB, or by a quarter of the limit, over what the loading took."""
    peaks += [10, peak]
    source = returning('1.0, {"feedback": "x", "more": Loud()}', LOUD)
    assert printed(job_of(tmp_path, source, cases=2, memory=memory)) == ["", said]


def test_what_is_let_go_is_not_let_go_again(tmp_path: Path, peaks: list[float]) -> None:
    peaks += [0, 100, 0]
    source = returning('1.0, {"feedback": "x", "more": Loud()}', LOUD)
    assert printed(job_of(tmp_path, source, cases=3)) == ["", "gone\n", ""]


@pytest.mark.parametrize(
    "value",
    [
        '(1.0, {"feedback": "x", "scores": {"a": 1, "b": True}, "more": [None, "y"]})',
        '[[[["x"]]]]',
        '{"a": {}}',
        "None",
    ],
)
def test_of_what_runs_no_code_nothing_is_kept(
    tmp_path: Path, peaks: list[float], value: str
) -> None:
    peaks += [10, 20, 30]  # it is asked once, when the metric is loaded
    printed(job_of(tmp_path, returning(value), cases=3))
    assert peaks == [20, 30]


def test_what_lies_too_deep_to_be_looked_at_is_kept(tmp_path: Path, peaks: list[float]) -> None:
    peaks += [10, 20, 30]
    printed(job_of(tmp_path, returning('[[[[["x"]]]]]'), cases=2))
    assert peaks == [30]


def test_what_a_call_that_raised_held_is_let_go_in_the_time_of_the_next(tmp_path: Path) -> None:
    source = f"{LOUD}{DEF}    if output == 'out':\n        loud = Loud()\n        1 / 0\n"
    job = Job(write_metric(tmp_path, source), [case(), case(2, "b")], 60, Models())
    assert printed(job) == ["", "gone\n"]


@pytest.mark.parametrize(("platform", "unit"), [("linux", 1024), ("darwin", 1024 * 1024)])
def test_memory_is_in_mebibytes_whatever_the_system_counts_in(
    monkeypatch: pytest.MonkeyPatch, platform: str, unit: int
) -> None:
    used = SimpleNamespace(ru_maxrss=3 * unit)
    resource = SimpleNamespace(RUSAGE_SELF=0, getrusage=lambda _: used)  # a browser has none
    monkeypatch.setitem(sys.modules, "resource", resource)
    monkeypatch.setattr(session, "platform", platform)
    assert session._peak_mebibytes()() == 3


def test_where_memory_cannot_be_measured_it_is_taken_for_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert session._peak_mebibytes()() == inf


# --- What goes wrong -----------------------------------------------------------------------------


def raising(error: BaseException) -> Callable[..., Any]:
    """A function that raises."""

    def function(*_: object) -> None:
        raise error

    return function


def test_a_value_whose_own_methods_raise_where_none_was_expected_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "check_return_value", raising(OSError("no")))
    (called,) = run(tmp_path, returning("{1}"), [case()])
    facts = {"type": "set", "exception": "OSError: no"}
    assert called.faults == (Fault("unreadable-value", facts=facts),)


@pytest.mark.parametrize(
    "equal",
    [
        "return True",  # such a type has no hash either
        "raise SystemExit(3)\n    __hash__ = type.__hash__",
    ],
)
def test_what_a_type_says_when_it_is_compared_with_others_decides_nothing(
    tmp_path: Path, equal: str
) -> None:
    odd = f"class Kind(type):\n    def __eq__(self, other):\n        {equal}\n"
    odd += "class Odd(metaclass=Kind):\n    pass\n"
    (called,) = run(tmp_path, returning("Odd()", odd), [case()])
    assert [fault.reason for fault in called.faults] == ["not-a-pair"]


def test_an_error_that_cannot_be_read_is_named_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metric_file, "raised_fault", raising(RuntimeError()))
    (called,) = run(tmp_path, returning("{}['label']"), [case()])
    assert called.faults == (Fault("call-raised", facts={"exception": "KeyError: 'label'"}),)


def test_a_function_that_cannot_be_called_by_the_contract_is_not_called(tmp_path: Path) -> None:
    report = check(tmp_path, "def score(output):\n    return 1.0, {'feedback': 'x'}\n")
    assert reasons(report) == [(None, "signature-does-not-bind")]


def test_an_error_of_what_is_asked_of_the_metric_is_one_of_loading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metric_file, "find_score", raising(SystemExit(3)))
    report = check(tmp_path, returning("1.0, {'feedback': 'x'}"))
    assert reasons(report) == [(None, "loading-raised")]


def test_in_a_process_that_the_metric_forked_an_error_ends_that_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = [1]
    monkeypatch.setattr(os, "getpid", lambda: process[0])
    for source, fails in ((f"{DEF}    1 / 0\n", "call"), ("1 / 0\n", "load")):
        process[0] = 1
        one = Session(job_of(tmp_path, source))
        with one.open():
            if fails == "call":
                assert one.load().faults == ()
            process[0] = 2
            with pytest.raises(ZeroDivisionError):
                one.load() if fails == "load" else one.call(case())


def test_what_stands_around_the_code_of_the_metric_is_entered_and_left(tmp_path: Path) -> None:
    steps: list[str] = []

    class Around(AbstractContextManager[None]):
        def __enter__(self) -> None:
            steps.append("in")

        def __exit__(self, *_: object) -> None:
            steps.append("out")

    one = Session(job_of(tmp_path, f"{DEF}    return 1 / output\n"), Around())
    with one.open():
        one.load()
        loaded = list(steps)
        one.call(case(1, 1))
        called = list(steps)
        one.call(case(2, 0))
    assert loaded[:1] == ["in"]
    assert called == [*loaded, "in", "out"]
    # After an error it is left once more: what was due then may have kept it from that.
    assert steps == [*called, "in", "out", "out"]
