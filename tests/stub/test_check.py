"""The contract check: what runs, what is refused, and what fails which item (A7, B4, B5, B7)."""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from skynet_stub import items
from skynet_stub.cases import Case
from skynet_stub.check import Report, check_metric, refuse_bad_memory, refuse_bad_timeout
from skynet_stub.helpers import Models
from skynet_stub.in_process import run_in_process
from skynet_stub.limits import (
    CONTRACT_CHECK_CASES,
    METRIC_TIMEOUT_MAX_SECONDS,
    METRIC_TIMEOUT_SECONDS,
)
from skynet_stub.outcomes import Called, Job, Loading, Returned
from skynet_stub.reasons import Fault
from skynet_stub.refused import Refused
from small_metrics import (
    GOOD,
    case,
    cases_with,
    check,
    pinned,
    reasons,
    returning,
    states,
    write_metric,
)

ITEMS = ("file", "function", "reward-spec", "run", "timeout", "return-value", "result")
"""The items of the contract, in order (B7)."""


class ScriptedRunner:
    """A runner that gives prepared outcomes, and keeps the job that it was asked to do."""

    def __init__(self, *outcomes: Loading | Called) -> None:
        self.outcomes = outcomes
        self.jobs: list[Job] = []

    def __call__(self, job: Job, /) -> Iterator[Loading | Called]:
        self.jobs.append(job)
        return iter(self.outcomes)


def fails(number: int, *codes: str) -> Called:
    return Called(number, tuple(Fault(code) for code in codes))


def returns(number: int) -> Called:
    return Called(number, returned=Returned(1.0, "Right."))


def report_of(
    folder: Path, *outcomes: Loading | Called, pinned_score: float | None = None
) -> Report:
    """The report on prepared outcomes, on as many cases as there are calls."""
    calls = sum(isinstance(outcome, Called) for outcome in outcomes)
    result = None if pinned_score is None else pinned(pinned_score)
    cases = cases_with(range(max(calls, 1)), result=result)
    metric = write_metric(folder, GOOD)
    return check_metric(metric, cases, all_cases=True, runner=ScriptedRunner(*outcomes))


# --- The limits of the platform (A7) -------------------------------------------------------------


def test_the_limits_are_those_of_the_platform() -> None:
    assert METRIC_TIMEOUT_SECONDS == 60
    assert METRIC_TIMEOUT_MAX_SECONDS == 600
    assert CONTRACT_CHECK_CASES == 3


def test_the_items_are_those_of_the_contract_in_order() -> None:
    assert items.CHECK_ITEMS == ITEMS


# --- Which cases are checked (B5) ----------------------------------------------------------------


@pytest.mark.parametrize(("given", "checked"), [(1, 1), (2, 2), (3, 3), (4, 3), (9, 3)])
def test_the_first_three_cases_are_checked(tmp_path: Path, given: int, checked: int) -> None:
    cases = cases_with(range(given))
    report = check(tmp_path, GOOD, cases, all_cases=False)
    assert [one.case for one in report.cases] == list(range(1, checked + 1))
    report = check(tmp_path, GOOD, cases, all_cases=True)
    assert [one.case for one in report.cases] == list(range(1, given + 1))


def test_a_case_that_is_not_checked_is_not_run(tmp_path: Path) -> None:
    source = returning("1 / (output < 4), {'feedback': 'Right.'}")
    cases = cases_with([1, 2, 3, 4])
    assert check(tmp_path, source, cases, all_cases=False).passed
    assert reasons(check(tmp_path, source, cases)) == [(4, "call-raised")]


