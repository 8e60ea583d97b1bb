"""The reward: what a spec may say, and the one number that it makes of three parts (A6, B6)."""

from __future__ import annotations

import math
from copy import deepcopy
from decimal import Decimal
from typing import Any

import pytest

from skynet_stub.return_value import check_return_value
from skynet_stub.reward import reward, spec_problems
from small_metrics import measured

SPEC: dict[str, Any] = {
    "weights": {"accuracy": 0.7, "speed": 0.2, "cost": 0.1},
    "accuracy": {},
    "speed": {"reference": 2000},
    "cost": {"reference": 0.01},
}


def spec_with(path: str, value: object) -> dict[str, Any]:
    """The spec of the guide with one value in another's place, or added."""
    spec = deepcopy(SPEC)
    *sections, key = path.split(".")
    section = spec
    for name in sections:
        section = section[name]
    section[key] = value
    return spec


def spec_without(path: str) -> dict[str, Any]:
    spec = spec_with(path, None)
    *sections, key = path.split(".")
    section = spec
    for name in sections:
        section = section[name]
    del section[key]
    return spec


def weights(accuracy: float, speed: float, cost: float) -> dict[str, Any]:
    return spec_with("weights", {"accuracy": accuracy, "speed": speed, "cost": cost})


# --- The number ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accuracy", "ms", "usd", "score", "parts"),
    [
        (1.0, 0, 0, 1.0, (1.0, 1.0, 1.0)),
        (1.0, 500, 0.0025, 0.94, (1.0, 0.8, 0.8)),
        (0.0, 2000, 0.01, 0.15, (0.0, 0.5, 0.5)),
        (0.5, 6000, 0.03, 0.425, (0.5, 0.25, 0.25)),
        (1, 2000, 0, 0.9, (1.0, 0.5, 1.0)),
        (True, 0, 0.01, 0.95, (1.0, 1.0, 0.5)),
        (0, 1e300, 1e300, 0.0, (0.0, 0.0, 0.0)),
    ],
)
def test_the_score_is_the_weighted_mean_of_the_parts(
    accuracy: float, ms: float, usd: float, score: float, parts: tuple[float, float, float]
) -> None:
    found, info = reward(SPEC, accuracy, "Right.", measured(ms, usd))
    assert found == pytest.approx(score)
    names = dict(zip(("accuracy", "speed", "cost"), parts, strict=True))
    assert info["scores"] == pytest.approx(names)
    assert list(info["scores"]) == ["accuracy", "speed", "cost"]


@pytest.mark.parametrize(
    ("spec", "score"),
    [
        (weights(0.7, 0.2, 0.1), 0.875),
        (weights(7, 2, 1), 0.875),
        (weights(1, 0, 0), 1.0),
        (weights(0, 1, 0), 0.5),
        (weights(0, 0, 3), 0.75),
        (weights(0, 1, 1), 0.625),
        (weights(0.1, 0.1, 0), 0.75),
        (weights(1e308, 1e308, 1e308), 0.75),
        (weights(5e-324, 5e-324, 5e-324), 0.75),
    ],
)
def test_the_weights_are_scaled_to_sum_to_1(spec: dict[str, Any], score: float) -> None:
    # accuracy 1, speed 1/2, cost 3/4
    found, _ = reward(spec, 1.0, "Right.", measured(2000, 0.01 / 3))
    assert found == pytest.approx(score)


@pytest.mark.parametrize(
    ("error", "part"), [(0, 1.0), (0.125, 0.8), (0.5, 0.5), (1.5, 0.25), (1e300, 0.0)]
)
def test_with_a_reference_accuracy_is_an_error_and_lower_is_better(
    error: float, part: float
) -> None:
    spec = spec_with("accuracy", {"reference": 0.5})
    _, info = reward(spec, error, "Right.", measured())
    assert info["scores"]["accuracy"] == pytest.approx(part)


