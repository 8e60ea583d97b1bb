"""Judge what a metric returned: is it a score and its side info? (A3, B1, B2)

Nothing here trusts the value: what it holds is read by the methods of the built-in types, so a
subclass that lies is seen through; a subclass whose own methods raise is reported last.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice, repeat
from operator import is_
from types import AsyncGeneratorType, CoroutineType, GeneratorType, NoneType
from typing import Any

from skynet_stub.closest import closest
from skynet_stub.display import show, show_exception, type_name
from skynet_stub.reasons import Fault, Hint
from skynet_stub.record import Record

FEEDBACK_PLACE = '[1]["feedback"]'
SCORES_PLACE = '[1]["scores"]'

MOST_FAULTS = 1000
"""How many faults of one value are told, far more than anyone reads; of more their number is."""

LEFT_OUT = "hint.faults-left-out"
"""The hint of the last fault that is told, with how many more there are as `n`."""


class Verdict(Record):
    """The judgement of one return value.

    `faults` are all its faults, in the contract's order; none means valid. `score`, `feedback`
    and `scores` are plain copies (`float`, `str`, `dict` of `float`; `scores` is `None` where the
    value has no `"scores"`), and are set only where the value is valid. `bool_score` says that
    the score was given as a `bool` (which counts as 1.0 or 0.0).
    """

    faults: tuple[Fault, ...]
    score: float | None = None
    feedback: str | None = None
    scores: Mapping[str, float] | None = None
    bool_score: bool = False

    @property
    def valid(self) -> bool:
        """Whether the value keeps the contract."""
        return not self.faults


def check_return_value(value: object) -> Verdict:
    """Judge a return value of `score` (A3, B1, B2). Never raises, never iterates a generator."""
    usual = _usual(value)
    if usual is not None:
        return usual
    shape = _shape_fault(value)
    if shape is not None:
        return Verdict((shape,))
    parts = _parts(value)
    faults = _first(_faults(value, parts))
    if faults:
        return Verdict(faults)
    return Verdict(
        (),
        score=to_float(parts.score),
        feedback=plain_str(parts.feedback),
        scores=None if parts.scores is _ABSENT else _plain_scores(parts.scores),
        bool_score=type(parts.score) is bool,
    )


def _usual(value: Any) -> Verdict | None:
    """The verdict on a value of the most usual kind, without a question more than it needs."""
    if type(value) is not tuple or len(value) != 2:
        return None
    score, info = value
    if type(score) is not float or not math.isfinite(score) or type(info) is not dict:
        return None
    if len(info) != 1 or type(next(iter(info))) is not str:
        return None
    feedback = info.get("feedback")
    return Verdict((), score, feedback) if type(feedback) is str else None


def is_a(value: object, kind: type) -> bool:
    """Whether the value's real type is this built-in type or a subclass of it.

    Not `isinstance`, which believes what a value (a mock, say) claims to be.
    """
    return issubclass(type(value), kind)


def is_exactly(value: object, kinds: Iterable[type]) -> bool:
    """Whether the value's real type is one of these, and no subclass of one.

    Not `in`, which asks the type whether it is equal: a metaclass may answer that as it likes.
    """
    return any(map(is_, kinds, repeat(type(value))))


def is_number(value: object) -> bool:
    """Whether a value is a number to the contract: an `int`, a `float`, a subclass (B1)."""
    return is_a(value, int) or is_a(value, float)


def to_float(number: Any) -> float:
    """The plain float of a number (B1). Raises `OverflowError` where no float is that large."""
    return float.__float__(number) if is_a(number, float) else int.__float__(number)


def finite(value: object) -> float | None:
    """The value as a finite float, or `None` where it is no such number."""
    number = _float(value) if is_number(value) else None
    return number if number is not None and math.isfinite(number) else None


def _float(number: object) -> float | None:
    """The plain float of a number, or `None` where no float is that large."""
    try:
        return to_float(number)
    except OverflowError:
        return None


def plain_str(text: Any) -> str:
    """The text of a `str` or a subclass of it, as a plain `str`."""
    return str.__str__(text)


_ABSENT = object()
"""Stands for the value of a key that a side info does not have."""


class _Parts(Record):
    """The parts of a pair, each read once: a key of the metric's own may answer otherwise later.

    `unreadable` is the fault of a side info whose keys cannot be read.
    """

    score: Any
    info: Any
    feedback: Any = _ABSENT
    scores: Any = _ABSENT
    unreadable: Fault | None = None


def _parts(pair: Any) -> _Parts:
    score, info = _two_elements(pair)
    if not is_a(info, dict):
        return _Parts(score, info)
    try:
        feedback = dict.get(info, "feedback", _ABSENT)
        return _Parts(score, info, feedback, dict.get(info, "scores", _ABSENT))
    except BaseException as error:  # a key of the metric's own compares by its own methods
        return _Parts(score, info, unreadable=_unreadable_fault("[1]", info, error))


def _two_elements(value: Any) -> tuple[Any, Any]:
    if is_a(value, tuple):
        return tuple.__getitem__(value, 0), tuple.__getitem__(value, 1)
    return list.__getitem__(value, 0), list.__getitem__(value, 1)


def _shape_fault(value: Any) -> Fault | None:
    """The fault of shape, if there is one; it ends the list of faults (B2)."""
    if value is None:
        return Fault("returned-none")
    if is_a(value, CoroutineType):
        with suppress(BaseException):  # its code is the metric's, and may refuse to end
            value.close()  # or Python warns that it was never awaited
        return Fault("returned-coroutine")
    if is_a(value, GeneratorType) or is_a(value, AsyncGeneratorType):
        return Fault("returned-generator")
    if is_a(value, dict):
        return Fault("returned-dict", facts={"found": show(value)})
    if is_a(value, type):
        return Fault("returned-class", facts={"found": show(value)})
    if is_number(value):
        return Fault("no-side-info", facts={"found": show(value)})
    if not (is_a(value, tuple) or is_a(value, list)):
        return _value_fault("not-a-pair", "", value, _shape_hints(value))
    length = _length(value)
    if length != 2:
        facts = {"found": show(value), "length": str(length)}
        return Fault("wrong-length", facts=facts, hints=_length_hints(value, length))
    first, second = _two_elements(value)
    if is_a(first, dict) and is_number(second):
        return Fault("swapped-pair")
    return None


def _shape_hints(value: object) -> tuple[Hint, ...]:
    if callable(value):
        return (Hint("hint.returned-function"),)
    if _has(value, "score") and _has(value, "feedback"):
        return (Hint("hint.object-with-score"),)
    if _has(value, "__await__"):
        return (Hint("hint.awaitable"),)
    if type_name(value) == "metric.score":
        return (Hint("hint.score-is-a-class"),)
    return ()


def _length_hints(value: Any, length: int) -> tuple[Hint, ...]:
    """Say so where a comma too many put a pair into a tuple of its own."""
    kind = tuple if is_a(value, tuple) else list
    if length == 1 and _is_pair(next(kind.__iter__(value))):
        return (Hint("hint.pair-in-a-tuple"),)
    return ()


def _is_pair(value: Any) -> bool:
    return (is_a(value, tuple) or is_a(value, list)) and _length(value) == 2


def _first(found: Iterator[Fault]) -> tuple[Fault, ...]:
    """The first faults, the last of which says how many more there are."""
    faults = tuple(islice(found, MOST_FAULTS))
    left_out = sum(1 for _ in found)
    if left_out:
        hints = (*faults[-1].hints, Hint(LEFT_OUT, {"n": str(left_out)}))
        faults = (*faults[:-1], faults[-1].replace(hints=hints))
    return faults


def _faults(value: object, parts: _Parts) -> Iterator[Fault]:
    """All faults of a pair, in the contract's order, `unreadable-value` last."""
    yield from _number_faults(parts.score, "score", "[0]")
    if not is_a(parts.info, dict):
        swapped = is_a(parts.score, str) and is_number(parts.info)
        hints = (Hint("hint.swapped"),) if swapped else ()
        yield _value_fault("side-info-not-a-dict", "[1]", parts.info, hints)
    elif parts.unreadable is None:
        yield from _side_info_faults(parts)
    yield from _unreadable("", value)
    yield from _unreadable("[0]", parts.score)
    if parts.unreadable is not None:
        yield parts.unreadable
    else:
        yield from _unreadable_side_info(parts)


