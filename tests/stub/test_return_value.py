"""What a metric may return, and every fault of what it may not (A3, B1, B2)."""

from __future__ import annotations

import math
import sys
import types
import warnings
from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, Mock

import pytest

from skynet_stub.reasons import REASONS, Hint
from skynet_stub.return_value import Verdict, check_return_value, is_exactly

FEEDBACK = {"feedback": "Right."}
NAN, INFINITY = math.nan, math.inf


class Level(IntEnum):
    HIGH = 1


class Word(StrEnum):
    FINE = "fine"
    FORM = "form"


class OwnFloat(float):
    pass


class OwnList(list[Any]):
    pass


class OwnStr(str):
    __slots__ = ()


Pair = namedtuple("Pair", "score info")


def found(value: object) -> list[tuple[str, str]]:
    """The reason and the place of each fault."""
    return [(fault.reason, fault.place) for fault in check_return_value(value).faults]


# --- Valid values --------------------------------------------------------------------------------

VALID_SHAPES: dict[str, object] = {
    "tuple": (0.8, FEEDBACK),
    "list": [0.8, FEEDBACK],
    "namedtuple": Pair(0.8, FEEDBACK),
    "subclass of list": OwnList([0.8, FEEDBACK]),
    "OrderedDict": (0.8, OrderedDict(FEEDBACK)),
    "defaultdict that has the key": (0.8, defaultdict(str, FEEDBACK)),
    "subclass of str": (0.8, {"feedback": OwnStr("Right.")}),
    "key that is a subclass of str": (0.8, {OwnStr("feedback"): "Right."}),
    "further keys": (0.8, FEEDBACK | {"notes": None, 1: object(), ("a",): NAN}),
}


@pytest.mark.parametrize("shape", VALID_SHAPES)
def test_a_pair_of_a_score_and_a_side_info_is_valid(shape: str) -> None:
    verdict = check_return_value(VALID_SHAPES[shape])
    assert verdict == Verdict((), 0.8, "Right.", None, False)
    assert verdict.valid is True


VALID_SCORES: dict[str, tuple[object, float]] = {
    "zero": (0, 0.0),
    "int": (1, 1.0),
    "negative": (-2.5, -2.5),
    "above one": (7, 7.0),
    "True": (True, 1.0),
    "False": (False, 0.0),
    "subclass of int": (Level.HIGH, 1.0),
    "subclass of float": (OwnFloat(0.25), 0.25),
    "the largest float": (sys.float_info.max, 1.7976931348623157e308),
    "an int just as large": (int(sys.float_info.max), 1.7976931348623157e308),
    "the smallest float": (5e-324, 5e-324),
}


@pytest.mark.parametrize("kind", VALID_SCORES)
def test_every_finite_int_or_float_is_a_number(kind: str) -> None:
    number, plain = VALID_SCORES[kind]
    verdict = check_return_value((number, FEEDBACK | {"scores": {"a": number}}))
    assert verdict.faults == ()
    assert (verdict.score, verdict.scores) == (plain, {"a": plain})
    assert type(verdict.score) is float


@pytest.mark.parametrize(
    ("scores", "plain"),
    [
        ({}, {}),
        ({"format": 1, "accuracy": 0.5}, {"format": 1.0, "accuracy": 0.5}),
        ({"": -3}, {"": -3.0}),
        ({"a": True}, {"a": 1.0}),
        (OrderedDict(a=1.0), {"a": 1.0}),
        ({OwnStr("a"): OwnFloat(2.0), Word.FORM: Level.HIGH}, {"a": 2.0, "form": 1.0}),
    ],
    ids=str,
)
def test_named_scores_map_strings_to_numbers(
    scores: dict[str, object], plain: dict[str, float]
) -> None:
    verdict = check_return_value((0.8, {"feedback": "Right.", "scores": scores}))
    assert verdict.faults == ()
    assert verdict.scores == plain
    assert type(verdict.scores) is dict
    assert {type(name) for name in verdict.scores} <= {str}
    assert {type(number) for number in verdict.scores.values()} <= {float}


@pytest.mark.parametrize("feedback", ["", " \n\t", "Right.", "正确", "\ud800", OwnStr("own")])
def test_every_string_is_a_feedback_blank_or_not(feedback: str) -> None:
    # The most usual kind of value is judged on a short way of its own, and others are not.
    for value in ((0.8, {"feedback": feedback}), [1, {"feedback": feedback, "scores": {}}]):
        verdict = check_return_value(value)
        assert verdict.faults == ()
        assert verdict.feedback == feedback
        assert type(verdict.feedback) is str


def test_the_text_of_an_enum_is_its_value_and_not_its_name() -> None:
    assert check_return_value((0.8, {"feedback": Word.FINE})).feedback == "fine"