def test_a_part_falls_strictly_with_what_was_measured() -> None:
    parts = [
        reward(SPEC, 1, "", measured(ms, ms))[1]["scores"] for ms in (0, 1, 10, 1999, 2000, 2001)
    ]
    for name in ("speed", "cost"):
        values = [part[name] for part in parts]
        assert values == sorted(set(values), reverse=True)
    assert (parts[0]["speed"], parts[4]["speed"]) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("ms", "usd", "score", "speed", "cost", "line"),
    [
        (500, None, 0.86, 0.8, 0.0, "Measured: run time 500 ms, model cost not measured."),
        (None, 0.0025, 0.78, 0.0, 0.8, "Measured: run time not measured, model cost 0.0025 USD."),
        (None, None, 0.7, 0.0, 0.0, "Measured: run time not measured, model cost not measured."),
        (0, 0, 1.0, 1.0, 1.0, "Measured: run time 0 ms, model cost 0 USD."),
    ],
)
def test_a_part_that_was_not_measured_scores_0_and_the_feedback_says_so(
    ms: float | None, usd: float | None, score: float, speed: float, cost: float, line: str
) -> None:
    found, info = reward(SPEC, 1.0, "Right.", measured(ms, usd))
    assert found == pytest.approx(score)
    assert (info["scores"]["speed"], info["scores"]["cost"]) == (speed, cost)
    assert info["feedback"] == f"Right.\n{line}"


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (2e-05, "0.00002"),
        (1.23456789e-05, "0.0000123457"),
        (1234567.0, "1234567"),
        (1234567.5, "1234568"),
        (0.1 + 0.2, "0.3"),
        (999999.96, "1000000"),
        (100.0, "100"),
        (12345.0, "12345"),
        (12345.67, "12345.7"),
        (1e20, "100000000000000000000"),
        (0.0, "0"),
    ],
)
def test_a_measurement_is_written_without_an_exponent(number: float, shown: str) -> None:
    _, info = reward(SPEC, 1.0, "Right.", measured(number, number))
    assert info["feedback"] == f"Right.\nMeasured: run time {shown} ms, model cost {shown} USD."


@pytest.mark.parametrize("feedback", ["", "Right.", "Two\nlines."])
def test_a_reward_is_a_valid_return_value(feedback: str) -> None:
    verdict = check_return_value(reward(SPEC, 0.5, feedback, measured(1.5, 0.25)))
    assert verdict.faults == ()
    assert verdict.feedback == f"{feedback}\nMeasured: run time 1.5 ms, model cost 0.25 USD."
    assert set(verdict.scores or {}) == {"accuracy", "speed", "cost"}


def test_a_reward_is_never_above_1() -> None:
    for spec in (weights(0.1, 0.2, 0.7), weights(1 / 3, 1 / 3, 1 / 3), weights(0.7, 0.2, 0.1)):
        assert reward(spec, 1, "", measured(0, 0))[0] == 1.0


class Number(float):
    """A float that counts in its own kind, as the numbers of numpy do."""

    def __truediv__(self, other: float) -> Number:
        return Number(float(self) / other)

    def __rtruediv__(self, other: float) -> Number:
        return Number(other / float(self))

    def __add__(self, other: float) -> Number:
        return Number(float(self) + other)

    __radd__ = __add__

    def __mul__(self, other: float) -> Number:
        return Number(float(self) * other)

    __rmul__ = __mul__


def test_a_reward_is_made_of_plain_floats_whatever_the_numbers_of_the_spec() -> None:
    one, half = Number(1), Number(0.5)
    spec = weights(half, half, half) | {"speed": {"reference": one}, "cost": {"reference": one}}
    score, info = reward(spec, half, "", measured(1, 3))
    assert type(score) is float
    assert score == pytest.approx(1.25 / 3)
    parts = {"accuracy": 0.5, "speed": 0.5, "cost": 0.25}
    assert info["scores"] == parts
    assert {type(part) for part in info["scores"].values()} == {float}


def test_a_reward_leaves_its_spec_as_it_was() -> None:
    spec = deepcopy(SPEC)
    reward(spec, 1, "", measured(0, 0))
    assert spec == SPEC


# --- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "accuracy", [-0.001, 1.001, math.nan, math.inf, -math.inf, 10**400, "1", None, 1j]
)
def test_an_accuracy_outside_0_to_1_is_refused(accuracy: Any) -> None:
    with pytest.raises(ValueError, match="accuracy must be a number from 0 to 1, got ") as caught:
        reward(SPEC, accuracy, "Right.", measured())
    assert repr(accuracy)[:20] in str(caught.value)


@pytest.mark.parametrize("error", [-0.001, -1, math.nan, math.inf, 10**400, "1", None])
def test_a_negative_error_is_refused(error: Any) -> None:
    spec = spec_with("accuracy", {"reference": 0.5})
    with pytest.raises(ValueError, match="accuracy is an error here: 0 or more, got ") as caught:
        reward(spec, error, "Right.", measured())
    assert repr(error)[:20] in str(caught.value)