def test_every_line_is_validated_whichever_cases_are_checked(tmp_path: Path) -> None:
    metric = write_metric(tmp_path, GOOD)
    lines = ['{"input": {}, "output": 0}'] * 3 + ['{"input": {}}']
    (tmp_path / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    runner = ScriptedRunner()
    with pytest.raises(Refused, match="line 4"):
        check_metric(metric, runner=runner)
    assert runner.jobs == []


def write_cases(folder: Path, name: str, outputs: Sequence[int]) -> Path:
    lines = [f'{{"input": {{}}, "output": {output}}}\n' for output in outputs]
    path = folder / name
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_the_cases_are_read_beside_the_metric_unless_others_are_named(tmp_path: Path) -> None:
    metric = write_metric(tmp_path, GOOD)
    write_cases(tmp_path, "cases.jsonl", [1])
    others = write_cases(tmp_path, "others.jsonl", [2, 3])
    for given, outputs in (
        (None, [1]),
        (others, [2, 3]),
        (str(others), [2, 3]),
        ([case(1, 9)], [9]),
    ):
        runner = ScriptedRunner(Loading((Fault("no-score-function"),)))
        check_metric(metric, given, runner=runner)
        assert [one.output for one in runner.jobs[0].cases] == outputs


# --- What the runner is asked to do --------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "numbers"),
    [
        ({}, [1, 2, 3]),
        ({"numbers": (5,)}, [5]),
        ({"numbers": iter([4, 2, 4])}, [2, 4]),
        ({"numbers": (2,), "all_cases": True}, [1, 2, 3, 4, 5]),
    ],
)
def test_cases_can_be_chosen_by_their_numbers(
    tmp_path: Path, chosen: dict[str, Any], numbers: list[int]
) -> None:
    path = write_metric(tmp_path, GOOD)
    report = check_metric(path, cases_with(range(5)), runner=run_in_process, **chosen)
    assert [called.case for called in report.cases] == numbers
    assert report.checked == tuple(case(number, number - 1) for number in numbers)
    assert report.case_file is None


def test_a_number_that_no_case_has_is_refused_before_anything_runs(tmp_path: Path) -> None:
    path = write_metric(tmp_path, GOOD)
    (tmp_path / "cases.jsonl").write_text('{"input": {}, "output": 1}\n', encoding="utf-8")
    for numbers in ((0,), (1, 2)):
        with pytest.raises(Refused, match=r"cases\.jsonl: there is no case [02]; .* from 1 to 1$"):
            check_metric(path, numbers=numbers, all_cases=True)
    with pytest.raises(Refused, match=r"^cases: there is no case 5; .* from 1 to 4$"):
        check_metric(path, cases_with(range(4)), numbers=(9, 5, 2))


def test_a_number_of_a_case_that_is_too_long_to_be_read_is_shown_in_part(tmp_path: Path) -> None:
    path = write_metric(tmp_path, GOOD)
    for number, shown in ((10**39, "1" + "0" * 39), (10**40, "1" + "0" * 38 + "…")):
        with pytest.raises(Refused) as caught:
            check_metric(path, cases_with(range(4)), numbers=[number])
        assert caught.value.facts["found"] == shown


def test_the_case_file_is_known_by_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_metric(tmp_path, GOOD)
    cases = write_cases(tmp_path, "cases.jsonl", [1])
    monkeypatch.chdir(tmp_path)
    for given in (None, "cases.jsonl"):
        assert check_metric(path, given, runner=run_in_process).case_file == cases


def test_the_runner_is_given_the_metric_its_cases_the_timeout_and_the_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_metric(tmp_path, GOOD)
    monkeypatch.chdir(tmp_path)
    runner = ScriptedRunner(Loading((Fault("no-score-function"),)))
    models = Models("judge", "thinker")
    check_metric("metric.py", [case()], timeout=2.5, models=models, runner=runner)
    assert runner.jobs == [Job(tmp_path / "metric.py", (case(),), 2.5, models)]


def test_the_timeout_is_60_seconds_and_there_is_a_reflection_model_by_default(
    tmp_path: Path,
) -> None:
    runner = ScriptedRunner(Loading((Fault("no-score-function"),)))
    check_metric(write_metric(tmp_path, GOOD), [case()], runner=runner)
    (job,) = runner.jobs
    assert (job.timeout, job.models) == (60, Models(None, "stub-reflection-model"))


# --- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("timeout", [0, -1, -0.0, 600.001, 601, math.nan, math.inf, -math.inf])
def test_a_timeout_outside_0_to_600_is_refused_before_anything_runs(
    tmp_path: Path, timeout: float
) -> None:
    runner = ScriptedRunner(Loading(), returns(1))
    with pytest.raises(Refused) as caught:
        check_metric(write_metric(tmp_path, GOOD), [case()], timeout=timeout, runner=runner)
    assert caught.value.key == "refused.timeout"
    assert caught.value.facts == {"found": repr(timeout), "maximum": "600"}
    assert runner.jobs == []


