"""Every reason of the check: its item, its rule, and a metric that has just that fault (B2, B7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from skynet_stub.check import check_metric
from skynet_stub.in_process import run_in_process
from skynet_stub.messages import LANGUAGES, catalog
from skynet_stub.reasons import REASONS
from skynet_stub.report import reason_text, remedy_texts
from small_metrics import GOOD, case, check, pinned, reasons, returning

RULES = {
    "file-unreadable": ("file", "B3"),
    "file-not-python": ("file", "B3"),
    "loading-raised": ("file", "B3"),
    "loading-exited": ("file", "B4"),
    "loading-killed": ("file", "B4"),
    "loading-out-of-memory": ("file", "B4"),
    "no-score-function": ("function", "A1"),
    "score-not-callable": ("function", "B3"),
    "signature-does-not-bind": ("function", "B3"),
    "reward-spec-invalid": ("reward-spec", "A6"),
    "call-raised": ("run", "B4"),
    "call-exited": ("run", "B4"),
    "call-killed": ("run", "B4"),
    "call-out-of-memory": ("run", "B4"),
    "loading-timed-out": ("timeout", "B4"),
    "call-timed-out": ("timeout", "B4"),
    "returned-none": ("return-value", "B2"),
    "returned-coroutine": ("return-value", "B2"),
    "returned-generator": ("return-value", "B2"),
    "returned-dict": ("return-value", "B2"),
    "returned-class": ("return-value", "B2"),
    "no-side-info": ("return-value", "A3"),
    "not-a-pair": ("return-value", "A3"),
    "wrong-length": ("return-value", "A3"),
    "swapped-pair": ("return-value", "B2"),
    "score-is-a-string": ("return-value", "A3"),
    "score-not-a-number": ("return-value", "B1"),
    "score-nan": ("return-value", "B1"),
    "score-infinite": ("return-value", "B1"),
    "score-too-large": ("return-value", "B1"),
    "side-info-not-a-dict": ("return-value", "A3"),
    "no-feedback": ("return-value", "A3"),
    "feedback-not-a-string": ("return-value", "A3"),
    "scores-not-a-dict": ("return-value", "B2"),
    "score-name-not-a-string": ("return-value", "B2"),
    "named-score-not-a-number": ("return-value", "A3"),
    "named-score-nan": ("return-value", "B1"),
    "named-score-infinite": ("return-value", "B1"),
    "named-score-too-large": ("return-value", "B1"),
    "unreadable-value": ("return-value", "B2"),
    "pinned-score-differs": ("result", "B5"),
    "pinned-feedback-differs": ("result", "B5"),
    "pinned-scores-differ": ("result", "B5"),
}
"""The item and the rule of each reason, in the contract's order."""

