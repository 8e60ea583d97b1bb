"""Return values against the oracle: verdicts, places and plain values (A3, B1, B2)."""

from __future__ import annotations

import math
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn import drawn
from oracle_return_value import (
    AT_PLACES,
    FAULTY,
    RAISING_CONTENT,
    RAISING_PLACES,
    READING,
    REASONS,
    THINGS,
    Described,
    Refusal,
    any_value,
    expected,
    pair_with_raising_key,
    plain_place,
    raising,
    valid_values,
    values_with_many_faults,
)
from skynet_stub.return_value import Verdict, check_return_value


def verdict_on(value: Described) -> Verdict:
    """The stub's verdict on a freshly built value."""
    with ExitStack() as stack:
        return check_return_value(value.build(stack))


def found_in(verdict: Verdict) -> list[tuple[str, str]]:
    return [(fault.reason, plain_place(fault.place)) for fault in verdict.faults]


def assert_as_expected(value: Described) -> None:
    want = expected(value)
    verdict = verdict_on(value)
    assert found_in(verdict) == list(want.faults)
    assert verdict.valid is (not want.faults)
    for fault in verdict.faults:
        assert all(type(fact) is str for fact in fault.facts.values())
    if not want.faults:
        assert_plain(verdict, want.score, want.feedback, want.scores)


def assert_plain(
    verdict: Verdict, score: float | None, feedback: str | None, scores: dict[str, float] | None
) -> None:
    """The parts are equal and of exactly the plain types: none is of a metric's own class."""
    assert score is not None
    assert type(verdict.score) is float
    assert same_float(verdict.score, score)
    assert type(verdict.feedback) is str
    assert verdict.feedback == feedback
    if scores is None:
        assert verdict.scores is None
        return
    assert type(verdict.scores) is dict
    assert verdict.scores == scores
    for name, number in verdict.scores.items():
        assert type(name) is str
        assert type(number) is float
        assert same_float(number, scores[name])


def same_float(a: float, b: float) -> bool:
    return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)


def test_the_oracle_has_values_for_every_reason_of_the_contract() -> None:
    # The order is the contract's; a value that cannot be read has a test of its own below.
    assert [*FAULTY, "unreadable-value"] == list(REASONS)


@pytest.mark.parametrize("place", AT_PLACES)
def test_each_thing_is_judged_by_what_it_is_at_each_place(place: str) -> None:
    for thing in THINGS:
        assert_as_expected(AT_PLACES[place](thing))


@pytest.mark.parametrize("reason", FAULTY)
def test_a_value_with_this_fault_is_given_this_reason(reason: str) -> None:
    @drawn(6)
    @given(FAULTY[reason])
    def each(value: Described) -> None:
        assert reason in [found for found, _ in expected(value).faults]
        assert_as_expected(value)

    each()


@drawn(30)
@given(valid_values)
def test_a_valid_value_is_handed_on_plainly(value: Described) -> None:
    assert expected(value).faults == ()
    assert_as_expected(value)


@drawn(80)
@given(st.one_of(any_value, values_with_many_faults))
def test_all_faults_of_a_value_are_reported_in_the_order_of_the_contract(value: Described) -> None:
    assert_as_expected(value)


ERRORS = (RuntimeError, OverflowError, RecursionError, SystemExit, Refusal)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("place", RAISING_PLACES)
def test_a_part_whose_own_methods_raise_is_unreadable(
    place: str, error: type[BaseException]
) -> None:
    verdict = check_return_value(raising(place, error))
    assert found_in(verdict) == [("unreadable-value", place)]


@pytest.mark.parametrize("place", RAISING_PLACES)
def test_that_a_part_is_unreadable_is_the_last_of_the_faults(place: str) -> None:
    verdict = check_return_value(raising(place, RuntimeError, b="high"))
    assert found_in(verdict) == [
        ("named-score-not-a-number", '[1]["scores"]["b"]'),
        ("unreadable-value", place),
    ]


def assert_unreadable_or_read(verdict: Verdict, place: str) -> None:
    """Where nothing that raised was needed, the content is read as it is."""
    if verdict.valid:
        want = RAISING_CONTENT
        assert_plain(verdict, want.score, want.feedback, want.scores)
    else:
        assert found_in(verdict) == [("unreadable-value", place)]


@drawn(40)
@given(
    st.sampled_from(RAISING_PLACES),
    st.sampled_from(ERRORS),
    st.sets(st.sampled_from(READING), min_size=1, max_size=4),
    st.sampled_from([tuple, list]),
)
def test_whatever_methods_raise_nothing_but_a_verdict_comes_out(
    place: str, error: type[BaseException], methods: set[str], pair: type
) -> None:
    verdict = check_return_value(raising(place, error, methods, pair))
    assert_unreadable_or_read(verdict, place)


@pytest.mark.parametrize("like", ["feedback", "scores"])
@pytest.mark.parametrize("after", range(12))
def test_a_key_that_raises_when_it_is_compared_is_met_with_a_verdict(like: str, after: int) -> None:
    verdict = check_return_value(pair_with_raising_key(like, after))
    assert_unreadable_or_read(verdict, "[1]")