def test_a_timeout_that_is_refused_is_shown_as_it_was_written() -> None:
    with pytest.raises(Refused) as caught:
        refuse_bad_timeout(math.nan, "never")
    assert caught.value.facts["found"] == "never"


@pytest.mark.parametrize("timeout", [5e-324, 0.3, 1, 600, 600.0])
def test_a_timeout_within_0_to_600_is_taken(tmp_path: Path, timeout: float) -> None:
    runner = ScriptedRunner(Loading(), returns(1))
    check_metric(write_metric(tmp_path, GOOD), [case()], timeout=timeout, runner=runner)
    assert [job.timeout for job in runner.jobs] == [timeout]


@pytest.mark.parametrize("memory", [0, -1, -0.5, math.nan, math.inf])
def test_a_memory_of_nothing_or_without_end_is_refused_before_anything_runs(
    tmp_path: Path, memory: float
) -> None:
    runner = ScriptedRunner(Loading(), returns(1))
    with pytest.raises(Refused) as caught:
        check_metric(write_metric(tmp_path, GOOD), [case()], memory=memory, runner=runner)
    assert caught.value.key == "refused.memory"
    assert caught.value.facts == {"found": repr(memory)}
    assert runner.jobs == []


def test_a_memory_that_is_refused_is_shown_as_it_was_written() -> None:
    with pytest.raises(Refused) as caught:
        refuse_bad_memory(0.0, "0 MiB")
    assert caught.value.facts["found"] == "0 MiB"


@pytest.mark.parametrize("memory", [0.5, 1, 1e6])
def test_the_runner_is_given_the_memory(tmp_path: Path, memory: float) -> None:
    runner = ScriptedRunner(Loading(), returns(1))
    check_metric(write_metric(tmp_path, GOOD), [case()], memory=memory, runner=runner)
    assert [job.memory for job in runner.jobs] == [memory]


@pytest.mark.parametrize("key", ["timeout", "memory"])
@pytest.mark.parametrize("limit", ["10", None, [1], 1j])
def test_a_limit_that_is_no_number_is_refused_before_anything_runs(
    tmp_path: Path, key: str, limit: Any
) -> None:
    limits: dict[str, Any] = {key: limit}
    runner = ScriptedRunner(Loading(), returns(1))
    with pytest.raises(Refused) as caught:
        check_metric(write_metric(tmp_path, GOOD), [case()], runner=runner, **limits)
    assert caught.value.key == f"refused.{key}"
    assert caught.value.facts["found"] == repr(limit)
    assert runner.jobs == []


@pytest.mark.parametrize("key", ["timeout", "memory"])
def test_a_number_that_is_refused_is_shown_cut(tmp_path: Path, key: str) -> None:
    limits: dict[str, Any] = {key: -(10**400)}
    with pytest.raises(Refused) as caught:
        check_metric(write_metric(tmp_path, GOOD), [case()], runner=run_in_process, **limits)
    assert len(caught.value.facts["found"]) <= 200


def test_a_metric_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for name in ("missing.py", "x" * 300 + ".py"):
        with pytest.raises(Refused) as caught:
            check_metric(tmp_path / name, [case()], runner=run_in_process)
        assert caught.value.key == "refused.metric-missing"
        assert caught.value.facts == {"file": str(tmp_path / name)}


@pytest.mark.parametrize(("name", "shown"), [("", '""'), ("a\0b.py", "a\0b.py")])
def test_a_name_that_no_file_can_have_is_refused(name: str, shown: str) -> None:
    with pytest.raises(Refused) as caught:
        check_metric(name, [case()], runner=run_in_process)
    assert caught.value.key == "refused.metric-missing"
    assert caught.value.facts == {"file": shown}


