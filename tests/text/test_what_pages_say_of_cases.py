"""What pages say of the cases that they show holds for these cases."""

from __future__ import annotations

import json
from pathlib import Path

from skynet_stub.cases import Case, load_cases

SNIPPETS = Path(__file__).resolve().parents[2] / "snippets"


def cases(example: str) -> tuple[Case, ...]:
    return load_cases(SNIPPETS / example / "cases.jsonl")


def test_optimization_shows_a_good_and_a_worse_output_for_one_input() -> None:
    good, worse, *_ = cases("several_checks")
    assert good.input == worse.input
    assert good.expected == worse.expected
    assert good.result is not None
    assert worse.result is not None
    assert good.result.score > worse.result.score
    missing = set(json.loads(good.output)) - set(json.loads(worse.output))
    assert len(missing) == 1  # "in the second output, one field is missing"


def test_datasets_shows_three_cases_of_which_the_third_has_no_expected_value() -> None:
    first, second, third, *_ = cases("exact_match")
    assert first.expected == {"label": "billing"}
    assert second.expected == {"label": "technical"}
    assert third.expected is None
