"""What pages say of the cases that they show holds for these cases."""

from __future__ import annotations

import json

import pytest

from docs_build.project import this_project
from skynet_stub.cases import Case, load_cases
from skynet_stub.messages import LANGUAGES

SNIPPETS = this_project().snippets
DOCS = this_project().docs


def cases(example: str) -> tuple[Case, ...]:
    return load_cases(SNIPPETS / example / "cases.jsonl")


@pytest.mark.parametrize("language", LANGUAGES)
def test_these_cases_are_the_ones_that_the_pages_show(language: str) -> None:
    for page, block in (
        ("datasets", "::: snippet exact_match/cases.jsonl lines=1-3"),
        ("optimization", "::: snippet several_checks/cases.jsonl lines=1-2"),
    ):
        text = (DOCS / language / "concepts" / f"{page}.md").read_text("utf-8")
        assert [line for line in text.split("\n") if line.startswith(":::")] == [block]


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