def test_a_metric_that_cannot_be_reached_is_refused_with_what_the_system_says(
    tmp_path: Path,
) -> None:
    metric = tmp_path / "metric.py"
    metric.symlink_to(metric)
    with pytest.raises(Refused) as caught:
        check_metric(metric, [case()], runner=run_in_process)
    assert caught.value.key == "refused.metric-unreachable"
    assert caught.value.facts == {"file": str(metric), "problem": os.strerror(errno.ELOOP)}


def test_a_folder_in_place_of_the_metric_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        check_metric(tmp_path, [case()], runner=run_in_process)
    assert caught.value.key == "refused.metric-is-a-folder"
    assert caught.value.facts == {"file": str(tmp_path)}


def test_a_device_in_place_of_the_metric_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        check_metric("/dev/null", [case()], runner=run_in_process)
    assert caught.value.key == "refused.metric-is-no-file"
    assert caught.value.facts == {"file": "/dev/null"}


def test_a_file_that_is_given_as_the_metric_and_as_its_cases_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = write_metric(tmp_path, GOOD)
    monkeypatch.chdir(tmp_path)
    for cases in (metric, str(metric), "metric.py", "./metric.py"):
        with pytest.raises(Refused) as caught:
            check_metric(metric, cases, runner=run_in_process)
        assert (caught.value.key, caught.value.facts) == ("refused.same-file", {"file": str(cases)})


@pytest.mark.parametrize("cases", [None, "missing.jsonl", "x" * 300 + ".jsonl"])
def test_a_case_file_that_is_not_there_is_refused(tmp_path: Path, cases: str | None) -> None:
    metric = write_metric(tmp_path, GOOD)
    given = None if cases is None else tmp_path / cases
    with pytest.raises(Refused) as caught:
        check_metric(metric, given, runner=run_in_process)
    assert caught.value.key == "refused.cases-missing"
    assert caught.value.facts["file"] == str(given or tmp_path / "cases.jsonl")


def test_what_is_no_case_is_a_type_error_before_anything_runs(tmp_path: Path) -> None:
    path = write_metric(tmp_path, "raise AssertionError\n")
    given: list[Any] = [case(), "a"]
    with pytest.raises(TypeError) as caught:
        check_metric(path, given, runner=run_in_process)
    assert str(caught.value) == "Cases are Case objects, as of load_cases. Got 'a'"


def test_no_cases_are_refused(tmp_path: Path) -> None:
    metric = write_metric(tmp_path, GOOD)
    (tmp_path / "cases.jsonl").write_text("\n", encoding="utf-8")
    no_cases: list[Case] = []
    for cases in (None, no_cases):
        with pytest.raises(Refused) as caught:
            check_metric(metric, cases, runner=run_in_process)
        assert caught.value.key == "refused.no-cases"
        assert caught.value.facts["file"] in ("cases", str(tmp_path / "cases.jsonl"))


# --- Items (B7) ----------------------------------------------------------------------------------

PASSED, FAILED, UNCHECKED = True, False, None

WHILE_LOADING: dict[str, tuple[bool | None, ...]] = {
    "file-unreadable": (FAILED, *[UNCHECKED] * 6),
    "file-not-python": (FAILED, *[UNCHECKED] * 6),
    "loading-raised": (FAILED, *[UNCHECKED] * 6),
    "loading-exited": (FAILED, *[UNCHECKED] * 6),
    "loading-killed": (FAILED, *[UNCHECKED] * 6),
    "no-score-function": (PASSED, FAILED, *[UNCHECKED] * 5),
    "score-not-callable": (PASSED, FAILED, *[UNCHECKED] * 5),
    "signature-does-not-bind": (PASSED, FAILED, *[UNCHECKED] * 5),
    "reward-spec-invalid": (PASSED, PASSED, FAILED, *[UNCHECKED] * 4),
    "loading-timed-out": (*[UNCHECKED] * 4, FAILED, *[UNCHECKED] * 2),
}


@pytest.mark.parametrize("code", WHILE_LOADING)
def test_after_a_fault_while_loading_the_items_behind_it_are_not_checked(
    tmp_path: Path, code: str
) -> None:
    report = report_of(tmp_path, Loading((Fault(code),)))
    assert states(report) == dict(zip(ITEMS, WHILE_LOADING[code], strict=True))
    assert reasons(report) == [(None, code)]
    assert report.passed is False
    assert report.cases == ()


