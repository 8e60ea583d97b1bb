"""Every example does what its cases pin, every row and text of the guide is proved (A2 to A6)."""

from __future__ import annotations

import inspect
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from docs_build.pin_lines import pin_lines
from skynet_stub.calling import Binding, bind
from skynet_stub.cases import Case, load_cases
from skynet_stub.check import Report, check_metric
from skynet_stub.in_process import run_in_process
from skynet_stub.pinning import Change, changes
from skynet_stub.return_value import check_return_value

SNIPPETS = Path(__file__).resolve().parents[2] / "snippets"
EXAMPLES = ("exact_match", "several_checks", "model_judge", "weighted_reward")
LANGUAGES = ("en", "zh-Hans", "ru")
REMEDY = "Mend the metric, or, where the change is meant, run `make pin`."


# --- The examples (A5, A6) -----------------------------------------------------------------------


def report_of(example: str) -> Report:
    metric = SNIPPETS / example / "metric.py"
    return check_metric(metric, all_cases=True, runner=run_in_process)


def cases_of(example: str) -> tuple[Case, ...]:
    return load_cases(SNIPPETS / example / "cases.jsonl")


def test_the_examples_are_those_of_the_guide() -> None:
    assert {path.parent.name for path in SNIPPETS.glob("*/metric.py")} == set(EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_keeps_the_contract_and_is_given_no_advice(example: str) -> None:
    report = report_of(example)
    assert [(item.id, item.passed, item.failures) for item in report.items] == [
        (item, True, ())
        for item in (
            "file",
            "function",
            "reward-spec",
            "run",
            "timeout",
            "return-value",
            "result",
        )
    ]
    assert report.advice == ()
    assert [called.printed.head for called in report.cases] == [""] * len(report.cases)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_case_of_an_example_gives_its_pinned_result_in_full(example: str) -> None:
    cases = cases_of(example)
    called = report_of(example).cases
    assert len(called) == len(cases) >= 4
    changed: list[Change] = []
    for case, one in zip(cases, called, strict=True):
        pin, returned = case.result, one.returned
        assert returned is not None, f"case {case.number}: {one.faults}"
        if pin is None or not (
            returned.score == pytest.approx(pin.score, rel=1e-9, abs=1e-12)
            and returned.feedback == pin.feedback
            and returned.scores == (pin.scores and pytest.approx(pin.scores, rel=1e-9, abs=1e-12))
        ):
            changed += changes([(case, returned)], complete=True)
    if changed:
        lines = pin_lines(f"snippets/{example}/cases.jsonl", changed)
        pytest.fail("\n".join([*lines, REMEDY]), pytrace=False)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_cases_of_an_example_differ_and_tell_good_from_bad(example: str) -> None:
    cases = cases_of(example)
    assert len({repr((case.input, case.output, case.expected)) for case in cases}) == len(cases)
    scores = {case.result.score for case in cases if case.result}
    assert max(scores) >= 0.9
    assert min(scores) <= 0.2


@pytest.mark.parametrize("example", ["exact_match", "several_checks", "weighted_reward"])
@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("billing", None),
        ("billing", []),
        ("billing", "billing"),
        ("billing", {}),
        ("billing", {"label": None, "fields": None}),
        (None, {"label": "billing", "fields": ["a"]}),
        ([], {"label": "billing", "fields": ["a"]}),
        ({"a": 1}, {"label": {"a": 1}, "fields": ["a"]}),
        (0, {"label": 0, "fields": ["a"]}),
        ("[1]", {"label": "billing", "fields": ["a"]}),
    ],
)
def test_an_odd_case_crashes_no_example_but_scores_0(
    example: str, output: Any, expected: Any
) -> None:
    metric = SNIPPETS / example / "metric.py"
    case = Case(1, 1, {"message": "?"}, output, expected)
    report = check_metric(metric, [case], runner=run_in_process)
    (called,) = report.cases
    assert report.passed
    assert called.returned is not None
    assert called.returned.score == 0
    assert called.returned.feedback.partition("\n")[0].strip()


@pytest.mark.parametrize("output", [None, 0, [], {"answer": "Canberra"}])
def test_the_judge_asks_no_model_about_an_output_that_is_no_text(output: Any) -> None:
    metric = SNIPPETS / "model_judge" / "metric.py"
    case = Case(1, 1, {"question": "?"}, output)
    (called,) = check_metric(metric, [case], runner=run_in_process).cases
    assert called.returned is not None
    assert called.returned.score == 0
    assert called.model_calls == ()


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("PASS", 1),
        ("pass: yes", 1),
        ("\n\t Pass.", 1),
        ("PASSED", 1),
        ("FAIL", 0),
        ("Not PASS", 0),
        ("", 0),
        ("P A S S", 0),
    ],
)
def test_the_judge_scores_a_reply_that_begins_with_pass(reply: str, score: int) -> None:
    metric = SNIPPETS / "model_judge" / "metric.py"
    case = Case(1, 1, {"question": "Which city?"}, "Canberra", llm=(reply,))
    (called,) = check_metric(metric, [case], runner=run_in_process).cases
    assert called.returned is not None
    assert (called.returned.score, called.returned.feedback) == (score, reply)
    ((system, user),) = [call.messages for call in called.model_calls]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "PASS or FAIL" in system["content"]
    assert "one sentence" in system["content"]
    assert "Which city?" in user["content"]
    assert "Canberra" in user["content"]


# --- The signature (A2) --------------------------------------------------------------------------