@pytest.mark.parametrize(
    ("score", "is_bool"), [(True, True), (False, True), (1, False), (1.0, False)]
)
def test_only_a_bool_is_noted_as_a_bool(score: object, is_bool: bool) -> None:
    assert check_return_value((score, FEEDBACK)).bool_score is is_bool


# --- One fault -----------------------------------------------------------------------------------


@dataclass
class Result:
    score: float
    feedback: str


def generator() -> Iterator[object]:
    yield from (0.8, FEEDBACK)


class Claims:
    """Says of itself that it is another class, as mocks do."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    @property
    def __class__(self) -> Any:
        return self.kind

    @__class__.setter
    def __class__(self, kind: Any) -> None:
        raise TypeError("it stays what it claims to be")


class TwoElementsByItsOwnWord(tuple[object, ...]):
    __slots__ = ()

    def __len__(self) -> int:
        return 2


class HasEveryKey(dict[str, object]):
    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> str:
        return "Right."


ONE_FAULT: list[tuple[str, object, str, str]] = [
    ("None", None, "returned-none", ""),
    ("dict", {"score": 0.8, "feedback": "Right."}, "returned-dict", ""),
    ("empty dict", {}, "returned-dict", ""),
    ("subclass of dict", OrderedDict(score=1, feedback=""), "returned-dict", ""),
    ("class", Result, "returned-class", ""),
    ("class that has two members", Enum("Two", "A B"), "returned-class", ""),
    ("class of a number", float, "returned-class", ""),
    ("float", 0.8, "no-side-info", ""),
    ("int", 1, "no-side-info", ""),
    ("bool", True, "no-side-info", ""),
    ("NaN", NAN, "no-side-info", ""),
    ("subclass of float", OwnFloat(0.8), "no-side-info", ""),
    ("string of two characters", "ab", "not-a-pair", ""),
    ("string of a number", "0.8", "not-a-pair", ""),
    ("two bytes", b"ab", "not-a-pair", ""),
    ("set", {1, 2}, "not-a-pair", ""),
    ("range of two", range(2), "not-a-pair", ""),
    ("dict view", {1: 1, 2: 2}.items(), "not-a-pair", ""),
    ("iterator", iter((0.8, FEEDBACK)), "not-a-pair", ""),
    ("dataclass", Result(0.8, "Right."), "not-a-pair", ""),
    ("object with .score", SimpleNamespace(score=0.8), "not-a-pair", ""),
    ("function", len, "not-a-pair", ""),
    ("Decimal", Decimal("0.8"), "not-a-pair", ""),
    ("complex", 1j, "not-a-pair", ""),
    ("object", object(), "not-a-pair", ""),
    ("object that claims to be a tuple", Claims(tuple), "not-a-pair", ""),
    ("object that claims to be a float", Claims(float), "not-a-pair", ""),
    ("mock", MagicMock(spec=tuple), "not-a-pair", ""),
    ("empty tuple", (), "wrong-length", ""),
    ("one element", (0.8,), "wrong-length", ""),
    ("three elements", (0.8, FEEDBACK, {"a": 1.0}), "wrong-length", ""),
    ("empty list", [], "wrong-length", ""),
    ("list of three", [0.8, FEEDBACK, None], "wrong-length", ""),
    ("tuple that lies", TwoElementsByItsOwnWord((1, FEEDBACK, 3)), "wrong-length", ""),
    ("swapped", (FEEDBACK, 0.8), "swapped-pair", ""),
    ("swapped list", [FEEDBACK, 1], "swapped-pair", ""),
    ("swapped, with a bool", ({}, True), "swapped-pair", ""),
    ("score string", ("0.8", FEEDBACK), "score-is-a-string", "[0]"),
    ("score of another string", ("high", FEEDBACK), "score-is-a-string", "[0]"),
    ("score of an own string", (OwnStr("0.8"), FEEDBACK), "score-is-a-string", "[0]"),
    ("score None", (None, FEEDBACK), "score-not-a-number", "[0]"),
    ("score bytes", (b"0.8", FEEDBACK), "score-not-a-number", "[0]"),
    ("score list", ([0.8], FEEDBACK), "score-not-a-number", "[0]"),
    ("score Decimal", (Decimal("0.8"), FEEDBACK), "score-not-a-number", "[0]"),
    ("score Fraction", (Fraction(4, 5), FEEDBACK), "score-not-a-number", "[0]"),
    ("score complex", (1 + 0j, FEEDBACK), "score-not-a-number", "[0]"),
    ("score claims to be a float", (Claims(float), FEEDBACK), "score-not-a-number", "[0]"),
    ("score mock", (Mock(spec=float), FEEDBACK), "score-not-a-number", "[0]"),
    ("score dict", (FEEDBACK, FEEDBACK), "score-not-a-number", "[0]"),
    ("score NaN", (NAN, FEEDBACK), "score-nan", "[0]"),
    ("score own NaN", (OwnFloat("nan"), FEEDBACK), "score-nan", "[0]"),
    ("score infinite", (INFINITY, FEEDBACK), "score-infinite", "[0]"),
    ("score minus infinite", (-INFINITY, FEEDBACK), "score-infinite", "[0]"),
    ("score too large", (10**309, FEEDBACK), "score-too-large", "[0]"),
    ("score too large, negative", (-(10**309), FEEDBACK), "score-too-large", "[0]"),
    ("score too large by one bit", (2**1024, FEEDBACK), "score-too-large", "[0]"),
    ("side info string", (0.8, "Right."), "side-info-not-a-dict", "[1]"),
    ("side info None", (0.8, None), "side-info-not-a-dict", "[1]"),
    ("side info list of pairs", (0.8, [("feedback", "")]), "side-info-not-a-dict", "[1]"),
    ("side info proxy", (0.8, types.MappingProxyType({})), "side-info-not-a-dict", "[1]"),
    ("side info claims", (0.8, Claims(dict)), "side-info-not-a-dict", "[1]"),
    ("side info number", (0.8, 0.8), "side-info-not-a-dict", "[1]"),
    ("no feedback", (0.8, {}), "no-feedback", "[1]"),
    ("other keys alone", (0.8, {"Feedback": "", "scores": {"a": 1}}), "no-feedback", "[1]"),
    ("bytes as the key", (0.8, {b"feedback": "Right."}), "no-feedback", "[1]"),
    ("defaultdict without the key", (0.8, defaultdict(str)), "no-feedback", "[1]"),
    ("dict that lies", (0.8, HasEveryKey()), "no-feedback", "[1]"),
    ("feedback None", (0.8, {"feedback": None}), "feedback-not-a-string", '[1]["feedback"]'),
    ("feedback bytes", (0.8, {"feedback": b""}), "feedback-not-a-string", '[1]["feedback"]'),
    ("feedback list", (0.8, {"feedback": ["a"]}), "feedback-not-a-string", '[1]["feedback"]'),
    ("feedback number", (0.8, {"feedback": 1}), "feedback-not-a-string", '[1]["feedback"]'),
    (
        "feedback claims to be a str",
        (0.8, {"feedback": Claims(str)}),
        "feedback-not-a-string",
        '[1]["feedback"]',
    ),
    ("scores None", (0.8, FEEDBACK | {"scores": None}), "scores-not-a-dict", '[1]["scores"]'),
    ("scores list", (0.8, FEEDBACK | {"scores": [1]}), "scores-not-a-dict", '[1]["scores"]'),
    ("scores number", (0.8, FEEDBACK | {"scores": 0}), "scores-not-a-dict", '[1]["scores"]'),
    (
        "name a number",
        (0.8, FEEDBACK | {"scores": {1: 1.0}}),
        "score-name-not-a-string",
        '[1]["scores"][1]',
    ),
    (
        "name None",
        (0.8, FEEDBACK | {"scores": {None: 1.0}}),
        "score-name-not-a-string",
        '[1]["scores"][None]',
    ),
    (
        "name bytes",
        (0.8, FEEDBACK | {"scores": {b"a": 1.0}}),
        "score-name-not-a-string",
        "[1][\"scores\"][b'a']",
    ),
    (
        "named score string",
        (0.8, FEEDBACK | {"scores": {"a": "high"}}),
        "named-score-not-a-number",
        '[1]["scores"]["a"]',
    ),
    (
        "named score string of a number",
        (0.8, FEEDBACK | {"scores": {"a": "0.5"}}),
        "named-score-not-a-number",
        '[1]["scores"]["a"]',
    ),
    (
        "named score None",
        (0.8, FEEDBACK | {"scores": {'say "a"': None}}),
        "named-score-not-a-number",
        '[1]["scores"]["say \\"a\\""]',
    ),
    (
        "named score NaN",
        (0.8, FEEDBACK | {"scores": {"точность": NAN}}),
        "named-score-nan",
        '[1]["scores"]["точность"]',
    ),
    (
        "named score infinite",
        (0.8, FEEDBACK | {"scores": {"a": -INFINITY}}),
        "named-score-infinite",
        '[1]["scores"]["a"]',
    ),
    (
        "named score too large",
        (0.8, FEEDBACK | {"scores": {"a": 10**309}}),
        "named-score-too-large",
        '[1]["scores"]["a"]',
    ),
]


@pytest.mark.parametrize(
    ("value", "reason", "place"),
    [row[1:] for row in ONE_FAULT],
    ids=[row[0] for row in ONE_FAULT],
)
def test_a_value_with_one_fault_is_given_that_reason_and_its_place(
    value: object, reason: str, place: str
) -> None:
    verdict = check_return_value(value)
    assert [(fault.reason, fault.place) for fault in verdict.faults] == [(reason, place)]
    assert verdict == Verdict(verdict.faults)  # nothing of it is handed on
    assert verdict.valid is False


@pytest.mark.parametrize(
    "value", [row[1] for row in ONE_FAULT], ids=[f"{row[2]}: {row[0]}" for row in ONE_FAULT]
)
def test_a_fault_has_exactly_the_facts_that_its_reason_declares(value: object) -> None:
    (fault,) = check_return_value(value).faults
    assert set(fault.facts) == set(REASONS[fault.reason].facts)
    assert all(type(fact) is str for fact in fault.facts.values())


def test_the_facts_of_a_fault_show_the_value_and_its_type() -> None:
    (fault,) = check_return_value((Decimal("0.8"), FEEDBACK)).faults
    assert fault.facts == {"found": "Decimal('0.8')", "type": "decimal.Decimal"}
    (fault,) = check_return_value((1, FEEDBACK, 3)).faults
    assert fault.facts == {"found": "(1, {'feedback': 'Right.'}, 3)", "length": "3"}


# --- Coroutines and generators -------------------------------------------------------------------


async def returns_a_pair() -> tuple[float, dict[str, str]]:
    return 0.8, FEEDBACK


@types.coroutine
def pause() -> Generator[None, None, None]:
    yield None


async def refuses_to_end() -> None:
    try:
        await pause()
    except GeneratorExit:
        await pause()


def test_a_coroutine_is_closed_so_that_no_warning_comes_of_it() -> None:
    coroutine = returns_a_pair()
    assert found(coroutine) == [("returned-coroutine", "")]
    with pytest.raises(RuntimeError, match="cannot reuse"):
        coroutine.send(None)


def test_a_coroutine_that_refuses_to_end_is_reported_all_the_same() -> None:
    coroutine = refuses_to_end()
    coroutine.send(None)
    assert found(coroutine) == [("returned-coroutine", "")]
    with pytest.raises(StopIteration):  # let it end, or Python warns of it
        coroutine.send(None)


def test_a_generator_is_never_iterated() -> None:
    started: list[bool] = []

    def generator() -> Iterator[object]:
        started.append(True)
        yield 0.8
        yield FEEDBACK

    value = generator()
    assert found(value) == [("returned-generator", "")]
    assert started == []
    assert next(value) == 0.8  # and not closed either


def test_an_asynchronous_generator_is_a_generator() -> None:
    async def generate() -> Any:
        yield 0.8

    value = generate()
    assert found(value) == [("returned-generator", "")]
    with pytest.raises(StopIteration):
        value.aclose().send(None)


def test_an_awaitable_that_is_no_coroutine_is_not_a_pair() -> None:
    class Awaitable:
        def __await__(self) -> Iterator[object]:
            yield None

    assert found(Awaitable()) == [("not-a-pair", "")]


# --- Several faults ------------------------------------------------------------------------------


def test_all_faults_are_reported_in_the_order_of_the_contract() -> None:
    scores = {"a": "high", 2: INFINITY, "c": NAN, "d": 0.5, "e": 10**309}
    assert found(("0.8", {"scores": scores, "feedback": None})) == [
        ("score-is-a-string", "[0]"),
        ("feedback-not-a-string", '[1]["feedback"]'),
        ("named-score-not-a-number", '[1]["scores"]["a"]'),
        ("score-name-not-a-string", '[1]["scores"][2]'),
        ("named-score-infinite", '[1]["scores"][2]'),
        ("named-score-nan", '[1]["scores"]["c"]'),
        ("named-score-too-large", '[1]["scores"]["e"]'),
    ]


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ((NAN, "text"), [("score-nan", "[0]"), ("side-info-not-a-dict", "[1]")]),
        ((None, {}), [("score-not-a-number", "[0]"), ("no-feedback", "[1]")]),
        (
            (INFINITY, {"scores": []}),
            [
                ("score-infinite", "[0]"),
                ("no-feedback", "[1]"),
                ("scores-not-a-dict", '[1]["scores"]'),
            ],
        ),
        # No number stands where the side info should be, so these are not swapped.
        ((FEEDBACK, "0.8"), [("score-not-a-number", "[0]"), ("side-info-not-a-dict", "[1]")]),
        (("0.8", 0.8), [("score-is-a-string", "[0]"), ("side-info-not-a-dict", "[1]")]),
        (([], 0.8), [("score-not-a-number", "[0]"), ("side-info-not-a-dict", "[1]")]),
    ],
    ids=str,
)
def test_a_fault_of_the_score_hides_none_of_the_side_info(
    value: object, faults: list[tuple[str, str]]
) -> None:
    assert found(value) == faults


@pytest.mark.parametrize("value", [("0.8", None, None), ({"feedback": 1}, NAN)], ids=str)
def test_a_fault_of_shape_ends_the_list(value: object) -> None:
    assert len(check_return_value(value).faults) == 1


# --- Values whose own methods raise --------------------------------------------------------------

METHODS = {
    tuple: ("__len__", "__iter__", "__getitem__"),
    list: ("__len__", "__iter__", "__getitem__"),
    dict: ("__contains__", "__getitem__", "items", "__len__"),
    float: ("__float__",),
    int: ("__float__",),
    str: ("__str__",),
}


def raising(plain: Any, method: str, error: type[BaseException] = RuntimeError) -> Any:
    """The value as an instance of a subclass, one of whose methods raises."""

    def refuse(self: object, *_: object) -> object:
        raise error("refused")

    return type("Own", (type(plain),), {method: refuse})(plain)


def pair_with(place: str, part: Callable[[Any], Any]) -> object:
    """A valid pair in which `part` was applied at one place."""
    parts: dict[str, Any] = dict.fromkeys(PLACES, lambda plain: plain) | {place: part}
    scores = parts['[1]["scores"]']({"a": parts['[1]["scores"]["a"]'](0.5)})
    info = {"feedback": parts['[1]["feedback"]']("Right."), "scores": scores}
    return parts[""]((parts["[0]"](0.8), parts["[1]"](info)))


PLACES = {
    "": tuple,
    "[0]": float,
    "[1]": dict,
    '[1]["feedback"]': str,
    '[1]["scores"]': dict,
    '[1]["scores"]["a"]': float,
}


@pytest.mark.parametrize(
    ("place", "method"),
    [
        (place, method)
        for place, kind in PLACES.items()
        for method in METHODS[kind]
        # the two keys that matter are read from the side info alone
        if not (place == '[1]["scores"]' and method == "__getitem__")
    ],
)
def test_a_part_with_a_method_that_raises_is_unreadable(place: str, method: str) -> None:
    value = pair_with(place, lambda plain: raising(plain, method))
    (fault,) = check_return_value(value).faults
    assert (fault.reason, fault.place) == ("unreadable-value", place)
    assert fault.facts == {"type": "test_return_value.Own", "exception": "RuntimeError: refused"}


@pytest.mark.parametrize("method", METHODS[list])
def test_so_is_a_list_with_a_method_that_raises(method: str) -> None:
    value = raising([0.8, FEEDBACK], method)
    assert found(value) == [("unreadable-value", "")]


@pytest.mark.parametrize("key", ["feedback", "scores"])
def test_so_is_a_side_info_that_does_not_give_one_of_its_values(key: str) -> None:
    class Own(dict[str, object]):
        def __getitem__(self, wanted: str) -> object:
            if wanted == key:
                raise RuntimeError("refused")
            return super().__getitem__(wanted)

    info = Own({"feedback": "Right.", "scores": {}})
    assert found((0.8, info)) == [("unreadable-value", "[1]")]


def test_a_value_of_another_kind_is_not_read() -> None:
    class Own:
        def __str__(self) -> str:
            raise RuntimeError

        __len__ = __iter__ = __float__ = __repr__ = __str__

    place = '[1]["feedback"]'
    assert found((0.8, {"feedback": Own()})) == [("feedback-not-a-string", place)]
    assert found((Own(), FEEDBACK)) == [("score-not-a-number", "[0]")]


def test_a_side_info_of_another_kind_is_read_as_what_it_is() -> None:
    assert found((0.8, raising("Right.", "__str__"))) == [
        ("side-info-not-a-dict", "[1]"),
        ("unreadable-value", "[1]"),
    ]


@pytest.mark.parametrize("number", [1, 1.5])
@pytest.mark.parametrize("error", [OverflowError, SystemExit, KeyboardInterrupt])
def test_whatever_a_number_raises_it_is_unreadable(
    number: float, error: type[BaseException]
) -> None:
    value = (raising(number, "__float__", error), FEEDBACK)
    assert found(value) == [("unreadable-value", "[0]")]


def test_an_own_int_that_is_too_large_has_that_one_fault() -> None:
    class OwnInt(int):
        pass

    assert found((OwnInt(10**309), FEEDBACK)) == [("score-too-large", "[0]")]


def test_what_cannot_be_read_comes_after_all_other_faults() -> None:
    score = raising(NAN, "__float__")
    info = raising({"scores": {"a": raising(INFINITY, "__float__")}}, "items")
    assert found(raising([score, info], "__len__")) == [
        ("score-nan", "[0]"),
        ("no-feedback", "[1]"),
        ("named-score-infinite", '[1]["scores"]["a"]'),
        ("unreadable-value", ""),
        ("unreadable-value", "[0]"),
        ("unreadable-value", "[1]"),
        ("unreadable-value", '[1]["scores"]["a"]'),
    ]


def test_a_key_that_raises_when_it_is_compared_makes_the_side_info_unreadable() -> None:
    class Key:
        def __hash__(self) -> int:
            return hash("feedback")

        def __eq__(self, other: object) -> bool:
            raise ValueError("never the same")

    (fault,) = check_return_value((0.8, {Key(): "Right."})).faults
    assert (fault.reason, fault.place) == ("unreadable-value", "[1]")
    assert fault.facts == {"type": "dict", "exception": "ValueError: never the same"}


def test_a_value_is_exactly_of_its_own_type_and_of_no_other() -> None:
    assert is_exactly(True, (str, bool)) is True
    assert is_exactly(True, (str, int)) is False


def test_a_list_whose_type_says_that_it_is_a_plain_one_is_read_all_the_same() -> None:
    class Kind(type):
        def __eq__(cls, other: object) -> bool:
            return True

        __hash__ = type.__hash__

    class Odd(list[object], metaclass=Kind):
        def __len__(self) -> int:
            raise ValueError("uncountable")

    (fault,) = check_return_value(Odd((0.8, {"feedback": "Right."}))).faults
    assert (fault.reason, fault.place) == ("unreadable-value", "")
    assert fault.facts["exception"] == "ValueError: uncountable"


def test_a_pair_that_never_ends_is_read_for_two_elements_alone() -> None:
    class Endless(tuple[object, ...]):
        __slots__ = ()

        def __iter__(self) -> Iterator[object]:
            while True:
                yield 0.8

    assert check_return_value(Endless((0.8, FEEDBACK))).valid


@pytest.mark.parametrize(("before", "valid"), [(0, False), (1, False), (2, False), (3, True)])
def test_a_pair_is_read_up_to_the_element_that_must_not_be_there(before: int, valid: bool) -> None:
    class Breaks(tuple[object, ...]):
        __slots__ = ()

        def __iter__(self) -> Iterator[object]:
            yield from range(before)
            raise ValueError("no more")

    assert check_return_value(Breaks((0.8, FEEDBACK))).valid is valid


def test_both_elements_of_a_pair_are_read_and_each_item_of_its_side_info() -> None:
    class NoSecond(tuple[object, ...]):
        __slots__ = ()

        def __getitem__(self, index: Any) -> Any:
            return (0.8,)[index]

    class NoItem(dict[str, object]):
        def items(self) -> Any:
            yield from (1 / number for number in (0,))

    assert found(NoSecond((0.8, FEEDBACK))) == [("unreadable-value", "")]
    assert found((0.8, NoItem(FEEDBACK))) == [("unreadable-value", "[1]")]


def test_of_a_score_that_is_a_list_no_third_element_is_read() -> None:
    class Short(list[object]):
        def __getitem__(self, index: Any) -> Any:
            if index not in (0, 1):
                raise IndexError("only two")
            return 0

    assert found((Short([1, 2, 3]), FEEDBACK)) == [("score-not-a-number", "[0]")]


# --- Hints ---------------------------------------------------------------------------------------


class Array:
    """Converts as numpy's arrays do."""

    def __init__(self, *numbers: float, shape: tuple[int, ...] = (1,)) -> None:
        self.numbers = numbers
        self.shape = shape

    def item(self) -> float:
        (number,) = self.numbers
        return number

    def __float__(self) -> float:
        if self.shape != ():
            raise TypeError("only 0-dimensional arrays can be converted")
        return self.item()


