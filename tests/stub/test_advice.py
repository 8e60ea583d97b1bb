"""Advice: each is given for one thing, and never where that thing is not (B8, B3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from skynet_stub.advice import ADVICE
from skynet_stub.cases import Case
from small_metrics import GOOD, advice, case, cases_with, check, returning

Given = list[tuple[int | None, str]]


@dataclass(frozen=True)
class Example:
    """A metric with its cases, and the advice that it is given."""

    source: str
    given: Given
    cases: Sequence[Case] = field(default_factory=lambda: [case()])
    name: str = "metric.py"


def outputs(*values: object) -> list[Case]:
    return cases_with(values)


def scored(score: str) -> str:
    """A metric that returns this score, whatever the case."""
    return returning(f"{score}, {{'feedback': 'Right.'}}")


def saying(feedback: str) -> str:
    """A metric with this feedback, whatever the case."""
    return returning(f"1.0, {{'feedback': {feedback}}}")


def told(feedback: str, score: str = "output") -> str:
    """A metric whose score is the output."""
    return returning(f"{score}, {{'feedback': {feedback}}}")


NAMED = "0.5, {'feedback': str(output)} | ({'scores': {'a': 1}} if output in %s else {})"
SPEC = (
    "{'weights': {'accuracy': 1, 'speed': 0, 'cost': 0}, 'accuracy': {}, "
    "'speed': {'reference': 1}, 'cost': {'reference': %d}}"
)
REWARDED = "from skynet import reward\nREWARD_SPEC = " + SPEC % 1
ONE_CALL = returning("1.0, {'feedback': llm('?')}", "from skynet import llm")
SURROGATES = r"'\ud83d\ude00 in two halves'"

EXAMPLES: dict[str, dict[str, Example]] = {
    "file-name": {
        "another name": Example(GOOD, [(None, "file-name")], name="judge.py"),
        "capitals": Example(GOOD, [(None, "file-name")], name="Metric.py"),
        "the name": Example(GOOD, [], name="metric.py"),
    },
    "parameter-order": {
        "output first": Example(
            "def score(output, input, expected=None): return 1.0, {'feedback': 'Right.'}",
            [(None, "parameter-order")],
        ),
        "other names": Example(
            "def score(pred, gold, trace=None): return 1.0, {'feedback': 'Right.'}", []
        ),
    },
    "bool-score": {
        "True": Example(scored("True"), [(1, "bool-score")]),
        "False": Example(scored("False"), [(1, "bool-score")]),
        "one": Example(scored("1"), []),
        "a named score": Example(
            returning("1.0, {'feedback': 'Right.', 'scores': {'a': True}}"), []
        ),
    },
    "score-above-one": {
        "barely": Example(scored("1.0000000000000002"), [(1, "score-above-one")]),
        "far": Example(scored("100"), [(1, "score-above-one")]),
        "by little": Example(scored("1.0000001"), [(1, "score-above-one")]),
        "one": Example(scored("1.0"), []),
        "below zero": Example(scored("-5.0"), []),
        "a named score": Example(returning("1.0, {'feedback': 'Right.', 'scores': {'a': 5}}"), []),
    },
    "blank-feedback": {
        "empty": Example(saying("''"), [(1, "blank-feedback")]),
        "blanks": Example(saying(r"' \t\n\u3000'"), [(1, "blank-feedback")]),
        "a full stop": Example(saying("' . '"), []),
    },
    "feedback-lone-surrogate": {
        "the first": Example(saying(r"'\ud800'"), [(1, "feedback-lone-surrogate")]),
        "the last": Example(saying(r"'Right \udfff'"), [(1, "feedback-lone-surrogate")]),
        "two halves": Example(saying(SURROGATES), [(1, "feedback-lone-surrogate")]),
        "a whole character": Example(saying(r"'\U0001f600'"), []),
        "beside them": Example(saying(r"'\ud7ff\ue000'"), []),
    },
    "feedback-too-long": {
        "100,001 characters": Example(saying("'x' * 100_001"), [(1, "feedback-too-long")]),
        "100,000 characters": Example(saying("'x' * 100_000"), []),
        "100,000 characters of four bytes": Example(saying(r"'\U0001f600' * 100_000"), []),
    },
    "other-spec": {
        "another": Example(
            returning(f"reward({SPEC % 2}, 1.0, 'Right.')", REWARDED), [(1, "other-spec")]
        ),
        "none in the module": Example(
            returning(f"reward({SPEC % 1}, 1.0, 'Right.')", "from skynet import reward"),
            [(1, "other-spec")],
        ),
        "in one case": Example(
            returning(f"reward(output or {SPEC % 2}, 1.0, str(output))", REWARDED)
            .replace("output or", "REWARD_SPEC if output else"),
            [(2, "other-spec")],
            outputs(1, 0),
        ),
        "the module's": Example(returning("reward(REWARD_SPEC, 1.0, 'Right.')", REWARDED), []),
        "an equal one": Example(returning(f"reward({SPEC % 1}, 1.0, 'Right.')", REWARDED), []),
        "no reward": Example(GOOD, []),
    },
    "replies-left-over": {
        "one": Example(ONE_CALL, [(1, "replies-left-over")], [case(llm=("a", "b"))]),
        "all": Example(GOOD, [(1, "replies-left-over")], [case(llm=("a",))]),
        "none": Example(ONE_CALL, [], [case(llm=("a",))]),
        "no script": Example(GOOD, [], [case()]),
    },
    "named-scores-in-some-cases": {
        "the first": Example(
            returning(NAMED % "[1]"), [(None, "named-scores-in-some-cases")], outputs(1, 2)
        ),
        "the last": Example(
            returning(NAMED % "[3]"), [(None, "named-scores-in-some-cases")], outputs(1, 2, 3)
        ),
        "all": Example(returning(NAMED % "[1, 2]"), [], outputs(1, 2)),
        "none": Example(returning(NAMED % "[]"), [], outputs(1, 2)),
        "a case that failed": Example(
            returning(f"({NAMED % '[1]'}) if output == 1 else None"), [], outputs(1, 2)
        ),
        "other names": Example(
            returning("0.5, {'feedback': str(output), 'scores': {str(output): 1}}"),
            [],
            outputs(1, 2),
        ),
    },
    "same-feedback": {
        "two outputs": Example(told("'No.'"), [(2, "same-feedback")], outputs(0.1, 0.9)),
        "not side by side": Example(
            told("'No.' if output != 0.5 else 'Half.'"),
            [(3, "same-feedback")],
            outputs(0.1, 0.5, 0.9),
        ),
        "twice": Example(
            told("'No.'"), [(2, "same-feedback"), (3, "same-feedback")], outputs(0.1, 0.8, 0.9)
        ),
        "against the third": Example(
            told("'No.'", "0.5 if output < 3 else 1.0"), [(3, "same-feedback")], outputs(1, 2, 3)
        ),
        "the same score": Example(told("'No.'", "0.5"), [], outputs(1, 2)),
        "against a later one": Example(  # case 3 differs from case 2 alone
            told("'No.'", "expected"),
            [(3, "same-feedback")],
            [
                case(1, "a", expected=0.1),
                case(2, "b", expected=0.1),
                case(3, "a", expected=0.9),
            ],
        ),
        "against one that comes after an equal case": Example(  # case 4 differs from case 3 alone
            told("'No.'", "expected"),
            [(4, "same-feedback")],
            [
                case(1, "a", expected=0.1),
                case(2, "a", expected=0.1),
                case(3, "b", expected=0.1),
                case(4, "a", expected=0.9),
            ],
        ),
        "the same output": Example(
            told("'No.'", "expected"),
            [],
            [case(1, "a", expected=0.1), case(2, "a", expected=0.9)],
        ),
        "another feedback": Example(told("str(output)"), [], outputs(0.1, 0.9)),
        "another case of letters": Example(
            told("'No.' if output == 0.1 else 'no.'"), [], outputs(0.1, 0.9)
        ),
    },
}  # fmt: skip


@pytest.mark.parametrize(
    "example",
    [example for examples in EXAMPLES.values() for example in examples.values()],
    ids=[f"{id}: {name}" for id, examples in EXAMPLES.items() for name in examples],
)
def test_advice_is_given_where_it_is_due_and_nothing_fails_for_it(
    tmp_path: Path, example: Example
) -> None:
    report = check(tmp_path, example.source, example.cases, name=example.name)
    assert advice(report) == example.given
    assert report.passed or "if output == 1 else None" in example.source


def test_every_advice_has_a_case_where_it_is_given_and_one_where_it_is_not() -> None:
    assert set(EXAMPLES) == set(ADVICE)
    assert len(set(ADVICE)) == len(ADVICE) == 11
    for id, examples in EXAMPLES.items():
        given = [id in [found for _, found in example.given] for example in examples.values()]
        assert set(given) == {True, False}, id


FACTS: dict[str, tuple[Example, dict[str, str]]] = {
    "file-name": (EXAMPLES["file-name"]["another name"], {"name": "judge.py"}),
    "score-above-one": (EXAMPLES["score-above-one"]["far"], {"found": "100"}),
    "feedback-too-long": (
        EXAMPLES["feedback-too-long"]["100,001 characters"],
        {"length": "100001"},
    ),
    "replies-left-over": (EXAMPLES["replies-left-over"]["one"], {"n": "1"}),
    "same-feedback": (EXAMPLES["same-feedback"]["not side by side"], {"other": "1"}),
}


@pytest.mark.parametrize("id", ADVICE)
def test_advice_says_what_was_found(tmp_path: Path, id: str) -> None:
    example, facts = FACTS.get(id, (next(iter(EXAMPLES[id].values())), {}))
    report = check(tmp_path, example.source, example.cases, name=example.name)
    assert [dict(one.facts) for one in report.advice] == [facts]


def test_advice_stands_by_metric_then_by_case_then_across_cases(tmp_path: Path) -> None:
    source = """