WHILE_RUNNING: dict[str, tuple[bool | None, ...]] = {
    "call-raised": (*[PASSED] * 3, FAILED, PASSED, UNCHECKED, UNCHECKED),
    "call-exited": (*[PASSED] * 3, FAILED, PASSED, UNCHECKED, UNCHECKED),
    "call-killed": (*[PASSED] * 3, FAILED, PASSED, UNCHECKED, UNCHECKED),
    "call-timed-out": (*[PASSED] * 4, FAILED, UNCHECKED, UNCHECKED),
    "returned-none": (*[PASSED] * 5, FAILED, UNCHECKED),
    "score-nan": (*[PASSED] * 5, FAILED, UNCHECKED),
}


@pytest.mark.parametrize("code", WHILE_RUNNING)
def test_a_fault_of_the_only_case_fails_its_item_alone(tmp_path: Path, code: str) -> None:
    report = report_of(tmp_path, Loading(), fails(1, code), pinned_score=1.0)
    assert states(report) == dict(zip(ITEMS, WHILE_RUNNING[code], strict=True))
    assert reasons(report) == [(1, code)]
    assert report.passed is False


def test_when_no_case_fails_and_none_is_pinned_all_but_the_pinned_result_pass(
    tmp_path: Path,
) -> None:
    report = report_of(tmp_path, Loading(), returns(1))
    assert states(report) == dict(zip(ITEMS, (*[PASSED] * 6, UNCHECKED), strict=True))
    assert report.passed is True


def test_a_pinned_result_passes_where_it_is_returned_and_fails_where_not(tmp_path: Path) -> None:
    report = report_of(tmp_path, Loading(), returns(1), pinned_score=1.0)
    assert states(report) == dict.fromkeys(ITEMS, PASSED)
    assert report.passed is True
    report = report_of(tmp_path, Loading(), returns(1), pinned_score=0.5)
    assert states(report) == dict.fromkeys(ITEMS, PASSED) | {"result": FAILED}
    assert reasons(report) == [(1, "pinned-score-differs")]
    assert report.passed is False


def test_an_item_fails_if_any_case_fails_it_and_lists_each(tmp_path: Path) -> None:
    report = report_of(
        tmp_path,
        Loading(),
        fails(1, "call-raised"),
        returns(2),
        fails(3, "score-nan", "no-feedback"),
        fails(4, "call-timed-out"),
        fails(5, "call-killed"),
        fails(6, "returned-none"),
        pinned_score=0.0,
    )
    by_item = {
        item.id: [(failure.case, failure.fault.reason) for failure in item.failures]
        for item in report.items
    }
    assert by_item == {
        "file": [],
        "function": [],
        "reward-spec": [],
        "run": [(1, "call-raised"), (5, "call-killed")],
        "timeout": [(4, "call-timed-out")],
        "return-value": [(3, "score-nan"), (3, "no-feedback"), (6, "returned-none")],
        "result": [(2, "pinned-score-differs")],
    }
    assert [item.passed for item in report.items] == [True] * 3 + [False] * 4


def test_one_value_that_came_back_is_enough_for_the_return_value_to_be_judged(
    tmp_path: Path,
) -> None:
    report = report_of(tmp_path, Loading(), fails(1, "call-raised"), returns(2))
    assert states(report)["return-value"] is PASSED
    report = report_of(tmp_path, Loading(), fails(1, "call-raised"), fails(2, "returned-none"))
    assert states(report)["return-value"] is FAILED


def test_a_fault_of_loading_again_fails_the_metric_file_for_those_cases(tmp_path: Path) -> None:
    report = report_of(tmp_path, Loading(), fails(1, "call-killed"), fails(2, "loading-raised"))
    assert states(report)["file"] is FAILED
    assert reasons(report) == [(2, "loading-raised"), (1, "call-killed")]