class Convertible:
    def __init__(self, number: object) -> None:
        self.number = number

    def __float__(self) -> float:
        if isinstance(self.number, BaseException):
            raise self.number
        return self.number  # type: ignore[return-value]


class Warns:
    """Loses a part of itself when it is converted, as numpy's complex numbers do."""

    def __float__(self) -> float:
        warnings.warn("the imaginary part is discarded", RuntimeWarning, stacklevel=2)
        return 1.0


CONVERSIONS: dict[str, tuple[object, str | None]] = {
    "string of a number": ("0.8", "float(...)"),
    "string of another kind": ("high", None),
    "string of NaN": ("nan", None),
    "empty string": ("", None),
    "bytes of a number": (b"0.8", "float(...)"),
    "Decimal": (Decimal("0.8"), "float(...)"),
    "Decimal NaN": (Decimal("NaN"), None),
    "Decimal infinite": (Decimal("Infinity"), None),
    "Fraction": (Fraction(1, 2), "float(...)"),
    "Fraction too large": (Fraction(10**400), None),
    "object with __float__": (Convertible(0.5), "float(...)"),
    "object whose __float__ raises": (Convertible(SystemExit()), None),
    "object whose __float__ lies": (Convertible("0.5"), None),
    "array without dimensions": (Array(0.5, shape=()), "float(...)"),
    "array of one": (Array(0.5), ".item()"),
    "array of one NaN": (Array(NAN), None),
    "array of a Decimal": (Array(Decimal(1)), None),  # type: ignore[arg-type]
    "array of two": (Array(0.5, 0.5, shape=(2,)), None),
    "complex": (0.5j, None),
    "list": ([0.5], None),
    "None": (None, None),
    "object": (object(), None),
}


