"""Pinned results: numbers nearly the same, texts to the character, names all the same (B5)."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from skynet_stub.cases import Pin
from skynet_stub.outcomes import Returned
from skynet_stub.pins import pin_faults
from skynet_stub.reasons import Hint
from small_metrics import pinned

SCORE, FEEDBACK, SCORES = "pinned-score-differs", "pinned-feedback-differs", "pinned-scores-differ"


def differences(
    pin: tuple[float, str | None, dict[str, float] | None], returned: Returned
) -> list[str]:
    return [fault.reason for fault in pin_faults(pinned(*pin), returned)]


@pytest.mark.parametrize(
    ("pin", "score"),
    [
        (1.0, 1.0),
        (0.1 + 0.2, 0.3),
        (1.0, 1.0 + 9e-10),
        (1.0, 1.0 - 9e-10),
        (1e6, 1e6 + 9e-4),
        (-1e6, -1e6 - 9e-4),
        (0.0, 9e-13),
        (9e-13, 0.0),
        (0.0, -0.0),
    ],
)
def test_a_score_that_is_close_to_the_pin_is_the_same(pin: float, score: float) -> None:
    assert differences((pin, None, None), Returned(score, "")) == []
    assert differences((1.0, None, {"a": pin}), Returned(1.0, "", {"a": score})) == []


@pytest.mark.parametrize(
    ("pin", "score"),
    [
        (1.0, 0.0),
        (1.0, -1.0),
        (1.0, 1.0 + 1.1e-9),
        (1.0, 1.0 - 1.1e-9),
        (1e6, 1e6 + 1.1e-3),
        (0.0, 1.1e-12),
        (1.1e-12, 0.0),
    ],
)
def test_a_score_that_is_not_close_differs(pin: float, score: float) -> None:
    assert differences((pin, None, None), Returned(score, "")) == [SCORE]
    assert differences((1.0, None, {"a": pin}), Returned(1.0, "", {"a": score})) == [SCORES]


@pytest.mark.parametrize("feedback", ["right.", "Right. ", "Right", " Right.", "Right.\n", ""])
def test_a_feedback_is_compared_to_the_character(feedback: str) -> None:
    assert differences((1.0, "Right.", None), Returned(1.0, "Right.")) == []
    assert differences((1.0, "Right.", None), Returned(1.0, feedback)) == [FEEDBACK]


def test_a_pinned_blank_feedback_is_compared_too() -> None:
    assert differences((1.0, "", None), Returned(1.0, "Right.")) == [FEEDBACK]


def test_what_is_not_pinned_is_not_compared() -> None:
    assert differences((1.0, None, None), Returned(1.0, "Right.", {"a": 1.0})) == []


@pytest.mark.parametrize(
    ("pin", "scores"),
    [
        ({"a": 1.0}, {"a": 1.0}),
        ({"a": 1.0, "b": 0.5}, {"b": 0.5, "a": 1.0}),
        ({}, {}),
        ({}, None),
    ],
)
def test_named_scores_with_the_same_names_and_numbers_are_the_same(
    pin: dict[str, float], scores: dict[str, float] | None
) -> None:
    assert differences((1.0, None, pin), Returned(1.0, "", scores)) == []


@pytest.mark.parametrize(
    ("pin", "scores"),
    [
        ({"a": 1.0}, {"a": 0.5}),
        ({"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 0.5}),
        ({"a": 1.0}, {"A": 1.0}),
        ({"a": 1.0}, {"a": 1.0, "b": 1.0}),
        ({"a": 1.0, "b": 1.0}, {"a": 1.0}),
        ({"a": 1.0}, {}),
        ({"a": 1.0}, None),
        ({}, {"a": 1.0}),
    ],
)
def test_named_scores_with_other_names_or_numbers_differ(
    pin: dict[str, float], scores: dict[str, float] | None
) -> None:
    assert differences((1.0, None, pin), Returned(1.0, "", scores)) == [SCORES]


def test_every_difference_is_reported_with_its_place_and_both_values() -> None:
    pin = pinned(1.0, 'Say "é".', {"a": 1.0})
    faults = list(pin_faults(pin, Returned(0.5, "No.", None)))
    assert [(fault.reason, fault.place, dict(fault.facts)) for fault in faults] == [
        (SCORE, "[0]", {"found": "0.5", "pinned": "1.0"}),
        (FEEDBACK, '[1]["feedback"]', {"found": '"No."', "pinned": '"Say \\"é\\"."'}),
        (SCORES, '[1]["scores"]', {"found": "null", "pinned": '{"a": 1.0}'}),
    ]


def test_a_caller_may_pin_named_scores_in_any_mapping() -> None:
    pin = Pin(1.0, scores=MappingProxyType({"a": 1.0}))
    assert list(pin_faults(pin, Returned(1.0, "", {"a": 1.0}))) == []
    (fault,) = pin_faults(pin, Returned(1.0, "", {"a": 0.5}))
    assert fault.facts["pinned"] == '{"a": 1.0}'


def test_a_long_feedback_is_cut_where_it_is_shown() -> None:
    (fault,) = pin_faults(pinned(1.0, "a" * 500), Returned(1.0, "b" * 500))
    assert fault.facts["found"] == '"' + "b" * 198 + "…"
    assert fault.facts["pinned"] == '"' + "a" * 198 + "…"
    assert fault.hints == ()


def test_long_feedbacks_are_shown_from_a_little_before_the_first_difference() -> None:
    same = "same " * 100
    (fault,) = pin_faults(pinned(1.0, f"{same}old {same}"), Returned(1.0, f"{same}new"))
    before = ("same " * 8)[:40]
    assert fault.facts == {"found": f'…{before}new"', "pinned": f"…{before}old {(same)[:154]}…"}
    assert len(fault.facts["pinned"]) == 200
    assert fault.hints == (Hint("hint.first-difference", {"position": "501"}),)
    (fault,) = pin_faults(pinned(1.0, f"{same}and more"), Returned(1.0, same))
    assert fault.facts == {"found": f'…{before}"', "pinned": f'…{before}and more"'}


def test_feedbacks_that_fill_the_room_are_shown_whole() -> None:
    same = "a" * 197  # with its quotes and one character more, 200 characters
    (fault,) = pin_faults(pinned(1.0, f"{same}b"), Returned(1.0, f"{same}c"))
    assert fault.facts == {"found": f'"{same}c"', "pinned": f'"{same}b"'}
    assert fault.hints == ()


@pytest.mark.parametrize(
    ("pin", "returned", "shown"),
    [
        ("a b", "a\u00a0b", '"a\\u00a0b"'),
        ("e\u0301", "\u00e9", '"\\u00e9"'),
        ("a\u00a0b", "a b", '"a b"'),
        ("a  b", "a b", '"a b"'),
        ("a\nb", "a b", '"a b"'),
        ("好", "好好", '"好好"'),
    ],
)
def test_feedbacks_that_would_look_the_same_do_not(pin: str, returned: str, shown: str) -> None:
    (fault,) = pin_faults(pinned(1.0, pin), Returned(1.0, returned))
    assert fault.facts["found"] == shown
    assert fault.facts["pinned"] != shown


def test_of_many_named_scores_those_that_differ_are_shown() -> None:
    many = {f"name {number}": 0.5 for number in range(100)}
    pin = pinned(1.0, None, many | {"a": 1.0})
    (fault,) = pin_faults(pin, Returned(1.0, "", many | {"a": 0.0, "b": 1.0}))
    assert fault.facts == {"found": '{"a": 0.0, "b": 1.0}', "pinned": '{"a": 1.0}'}


def test_of_few_named_scores_all_are_shown() -> None:
    pin = pinned(1.0, None, {"a": 1.0, "b": 1.0})
    (fault,) = pin_faults(pin, Returned(1.0, "", {"a": 1.0, "b": 0.0}))
    assert fault.facts == {"found": '{"a": 1.0, "b": 0.0}', "pinned": '{"a": 1.0, "b": 1.0}'}


def test_named_scores_that_fill_the_room_are_all_shown() -> None:
    name = "n" * 181  # with the rest of the JSON, 200 characters
    pin = pinned(1.0, None, {"a": 1.0, name: 1.0})
    (fault,) = pin_faults(pin, Returned(1.0, "", {"a": 1.0, name: 0.0}))
    assert fault.facts["found"] == f'{{"a": 1.0, "{name}": 0.0}}'
    assert len(fault.facts["found"]) == 200


def test_of_named_scores_that_are_long_on_one_side_those_that_differ_are_shown() -> None:
    few, long = {"a": 1.0, "b": 0.5}, {"a": 1.0, "b": 0.0, "n" * 300: 1.0}
    (fault,) = pin_faults(pinned(1.0, None, few), Returned(1.0, "", long))
    assert fault.facts["pinned"] == '{"b": 0.5}'
    (fault,) = pin_faults(pinned(1.0, None, long), Returned(1.0, "", few))
    assert fault.facts["found"] == '{"b": 0.5}'


def test_many_pinned_named_scores_are_shown_where_none_were_returned() -> None:
    many = {f"name {number}": 0.5 for number in range(100)}
    (fault,) = pin_faults(pinned(1.0, None, many), Returned(1.0, ""))
    assert fault.facts["found"] == "null"
    assert fault.facts["pinned"].startswith('{"name 0": 0.5, ')