from skynet import reward
def score(output, input):
    if input == 2:
        return True, {"feedback": ""}
    return 2, {"feedback": "", "scores": {"a": 1}}
"""
    cases = [case(1, 1, llm=("a",)), case(2, 2)]
    assert advice(check(tmp_path, source, cases, name="judge.py")) == [
        (None, "file-name"),
        (None, "parameter-order"),
        (1, "score-above-one"),
        (1, "blank-feedback"),
        (1, "replies-left-over"),
        (2, "bool-score"),
        (2, "blank-feedback"),
        (None, "named-scores-in-some-cases"),
        (2, "same-feedback"),
    ]


@pytest.mark.parametrize("value", ["None", "True, {'feedback': 1}", "1 / 0", "5, {}"])
def test_a_case_that_failed_is_given_no_advice(tmp_path: Path, value: str) -> None:
    report = check(tmp_path, returning(value), [case(llm=("a",))])
    assert not report.passed
    assert advice(report) == []


def test_advice_on_the_file_is_given_also_where_it_cannot_be_loaded(tmp_path: Path) -> None:
    report = check(tmp_path, "1 +", name="judge.py")
    assert advice(report) == [(None, "file-name")]


def test_a_feedback_of_numbers_that_are_nearly_the_same_is_told_apart(tmp_path: Path) -> None:
    cases = cases_with([0.5, 0.5000000000000001])
    assert advice(check(tmp_path, told("'No.'"), cases)) == [(2, "same-feedback")]