@pytest.mark.parametrize("kind", CONVERSIONS)
def test_the_conversion_is_named_where_one_works_and_only_there(kind: str) -> None:
    value, conversion = CONVERSIONS[kind]
    for fault in (
        check_return_value((value, FEEDBACK)).faults[0],
        check_return_value((0.8, FEEDBACK | {"scores": {"a": value}})).faults[0],
    ):
        hints = [(hint.key, dict(hint.facts)) for hint in fault.hints]
        assert hints == ([("hint.convert", {"conversion": conversion})] if conversion else [])


def test_a_conversion_that_loses_something_is_not_named() -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        (fault,) = check_return_value((Warns(), FEEDBACK)).faults
    assert fault.hints == ()
    assert warned == []


class Stubborn(str):
    """Its own methods are no help."""

    __slots__ = ()

    def strip(self, characters: str | None = None) -> str:
        raise SystemExit


@pytest.mark.parametrize(
    ("key", "hinted"),
    [
        ("Feedback", '"Feedback"'),
        ("FEEDBACK", '"FEEDBACK"'),
        (" feedback\n", '" feedback\\n"'),
        (OwnStr("fEEDBACK"), '"fEEDBACK"'),
        ("feedbacks", '"feedbacks"'),
        ("feed_back", '"feed_back"'),
        ("feedbakc", '"feedbakc"'),
        ("  \n\t  feedback  \n\t  ", '"  \\n\\t  feedback  \\n\\t  "'),
        (Stubborn("FeedBack"), '"FeedBack"'),
        ("message", '"message"'),
        ("reason", '"reason"'),
        ("reasoning", '"reasoning"'),
        ("rationale", '"rationale"'),
        ("Explanation", '"Explanation"'),
        ("comment", '"comment"'),
        ("text", '"text"'),
        (" Reason\n", '" Reason\\n"'),
        ("fb", None),
        (b"Feedback", None),
        (1, None),
    ],
    ids=repr,
)
def test_a_key_that_is_nearly_feedback_is_named(key: object, hinted: str | None) -> None:
    (fault,) = check_return_value((0.8, {key: "Right."})).faults
    hints = [(hint.key, dict(hint.facts)) for hint in fault.hints]
    assert hints == ([("hint.near-key", {"key": hinted})] if hinted else [])