def test_only_cases_that_returned_a_valid_value_are_compared_with_their_pins(
    tmp_path: Path,
) -> None:
    source = returning("output, {'feedback': 'Right.'}")
    cases = [
        case(1, 0.5, result=pinned(0.5)),
        case(2, 0.5),
        case(3, "0.5", result=pinned(0.5)),
        case(4, 0.5, result=pinned(1.0, "Wrong.")),
    ]
    report = check(tmp_path, source, cases)
    assert reasons(report) == [
        (3, "score-is-a-string"),
        (4, "pinned-score-differs"),
        (4, "pinned-feedback-differs"),
    ]


def test_none_is_a_return_value_and_no_failed_run(tmp_path: Path) -> None:
    report = check(tmp_path, returning("None"))
    assert reasons(report) == [(1, "returned-none")]
    assert states(report)["run"] is PASSED
    assert states(report)["return-value"] is FAILED


@pytest.mark.parametrize(
    "error", ["ValueError", "SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException"]
)
def test_whatever_a_case_raises_fails_it_and_the_others_still_run(
    tmp_path: Path, error: str
) -> None:
    source = f"""
def score(input, output):
    if output == 2:
        raise {error}("two")
    return 1, {{"feedback": "Right."}}
"""
    report = check(tmp_path, source, cases_with([1, 2, 3]))
    (failure,) = report.items[3].failures
    assert (failure.case, failure.fault.reason, failure.fault.line) == (2, "call-raised", 4)
    assert failure.fault.facts == {"exception": f"{error}: two"}
    assert [one.returned is not None for one in report.cases] == [True, False, True]


def test_a_metric_keeps_its_state_from_case_to_case(tmp_path: Path) -> None:
    source = "seen = []\n" + returning("seen.append(1) or len(seen), {'feedback': 'Right.'}")
    report = check(tmp_path, source, cases_with("abc"))
    assert [one.returned.score for one in report.cases if one.returned] == [1.0, 2.0, 3.0]


def test_a_report_can_be_read_more_than_once(tmp_path: Path) -> None:
    report = check(tmp_path, returning("True, {'feedback': ''}"), [case(result=pinned(0.5))])
    for _ in range(2):
        assert [one.id for one in report.advice] == ["bool-score", "blank-feedback"]
        assert reasons(report) == [(1, "pinned-score-differs")]
        assert [one.case for one in report.cases] == [1]
    report = check(tmp_path, "1 +")
    assert reasons(report) == reasons(report) == [(None, "file-not-python")]


# --- What crosses back (B4) ----------------------------------------------------------------------


def test_only_plain_values_cross_back(tmp_path: Path) -> None:
    source = """
class Number(float): pass
class Text(str): pass
def score(input, output):
    scores = {Text("a"): Number(0.5)}
    return Number(1), {"feedback": Text("Right."), "scores": scores, "kept": object()}
"""
    (called,) = check(tmp_path, source).cases
    returned = called.returned
    assert returned == Returned(1.0, "Right.", {"a": 0.5})
    assert returned.scores is not None
    ((name, number),) = returned.scores.items()
    kinds = [type(part) for part in (returned.score, returned.feedback, name, number)]
    assert kinds == [float, str, str, float]


def test_what_is_printed_is_kept_for_the_file_and_for_each_case(tmp_path: Path) -> None:
    source = """
import sys
print("loading")
def score(input, output):
    print("case", output)
    print("more", file=sys.stderr)
    return 1, {"feedback": "Right."}
"""
    report = check(tmp_path, source, cases_with([1, 2]))
    assert report.loading.printed.head == "loading\n"
    assert [one.printed.head for one in report.cases] == ["case 1\nmore\n", "case 2\nmore\n"]


def test_what_is_printed_before_an_exception_is_kept_too(tmp_path: Path) -> None:
    report = check(tmp_path, "print('loading')\nraise ValueError")
    assert report.loading.printed.head == "loading\n"
    report = check(tmp_path, "def score(*a):\n    print('case')\n    raise ValueError")
    assert report.cases[0].printed.head == "case\n"


def test_what_is_printed_can_never_be_taken_for_a_result(tmp_path: Path) -> None:
    source = returning('print(\'{"case": 1, "faults": []}\')')
    assert reasons(check(tmp_path, source)) == [(1, "returned-none")]