METRICS = {
    "file-not-python": "def score(input, output) return 1.0",
    "loading-raised": "raise ValueError('no data')",
    "no-score-function": "def scores(input, output): ...",
    "score-not-callable": "score = 0.8",
    "signature-does-not-bind": "def score(output): ...",
    "reward-spec-invalid": f"REWARD_SPEC = {{}}\n{GOOD}",
    "call-raised": returning("expected['label']"),
    "returned-none": returning("None"),
    "returned-coroutine": "async " + GOOD,
    "returned-generator": GOOD.replace("return", "yield"),
    "returned-dict": returning('{"score": 0.8, "feedback": "Right."}'),
    "returned-class": returning("dict"),
    "no-side-info": returning("0.8"),
    "not-a-pair": returning('"0.8"'),
    "wrong-length": returning('(0.8, {"feedback": "Right."}, {"format": 1.0})'),
    "swapped-pair": returning('({"feedback": "Right."}, 0.8)'),
    "score-is-a-string": returning('("0.8", {"feedback": "Right."})'),
    "score-not-a-number": returning('(None, {"feedback": "Right."})'),
    "score-nan": returning('(float("nan"), {"feedback": "Right."})'),
    "score-infinite": returning('(float("inf"), {"feedback": "Right."})'),
    "score-too-large": returning('(10**400, {"feedback": "Right."})'),
    "side-info-not-a-dict": returning('(0.8, "Right.")'),
    "no-feedback": returning("(0.8, {})"),
    "feedback-not-a-string": returning('(0.8, {"feedback": None})'),
    "scores-not-a-dict": returning('(0.8, {"feedback": "Right.", "scores": None})'),
    "score-name-not-a-string": returning('(0.8, {"feedback": "Right.", "scores": {1: 1.0}})'),
    "named-score-not-a-number": returning('(0.8, {"feedback": "", "scores": {"a": "high"}})'),
    "named-score-nan": returning('(0.8, {"feedback": "", "scores": {"a": float("nan")}})'),
    "named-score-infinite": returning('(0.8, {"feedback": "", "scores": {"a": float("inf")}})'),
    "named-score-too-large": returning('(0.8, {"feedback": "", "scores": {"a": 10**400}})'),
    "unreadable-value": returning(
        '(Own(0.8), {"feedback": "Right."})',
        "class Own(float):\n    def __float__(self): raise ValueError",
    ),
    "pinned-score-differs": returning('0.5, {"feedback": "Right.", "scores": {"a": 1.0}}'),
    "pinned-feedback-differs": returning('1.0, {"feedback": "Wrong.", "scores": {"a": 1.0}}'),
    "pinned-scores-differ": returning('1.0, {"feedback": "Right.", "scores": {"a": 0.5}}'),
}
"""For each reason, a metric that the check fails for it alone."""

ELSEWHERE = {
    "file-unreadable",  # a test of its own below
    # These need a process that can be ended: the tests of the process runner raise them.
    "loading-exited",
    "loading-killed",
    "loading-out-of-memory",
    "loading-timed-out",
    "call-exited",
    "call-killed",
    "call-out-of-memory",
    "call-timed-out",
}

PINNED = case(result=pinned(1.0, "Right.", {"a": 1.0}))


def test_each_reason_is_in_this_table_with_its_item_and_rule() -> None:
    found = [(code, (reason.item, reason.rule)) for code, reason in REASONS.items()]
    assert found == list(RULES.items())
    assert all(reason.code == code for code, reason in REASONS.items())


def test_each_reason_has_a_metric_that_raises_it() -> None:
    assert METRICS.keys() | ELSEWHERE == REASONS.keys()
    assert not METRICS.keys() & ELSEWHERE


@pytest.mark.parametrize("code", METRICS)
def test_a_metric_with_one_fault_fails_for_that_one_reason(tmp_path: Path, code: str) -> None:
    one = PINNED if code.startswith("pinned") else case()
    report = check(tmp_path, METRICS[code], [one])
    assert [reason for _, reason in reasons(report)] == [code]
    failed = [item.id for item in report.items if item.passed is False]
    assert failed == [RULES[code][0]]


@pytest.mark.parametrize("code", METRICS)
def test_its_facts_are_those_that_the_reason_declares(tmp_path: Path, code: str) -> None:
    one = PINNED if code.startswith("pinned") else case()
    report = check(tmp_path, METRICS[code], [one])
    ((fault,),) = [[one.fault for one in item.failures] for item in report.items if item.failures]
    assert set(fault.facts) == set(REASONS[code].facts)
    for language in LANGUAGES:  # and they are all that its sentences need
        words = catalog(language)
        assert reason_text(fault, words)
        assert all(remedy_texts(fault, words))


def test_a_metric_that_vanishes_before_it_is_loaded_cannot_be_read(tmp_path: Path) -> None:
    def vanish_first(job):  # type: ignore[no-untyped-def]
        job.metric.unlink()
        return run_in_process(job)

    metric = tmp_path / "metric.py"
    metric.write_text(GOOD, encoding="utf-8")
    report = check_metric(metric, [case()], runner=vanish_first)
    assert reasons(report) == [(None, "file-unreadable")]
    assert [item.id for item in report.items if item.passed is False] == ["file"]