@pytest.mark.parametrize(("others", "named"), [(99, True), (100, False)])
def test_a_key_that_is_nearly_feedback_is_looked_for_among_the_first_100(
    others: int, named: bool
) -> None:
    info = dict.fromkeys(map(str, range(others))) | {"Feedback": None}
    (fault,) = check_return_value((0.8, info)).faults
    assert bool(fault.hints) is named


def instance_of_a_class_named(module: str, name: str) -> object:
    return type(name, (), {"__module__": module})()


class Awaitable:
    def __await__(self) -> Iterator[None]:
        yield

    def __repr__(self) -> str:
        return "Awaitable()"  # the same in every process, as the name of a test must be


def name_of(part: object) -> str:
    """A name for a test, the same in every process: none with an address."""
    name = getattr(part, "__name__", str(part))
    return f"a {type(part).__name__}" if " at 0x" in name else name


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (lambda: (0.8, FEEDBACK), "hint.returned-function"),
        (len, "hint.returned-function"),
        (Result(0.8, "Right."), "hint.object-with-score"),
        (SimpleNamespace(score=0.8, feedback="Right."), "hint.object-with-score"),
        (((0.8, FEEDBACK),), "hint.pair-in-a-tuple"),
        ([(0.8, FEEDBACK)], "hint.pair-in-a-tuple"),
        (([0.8, FEEDBACK],), "hint.pair-in-a-tuple"),
        (instance_of_a_class_named("metric", "score"), "hint.score-is-a-class"),
        (instance_of_a_class_named("metric", "Score"), None),
        ((0.8,), None),
        ((), None),
        (Awaitable(), "hint.awaitable"),
        (SimpleNamespace(score=0.8), None),
        (SimpleNamespace(feedback="Right."), None),
        ("0.8", None),
        ({1, 2}, None),
    ],
    ids=name_of,
)
def test_a_value_that_only_needs_to_be_unpacked_is_recognized(
    value: object, hint: str | None
) -> None:
    (fault,) = check_return_value(value).faults
    assert [hint.key for hint in fault.hints] == ([hint] if hint else [])