@pytest.mark.parametrize("feedback", [None, b"Right.", 1, ["Right."]])
def test_a_feedback_that_is_no_string_is_refused(feedback: Any) -> None:
    with pytest.raises(TypeError, match="feedback must be a string, got "):
        reward(SPEC, 1, feedback, measured())


def test_a_feedback_that_is_no_string_is_shown_cut() -> None:
    with pytest.raises(TypeError) as caught:
        reward(SPEC, 1, ["a" * 500], measured())  # type: ignore[arg-type]
    assert len(str(caught.value)) < 300


def test_a_bad_spec_is_refused_with_its_first_problem() -> None:
    with pytest.raises(ValueError, match=r"speed\.reference") as caught:
        reward(spec_with("speed.reference", -5), 1, "Right.", measured())
    assert "-5" in str(caught.value)


# --- The spec ------------------------------------------------------------------------------------

VALID_SPECS: dict[str, dict[str, Any]] = {
    "of the guide": SPEC,
    "accuracy with a reference": spec_with("accuracy.reference", 0.5),
    "a weight of zero": spec_with("weights.cost", 0),
    "one weight alone": weights(0, 5e-324, 0.0),
    "large weights": weights(1e308, 7, 10**300),
    "small references": spec_with("speed", {"reference": 5e-324}),
    "an own float": spec_with("cost.reference", type("Own", (float,), {})(0.5)),
}


@pytest.mark.parametrize("valid", VALID_SPECS)
def test_a_valid_spec_has_no_problems(valid: str) -> None:
    assert list(spec_problems(VALID_SPECS[valid])) == []


TOP = "weights, accuracy, speed, cost"
PARTS = "weights.accuracy, weights.speed, weights.cost"

BAD_SPECS: dict[str, tuple[object, str, dict[str, str]]] = {
    "None": (None, "not-a-dict", {"key": "REWARD_SPEC", "found": "None"}),
    "a list": ([], "not-a-dict", {"key": "REWARD_SPEC", "found": "[]"}),
    "no weights": (spec_without("weights"), "key-missing", {"key": "weights"}),
    "no accuracy": (spec_without("accuracy"), "key-missing", {"key": "accuracy"}),
    "no speed": (spec_without("speed"), "key-missing", {"key": "speed"}),
    "no cost": (spec_without("cost"), "key-missing", {"key": "cost"}),
    "another key": (
        spec_with("latency", {}),
        "key-unknown",
        {"key": "latency", "found": "{}", "known": TOP},
    ),
    "a key that is no string": (
        SPEC | {1: 2},
        "key-unknown",
        {"key": "1", "found": "2", "known": TOP},
    ),
    "weights a list": (spec_with("weights", [1]), "not-a-dict", {"key": "weights", "found": "[1]"}),
    "accuracy None": (
        spec_with("accuracy", None),
        "not-a-dict",
        {"key": "accuracy", "found": "None"},
    ),
    "speed a number": (spec_with("speed", 5), "not-a-dict", {"key": "speed", "found": "5"}),
    "cost a string": (spec_with("cost", "x"), "not-a-dict", {"key": "cost", "found": "'x'"}),
    "no weight of accuracy": (
        spec_without("weights.accuracy"),
        "key-missing",
        {"key": "weights.accuracy"},
    ),
    "no weight of speed": (spec_without("weights.speed"), "key-missing", {"key": "weights.speed"}),
    "no weight of cost": (spec_without("weights.cost"), "key-missing", {"key": "weights.cost"}),
    "no reference of speed": (
        spec_without("speed.reference"),
        "key-missing",
        {"key": "speed.reference"},
    ),
    "no reference of cost": (
        spec_without("cost.reference"),
        "key-missing",
        {"key": "cost.reference"},
    ),
    "another weight": (
        spec_with("weights.format", 1),
        "key-unknown",
        {"key": "weights.format", "found": "1", "known": PARTS},
    ),
    "another key of accuracy": (
        spec_with("accuracy.weight", 1),
        "key-unknown",
        {"key": "accuracy.weight", "found": "1", "known": "accuracy.reference"},
    ),
    "another key of speed": (
        spec_with("speed.unit", "s"),
        "key-unknown",
        {"key": "speed.unit", "found": "'s'", "known": "speed.reference"},
    ),
    "another key of cost": (
        spec_with("cost.unit", "s"),
        "key-unknown",
        {"key": "cost.unit", "found": "'s'", "known": "cost.reference"},
    ),
    "all weights zero": (
        weights(0, 0.0, -0.0),
        "all-zero",
        {"key": "weights", "found": "{'accuracy': 0, 'cost': -0.0, 'speed': 0.0}"},
    ),
}