def _side_info_faults(parts: _Parts) -> Iterator[Fault]:
    if parts.feedback is _ABSENT:
        yield Fault("no-feedback", "[1]", {"found": show(parts.info)}, _near_key_hints(parts.info))
    elif not is_a(parts.feedback, str):
        yield _value_fault("feedback-not-a-string", FEEDBACK_PLACE, parts.feedback)
    if parts.scores is not _ABSENT:
        yield from _scores_faults(parts.scores)


def _scores_faults(scores: Any) -> Iterator[Fault]:
    if not is_a(scores, dict):
        yield _value_fault("scores-not-a-dict", SCORES_PLACE, scores)
        return
    bad = ((name, number) for name, number in dict.items(scores) if _count_faults(name, number))
    for name, number in islice(bad, MOST_FAULTS):
        if is_a(name, str):
            place = f"{SCORES_PLACE}[{_quoted(name)}]"
        else:
            place = f"{SCORES_PLACE}[{show(name)}]"
            fault = _value_fault("score-name-not-a-string", place, name)
            yield fault
        for fault in _number_faults(number, "named-score", place):
            yield fault
    for name, number in bad:  # these are only counted
        yield from repeat(fault, _count_faults(name, number))


def _count_faults(name: object, number: object) -> int:
    """How many faults a named score has."""
    return (not is_a(name, str)) + (finite(number) is None)