def test_a_score_that_is_a_pair_itself_is_recognized() -> None:
    for pair in ((0.8, FEEDBACK), [0.8, FEEDBACK]):
        (fault,) = check_return_value((pair, FEEDBACK)).faults
        assert [hint.key for hint in fault.hints] == ["hint.pair-as-score"]


def test_a_text_before_a_number_is_recognized_as_swapped() -> None:
    score, info = check_return_value(("Right.", 0.8)).faults
    assert (score.reason, score.hints) == ("score-is-a-string", ())
    assert (info.reason, info.hints) == ("side-info-not-a-dict", (Hint("hint.swapped"),))


@pytest.mark.parametrize("pair", [("Right.", "0.8"), ("Right.", [0.8]), (None, 0.8), (0.8, 0.8)])
def test_another_pair_is_not_taken_for_swapped(pair: tuple[object, object]) -> None:
    assert check_return_value(pair).faults[-1].reason == "side-info-not-a-dict"
    assert check_return_value(pair).faults[-1].hints == ()


def test_the_name_of_a_score_that_is_no_string_is_shown_cut() -> None:
    info = FEEDBACK | {"scores": {10**400: 1.0}}
    (fault,) = check_return_value((0.8, info)).faults
    assert fault.reason == "score-name-not-a-string"
    assert len(fault.place) < 250