def test_the_sketch_has_the_signature_that_metrics_are_called_by() -> None:
    source = (SNIPPETS / "signature.py").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(source, "signature.py", "exec"), names)
    score = names["score"]
    parameters = inspect.signature(score).parameters.values()
    assert [(parameter.name, parameter.default) for parameter in parameters] == [
        ("input", inspect.Parameter.empty),
        ("output", inspect.Parameter.empty),
        ("expected", None),
    ]
    assert {parameter.kind for parameter in parameters} == {inspect.Parameter.POSITIONAL_OR_KEYWORD}
    assert bind(score) == Binding(("input", "output", "expected"))
    returned = score({}, "", None)
    assert len(returned) == 2
    assert list(returned[1]) == ["feedback"]


# --- The validity table (A3) ---------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One row of the guide's table: what kind of value it is, its verdict and why not."""

    kind: str
    shape: str
    valid: bool
    reason: str | None = None


TABLE = (
    Row("a tuple of a float and a dict with feedback", "tuple(float, dict(feedback))", True),
    Row(
        "a list with named scores",
        "list(float, dict(feedback, scores dict(format float)))",
        True,
    ),
    Row("a bare number", "float", False, "no-side-info"),
    Row("a string as the side info", "tuple(float, str)", False, "side-info-not-a-dict"),
    Row("an empty side info", "tuple(float, dict())", False, "no-feedback"),
    Row("a string as the score", "tuple(str, dict(feedback))", False, "score-is-a-string"),
    Row(
        "a string as a named score",
        "tuple(float, dict(feedback, scores dict(a str)))",
        False,
        "named-score-not-a-number",
    ),
)
"""The seven rows of A3, in its order."""


def shape_of(value: Any) -> str:
    """The kinds of which a value is built; of a feedback, whose text is ours, the key alone."""
    kind = type(value).__name__
    if isinstance(value, dict):
        parts = [
            key if key == "feedback" else f"{key} {shape_of(part)}" for key, part in value.items()
        ]
    elif isinstance(value, tuple | list):
        parts = [shape_of(part) for part in value]
    else:
        return kind
    return f"{kind}({', '.join(parts)})"


def rows() -> list[dict[str, Any]]:
    table = tomllib.loads((SNIPPETS / "return_values.toml").read_text(encoding="utf-8"))
    assert set(table) == {"row"}
    found: list[dict[str, Any]] = table["row"]
    return found


def test_the_table_has_the_seven_rows_of_the_guide_in_its_order() -> None:
    found = [(shape_of(eval(row["value"], {})), row["valid"], row.get("reason")) for row in rows()]
    assert found == [(row.shape, row.valid, row.reason) for row in TABLE]


def test_a_value_of_the_table_is_written_as_the_guide_writes_it() -> None:
    numbers = ("0.8", "1.0", "0.8", "0.8", "0.8", '"0.8"', "0.8")
    for row, number in zip(rows(), numbers, strict=True):
        assert number in row["value"]
        assert set(row) == {"value", "valid"} | (set() if row["valid"] else {"reason"})
    assert '"scores": {"format": 1.0}' in rows()[1]["value"]
    assert '"scores": {"a": "high"}' in rows()[6]["value"]


@pytest.mark.parametrize("number", range(len(TABLE)), ids=[row.kind for row in TABLE])
def test_a_row_has_the_verdict_and_the_one_reason_that_it_claims(number: int) -> None:
    row = rows()[number]
    verdict = check_return_value(eval(row["value"], {}))
    assert verdict.valid is row["valid"]
    assert [fault.reason for fault in verdict.faults] == [
        reason for reason in [row.get("reason")] if reason
    ]


@pytest.mark.parametrize("number", range(len(TABLE)), ids=[row.kind for row in TABLE])
def test_the_feedback_texts_of_the_table_are_short_and_say_what_is_missing(number: int) -> None:
    for text in strings_of(eval(rows()[number]["value"], {})):
        if text not in ("0.8", "high"):
            assert 0 < len(text) <= 40
            assert "missing" in text


def strings_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in strings_of(part)]
    if isinstance(value, tuple | list):
        return [text for part in value for text in strings_of(part)]
    return [value] if isinstance(value, str) else []


# --- Weak and useful feedback (A4) ---------------------------------------------------------------


def pairs() -> dict[str, dict[str, Any]]:
    table = tomllib.loads((SNIPPETS / "feedback.toml").read_text(encoding="utf-8"))
    return {pair["id"]: pair for pair in table["pair"]}


def test_there_are_two_pairs_with_a_text_in_each_language() -> None:
    assert list(pairs()) == ["label", "json"]
    for pair in pairs().values():
        for kind in ("weak", "useful"):
            assert set(pair[kind]) == set(LANGUAGES)
            assert len(set(pair[kind].values())) == len(LANGUAGES)
        for language in LANGUAGES:
            assert len(pair["weak"][language]) < len(pair["useful"][language]) / 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_useful_text_on_a_label_names_both_labels_and_the_evidence(language: str) -> None:
    pair = pairs()["label"]
    text = pair["useful"][language]
    assert pair["evidence"] in pair["message"]
    assert pair["expected"] != pair["got"]
    assert text.index(pair["expected"]) < text.index(pair["got"]) < text.index(pair["evidence"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_useful_text_on_a_format_names_the_exact_fault_and_its_place(language: str) -> None:
    pair = pairs()["json"]
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(pair["output"])
    assert str(caught.value) in pair["useful"][language]
    assert "order" in pair["useful"][language]


def test_the_remedy_in_the_useful_text_mends_the_output() -> None:
    # "Put a comma after the value of "order"."
    output = pairs()["json"]["output"]
    assert set(json.loads(output.replace('"A-1042"', '"A-1042",'))) == {"order", "total"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_weak_texts_name_nothing(language: str) -> None:
    for pair in pairs().values():
        weak = pair["weak"][language]
        for data in ("expected", "got", "evidence"):
            assert pair.get(data, "\0") not in weak
        assert not any(character.isdigit() for character in weak)
