"""The examples do what the guide says of them, whatever their own cases pin (A5, A6)."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from skynet_stub.cases import Case
from skynet_stub.check import check_metric
from skynet_stub.helpers import Helpers
from skynet_stub.in_process import run_in_process
from skynet_stub.outcomes import Returned
from small_metrics import case

SNIPPETS = Path(__file__).resolve().parents[2] / "snippets"


def result_of(example: str, one: Case) -> Returned:
    metric = SNIPPETS / example / "metric.py"
    (called,) = check_metric(metric, [one], runner=run_in_process).cases
    assert called.returned is not None, called.faults
    return called.returned


def exact_match(output: Any, label: Any) -> Returned:
    return result_of("exact_match", case(output=output, expected={"label": label}))


def several_checks(output: Any, fields: list[str]) -> Returned:
    return result_of("several_checks", case(output=output, expected={"fields": fields}))


def test_all_code_and_all_cases_are_in_english() -> None:
    for path in SNIPPETS.rglob("*"):
        if path.suffix in (".py", ".jsonl"):
            assert path.read_text("utf-8").isascii(), path.name


# --- Exact match ---------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["a", "refund", "two words"])
def test_exact_match_scores_an_equal_label_1_and_confirms_it(label: str) -> None:
    returned = exact_match(label, label)
    assert returned.score == 1
    assert repr(label) in returned.feedback
    assert returned.scores is None


@pytest.mark.parametrize(("output", "label"), [("a", "b"), ("A", "a"), ("a ", "a"), ("", "a")])
def test_exact_match_scores_another_label_0_and_quotes_both(output: str, label: str) -> None:
    returned = exact_match(output, label)
    assert returned.score == 0
    assert f"Expected '{label}'" in returned.feedback
    assert f"got '{output}'" in returned.feedback


# --- Several checks ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "message"),
    [("", "line 1 column 1 (char 0)"), ('{"a" 1}', "Expecting ':' delimiter"), ("{} {}", "Extra")],
)
def test_several_checks_scores_what_is_not_json_0_with_the_message_of_the_parser(
    output: str, message: str
) -> None:
    returned = several_checks(output, ["a"])
    assert returned.score == 0
    assert message in returned.feedback
    assert returned.scores == {"format": 0, "fields": 0}


@pytest.mark.parametrize(
    ("output", "score", "share"),
    [('{"a": 1, "b": 2}', 1.0, 1.0), ('{"a": 1}', 0.75, 0.5), ('{"c": 1}', 0.5, 0.0)],
)
def test_several_checks_gives_half_for_json_and_half_for_the_share_of_fields(
    output: str, score: float, share: float
) -> None:
    returned = several_checks(output, ["a", "b"])
    assert returned.score == score
    assert returned.scores == {"format": 1.0, "fields": share}


def test_several_checks_names_the_missing_fields_or_says_that_all_are_present() -> None:
    missing = several_checks('{"b": 0}', ["a", "b", "c"]).feedback
    assert "'a', 'c'" in missing
    assert "'b'" not in missing
    assert "All expected fields are present" in several_checks('{"a": 0}', ["a"]).feedback


def test_several_checks_counts_no_expected_fields_as_all_present() -> None:
    returned = several_checks("{}", [])
    assert (returned.score, returned.scores) == (1.0, {"format": 1.0, "fields": 1.0})
    assert "All expected fields are present" in returned.feedback


# --- The reward ----------------------------------------------------------------------------------


def test_the_reward_has_the_weights_and_references_of_the_guide() -> None:
    path = SNIPPETS / "weighted_reward/metric.py"
    with Helpers().installed():
        names = runpy.run_path(str(path))
    assert names["REWARD_SPEC"] == {
        "weights": {"accuracy": 0.7, "speed": 0.2, "cost": 0.1},
        "accuracy": {},
        "speed": {"reference": 2000},
        "cost": {"reference": 0.01},
    }


@pytest.mark.parametrize(
    ("output", "expected", "accuracy"),
    [
        ("a", {"label": "a"}, 1.0),
        ("a", {"label": "b"}, 0.0),
        (None, {"label": "a"}, 0.0),
        ("a", None, 0.0),
    ],
)
def test_the_reward_judges_a_label_as_the_exact_match_does(
    output: Any, expected: Any, accuracy: float
) -> None:
    one = case(output=output, expected=expected)
    plain, combined = result_of("exact_match", one), result_of("weighted_reward", one)
    assert plain.score == accuracy
    assert combined.scores == {"accuracy": accuracy, "speed": 0.0, "cost": 0.0}