def _number_faults(number: object, code: str, place: str) -> Iterator[Fault]:
    """The faults of a score (`code` is `score`) or of a named score (`named-score`)."""
    if not is_number(number):
        is_text = code == "score" and is_a(number, str)
        reason = "score-is-a-string" if is_text else f"{code}-not-a-number"
        yield _value_fault(reason, place, number, _conversion_hints(number))
        return
    plain = _float(number)
    if plain is None:
        yield Fault(f"{code}-too-large", place, {"found": show(number)})
    elif math.isnan(plain):
        yield Fault(f"{code}-nan", place)
    elif math.isinf(plain):
        yield Fault(f"{code}-infinite", place, {"found": show(number)})


def _conversion_hints(value: Any) -> tuple[Hint, ...]:
    """Name the first conversion that makes this value a number, where one works (B1)."""
    if _is_pair(value):
        return (Hint("hint.pair-as-score"),)
    if _converts(lambda: float(value)):
        return (Hint("hint.convert", {"conversion": "float(...)"}),)
    if _converts(lambda: value.item()):
        return (Hint("hint.convert", {"conversion": ".item()"}),)
    return ()


def _converts(convert: Callable[[], object]) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy warns where a conversion loses something
            number = convert()
    except BaseException:  # the methods are the metric's
        number = None
    return finite(number) is not None


_SAME_AS_FEEDBACK = (
    "message",
    "reason",
    "reasoning",
    "rationale",
    "explanation",
    "comment",
    "text",
)
"""Keys under which authors put a feedback by mistake."""


def _near_key_hints(info: Any) -> tuple[Hint, ...]:
    """Name a key that was meant to be `feedback`: one that is nearly so, or says as much."""
    keys = [plain_str(key) for key in islice(dict.keys(info), 100) if is_a(key, str)]
    near = [key for key in keys if closest(key.strip(), ("feedback",))]
    for key in near or [key for key in keys if key.strip().lower() in _SAME_AS_FEEDBACK]:
        return (Hint("hint.near-key", {"key": _quoted(key)}),)
    return ()


def _unreadable_side_info(parts: _Parts) -> Iterator[Fault]:
    yield from _unreadable("[1]", parts.info)
    yield from _unreadable(FEEDBACK_PLACE, parts.feedback)
    yield from _unreadable(SCORES_PLACE, parts.scores)
    if is_a(parts.scores, dict):
        for name, number in dict.items(parts.scores):
            if is_a(name, str):
                yield from _unreadable(f"{SCORES_PLACE}[{_quoted(name)}]", number)


def _unreadable(place: str, value: Any) -> Iterator[Fault]:
    """Read an instance of a subclass as the platform would, by its own methods: do they raise?"""
    if is_exactly(value, (tuple, list, dict, str, int, float, bool, NoneType)):
        return
    try:
        if is_a(value, tuple) or is_a(value, list):
            len(value)
            tuple(islice(value, 3))  # it may never end
            for index in range(min(_length(value), 2)):
                value[index]
        elif is_a(value, dict):
            for key in ("feedback", "scores"):
                if key in value:
                    value[key]
            tuple(islice(value.items(), len(value)))
        elif is_number(value):
            if _float(value) is not None:  # else that is a fault of its own
                float(value)
        elif is_a(value, str):
            str(value)
    except BaseException as error:  # the methods are the metric's
        yield _unreadable_fault(place, value, error)


def _unreadable_fault(place: str, value: object, error: BaseException) -> Fault:
    facts = {"type": type_name(value), "exception": show_exception(error)}
    return Fault("unreadable-value", place, facts)


def _value_fault(reason: str, place: str, value: object, hints: tuple[Hint, ...] = ()) -> Fault:
    return Fault(reason, place, {"found": show(value), "type": type_name(value)}, hints)


def _has(value: object, name: str) -> bool:
    try:
        return hasattr(value, name)
    except BaseException:  # a property of the metric's
        return False


def _quoted(text: object) -> str:
    """A key as it stands in code, in the double quotes of the guide."""
    return json.dumps(text, ensure_ascii=False)


def _length(value: Any) -> int:
    return tuple.__len__(value) if is_a(value, tuple) else list.__len__(value)


def _plain_scores(scores: Any) -> dict[str, float]:
    return {plain_str(name): to_float(number) for name, number in dict.items(scores)}