def test_a_property_that_raises_is_no_hint() -> None:
    class Own:
        feedback = "Right."

        @property
        def score(self) -> float:
            raise SystemExit

        @property
        def item(self) -> object:
            raise KeyboardInterrupt

    assert check_return_value(Own()).faults[0].hints == ()
    assert check_return_value((Own(), FEEDBACK)).faults[0].hints == ()


# --- What judging leaves alone -------------------------------------------------------------------


def test_judging_a_value_leaves_the_filters_of_warnings_as_they_were() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_return_value(("high", FEEDBACK))
        warnings.warn("ignored", UserWarning, stacklevel=1)  # or this raises


def test_judging_a_value_changes_nothing_in_it() -> None:
    info: defaultdict[str, object] = defaultdict(str)
    check_return_value((0.8, info))
    assert dict(info) == {}


def test_what_is_handed_on_is_a_copy() -> None:
    scores = {"a": 1.0}
    verdict = check_return_value((0.8, {"feedback": "Right.", "scores": scores}))
    scores["a"] = 0.0
    assert verdict.scores == {"a": 1.0}


def test_of_very_many_faults_the_first_thousand_are_told_and_the_others_counted() -> None:
    named = {f"n{number}": "high" for number in range(1001)} | {1: "high", "fine": 0.5}
    verdict = check_return_value((math.nan, {"feedback": "", "scores": named}))
    assert len(verdict.faults) == 1000
    assert verdict.faults[0].reason == "score-nan"
    assert verdict.faults[999].place == '[1]["scores"]["n998"]'
    # Of the others two have the last names, and the one whose name is a number has two faults.
    assert verdict.faults[999].hints[-1] == Hint("hint.faults-left-out", {"n": "4"})
    assert all(fault.hints == () for fault in verdict.faults[:999])


def test_of_a_thousand_faults_none_is_left_out() -> None:
    named = {f"n{number}": None for number in range(1000)}
    verdict = check_return_value((1.0, {"feedback": "", "scores": named}))
    assert len(verdict.faults) == 1000
    assert verdict.faults[999].hints == ()


def test_the_last_fault_that_is_told_keeps_its_own_hints() -> None:
    named: dict[str, object] = {f"n{number}": None for number in range(999)}
    named |= {"text": "0.5", "fine": 1, "odd": None, "infinite": math.inf}
    verdict = check_return_value((1.0, {"feedback": "", "scores": named}))
    assert len(verdict.faults) == 1000
    assert [(hint.key, dict(hint.facts)) for hint in verdict.faults[-1].hints] == [
        ("hint.convert", {"conversion": "float(...)"}),
        ("hint.faults-left-out", {"n": "2"}),
    ]


def test_a_fault_is_told_after_any_number_of_good_scores() -> None:
    named: dict[str, object] = {f"n{number}": 0.5 for number in range(2000)} | {"last": None}
    (fault,) = check_return_value((1.0, {"feedback": "", "scores": named})).faults
    assert fault.place == '[1]["scores"]["last"]'
