"""The reward: accuracy, speed and cost in one score (A6); the curve is the stub's own (B6)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from skynet_stub.cases import Measured
from skynet_stub.display import cut, show
from skynet_stub.messages import catalog
from skynet_stub.reasons import Hint
from skynet_stub.return_value import finite, is_a, to_float

PARTS = ("accuracy", "speed", "cost")
"""The parts of a reward, and the names of its named scores."""

SPEC_KEYS = ("weights", *PARTS)

_REF = ("reference",)


def reward(
    spec: Mapping[str, Any], accuracy: float, feedback: str, measured: Measured
) -> tuple[float, dict[str, Any]]:
    """Combine accuracy with what was measured into one return value (A6, B6).

    `accuracy` is a score from 0 to 1, or, where the spec has `accuracy.reference`, an error of 0
    or more. Returns the score, at most 1, and a side info with the feedback, to which a line on
    the measurements is added, and one named score a part; a part that was not measured scores 0.

    Raises `ValueError`, naming key and value, for a bad spec or accuracy, and `TypeError` for
    a feedback that is not a string.
    """
    for problem in spec_problems(spec):
        raise ValueError(catalog("en").text(problem.key, **problem.facts))
    if not is_a(feedback, str):
        raise TypeError(f"feedback must be a string, got {show(feedback)}")
    parts = {
        "accuracy": _accuracy_part(spec["accuracy"], accuracy),
        "speed": _measured_part(measured.ms, spec["speed"]),
        "cost": _measured_part(measured.usd, spec["cost"]),
    }
    weights = {name: to_float(spec["weights"][name]) for name in PARTS}
    largest = max(weights.values())  # the weights are scaled first: their sum may overflow
    scaled = {name: weight / largest for name, weight in weights.items()}
    weighted = sum(scaled[name] * parts[name] for name in PARTS)
    score = min(1.0, weighted / sum(scaled.values()))
    return score, {"feedback": _with_measurements(feedback, measured), "scores": parts}


def spec_problems(spec: object) -> Iterator[Hint]:
    """What is wrong with a reward spec, each naming its key and value (A6, B6)."""
    if not isinstance(spec, dict):
        yield _not_a_dict("REWARD_SPEC", spec)
        return
    yield from _key_problems("", spec, SPEC_KEYS, required=SPEC_KEYS)
    for name, required in (("weights", PARTS), ("accuracy", ()), ("speed", _REF), ("cost", _REF)):
        if name not in spec:
            continue
        section = spec[name]
        if not isinstance(section, dict):
            yield _not_a_dict(name, section)
            continue
        known = PARTS if name == "weights" else _REF
        yield from _key_problems(f"{name}.", section, known, required=required)
        for key in known:
            if key in section:
                yield from _number_problems(f"{name}.{key}", section[key], name == "weights")
    yield from _all_zero_problem(spec)


def _not_a_dict(key: str, found: object) -> Hint:
    return Hint("spec.not-a-dict", {"key": key, "found": show(found)})


def _key_problems(
    prefix: str, section: dict[Any, Any], known: tuple[str, ...], required: tuple[str, ...]
) -> Iterator[Hint]:
    for key in required:
        if key not in section:
            yield Hint("spec.key-missing", {"key": prefix + key})
    for key in section:
        if key not in known:
            name = prefix + (cut(key) if isinstance(key, str) else show(key))
            known_names = ", ".join(prefix + known_key for known_key in known)
            facts = {"key": name, "found": show(section[key]), "known": known_names}
            yield Hint("spec.key-unknown", facts)


def _number_problems(key: str, value: object, zero_allowed: bool) -> Iterator[Hint]:
    number = finite(value)
    if is_a(value, bool) or number is None or number < 0 or (number == 0 and not zero_allowed):
        wrong = "spec.not-a-weight" if zero_allowed else "spec.not-positive"
        yield Hint(wrong, {"key": key, "found": show(value)})


def _all_zero_problem(spec: dict[Any, Any]) -> Iterator[Hint]:
    weights = spec.get("weights")
    if isinstance(weights, dict) and all(finite(weights.get(name)) == 0 for name in PARTS):
        yield Hint("spec.all-zero", {"key": "weights", "found": show(weights)})


def _accuracy_part(section: Mapping[str, Any], accuracy: object) -> float:
    number = finite(accuracy)
    if "reference" in section:
        if number is None or number < 0:
            raise ValueError(f"accuracy is an error here: 0 or more, got {show(accuracy)}")
        return _falling(number, section)
    if number is None or not 0 <= number <= 1:
        raise ValueError(f"accuracy must be a number from 0 to 1, got {show(accuracy)}")
    return number


def _measured_part(measured: float | None, section: Mapping[str, Any]) -> float:
    return 0.0 if measured is None else _falling(measured, section)


def _falling(measured: float, section: Mapping[str, Any]) -> float:
    """1 at nothing, one half at the reference, strictly falling: the stub's own curve (B6)."""
    return 1 / (1 + measured / to_float(section["reference"]))


def _with_measurements(feedback: str, measured: Measured) -> str:
    time = _phrase("run time", measured.ms, lambda ms: f"{_plain(ms)} ms")
    cost = _phrase("model cost", measured.usd, lambda usd: f"{_plain(usd)} USD")
    return f"{feedback}\nMeasured: {time}, {cost}."


def _phrase(name: str, number: float | None, show_number: Callable[[float], str]) -> str:
    return f"{name} not measured" if number is None else f"{name} {show_number(number)}"


def _plain(number: float) -> str:
    """A number of 0 or more with at least six significant digits, and no exponent."""
    if number == 0:
        return "0"
    decimals = 5 - math.floor(math.log10(number))
    text = f"{number:.{max(0, decimals)}f}"
    return text.rstrip("0").rstrip(".") if decimals > 0 else text