@pytest.mark.parametrize("bad", BAD_SPECS)
def test_a_bad_spec_has_a_problem_that_names_the_key_and_the_value(bad: str) -> None:
    spec, wrong, facts = BAD_SPECS[bad]
    problems = [(problem.key, dict(problem.facts)) for problem in spec_problems(spec)]
    assert problems == [(f"spec.{wrong}", facts)]


NO_NUMBERS: list[tuple[Any, str]] = [
    ("1", "'1'"),
    (None, "None"),
    (True, "True"),
    (False, "False"),
    (math.nan, "nan"),
    (math.inf, "inf"),
    (-0.001, "-0.001"),
    (-1, "-1"),
    (1j, "1j"),
]


@pytest.mark.parametrize("path", ["weights.accuracy", "weights.speed", "weights.cost"])
@pytest.mark.parametrize(("value", "shown"), NO_NUMBERS, ids=[shown for _, shown in NO_NUMBERS])
def test_a_weight_is_a_finite_number_of_0_or_more(path: str, value: object, shown: str) -> None:
    problems = [
        (problem.key, dict(problem.facts)) for problem in spec_problems(spec_with(path, value))
    ]
    assert problems == [("spec.not-a-weight", {"key": path, "found": shown})]


@pytest.mark.parametrize("path", ["accuracy.reference", "speed.reference", "cost.reference"])
@pytest.mark.parametrize(
    ("value", "shown"), [*NO_NUMBERS, (0, "0"), (0.0, "0.0")], ids=lambda value: str(value)
)
def test_a_reference_is_a_finite_number_above_0_also_at_weight_0(
    path: str, value: object, shown: str
) -> None:
    spec = spec_with(path, value) | {"weights": {"accuracy": 0, "speed": 0, "cost": 0}}
    spec["weights"]["speed" if path.startswith("accuracy") else "accuracy"] = 1
    problems = [(problem.key, dict(problem.facts)) for problem in spec_problems(spec)]
    assert problems == [("spec.not-positive", {"key": path, "found": shown})]


@pytest.mark.parametrize("path", ["weights.cost", "cost.reference"])
def test_a_number_that_no_float_holds_is_a_problem(path: str) -> None:
    (problem,) = spec_problems(spec_with(path, 10**400))
    assert problem.facts["key"] == path


def test_a_zero_that_is_no_number_of_the_contract_is_no_weight_of_zero() -> None:
    zero: Any = Decimal(0)
    problems = [problem.key for problem in spec_problems(weights(zero, zero, zero))]
    assert problems == ["spec.not-a-weight"] * 3


def test_an_unknown_key_is_shown_cut() -> None:
    (problem,) = spec_problems(spec_with("speed." + "k" * 500, 1))
    assert problem.facts["key"] == "speed." + "k" * 199 + "…"


def test_a_section_that_is_no_dict_hides_no_other_problem() -> None:
    spec = spec_with("weights", 3) | {"speed": {"reference": 0}}
    assert [(problem.key, problem.facts["key"]) for problem in spec_problems(spec)] == [
        ("spec.not-a-dict", "weights"),
        ("spec.not-positive", "speed.reference"),
    ]


def test_all_problems_are_found_at_once() -> None:
    spec = {"weights": {"accuracy": -1, "speed": 1, "extra": 0}, "speed": {}, "cost": 3, "time": 1}
    problems = [(problem.key, problem.facts["key"]) for problem in spec_problems(spec)]
    assert problems == [
        ("spec.key-missing", "accuracy"),
        ("spec.key-unknown", "time"),
        ("spec.key-missing", "weights.cost"),
        ("spec.key-unknown", "weights.extra"),
        ("spec.not-a-weight", "weights.accuracy"),
        ("spec.key-missing", "speed.reference"),
        ("spec.not-a-dict", "cost"),
    ]
