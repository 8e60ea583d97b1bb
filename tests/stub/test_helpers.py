"""What a metric may import from `skynet`: llm, reward, observation, service_cost (A5, A6, B6)."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

from skynet_stub.helpers import Helpers, ModelCall, Models
from skynet_stub.reasons import Hint
from small_metrics import GOOD, case, check, measured, reasons, returning, run

SPEC: dict[str, Any] = {
    "weights": {"accuracy": 1, "speed": 1, "cost": 0},
    "accuracy": {},
    "speed": {"reference": 1000},
    "cost": {"reference": 1},
}


# --- llm -----------------------------------------------------------------------------------------


def test_a_prompt_alone_is_the_user_message() -> None:
    helpers = Helpers()
    with helpers.running(case(llm=("PASS",))):
        assert helpers.llm("Is it right?") == "PASS"
    (call,) = helpers.calls
    assert call.messages == ({"role": "user", "content": "Is it right?"},)


@pytest.mark.parametrize("given", ["Berlin", ""])
def test_with_an_input_the_prompt_is_the_system_message(given: str) -> None:
    helpers = Helpers()
    with helpers.running(case(llm=("PASS",))):
        helpers.llm("Is it right?", input=given)
    (call,) = helpers.calls
    assert call.messages == (
        {"role": "system", "content": "Is it right?"},
        {"role": "user", "content": given},
    )


def test_an_input_of_none_is_no_input() -> None:
    helpers = Helpers()
    with helpers.running(case(llm=("PASS",))):
        helpers.llm("Is it right?", None)
    assert [message["role"] for message in helpers.calls[0].messages] == ["user"]


def test_the_replies_are_those_of_the_case_in_their_order() -> None:
    helpers = Helpers()
    for number, replies in enumerate((("a", "b"), ("c",)), 1):
        with helpers.running(case(number, llm=replies)):
            assert [helpers.llm("?") for _ in replies] == list(replies)
        assert [call.reply for call in helpers.calls] == list(replies)


@pytest.mark.parametrize(
    ("models", "model"),
    [
        (Models(), "stub-reflection-model"),
        (Models(metric="judge"), "judge"),
        (Models(metric="judge", reflection="thinker"), "judge"),
        (Models(reflection="thinker"), "thinker"),
        (Models(metric="judge", reflection=None), "judge"),
    ],
)
def test_a_call_goes_to_the_metric_model_else_to_the_reflection_model(
    models: Models, model: str
) -> None:
    helpers = Helpers(models)
    with helpers.running(case(llm=("PASS",))):
        helpers.llm("?")
    assert helpers.calls == [ModelCall(model, ({"role": "user", "content": "?"},), "PASS")]


def test_with_no_model_at_all_a_call_says_so() -> None:
    helpers = Helpers(Models(metric=None, reflection=None))
    with helpers.running(case(7, llm=("PASS",))), pytest.raises(RuntimeError) as caught:
        helpers.llm("?")
    assert str(caught.value) == (
        "case 7, llm() call 1: there is neither a metric model nor a reflection model"
    )
    assert helpers.calls == []


def test_with_no_reply_left_a_call_says_for_which_case_and_call() -> None:
    helpers = Helpers()
    with helpers.running(case(2, llm=("PASS",))), pytest.raises(RuntimeError) as caught:
        helpers.llm(helpers.llm("?"))
    assert str(caught.value) == "case 2, llm() call 2: no scripted reply is left"
    assert len(helpers.calls) == 1


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((1,), "llm() takes prompt as a string, not int"),
        ((None,), "llm() takes prompt as a string, not NoneType"),
        (("?", b"Berlin"), "llm() takes input as a string, not bytes"),
        (("?", 0), "llm() takes input as a string, not int"),
    ],
)
def test_a_prompt_or_an_input_that_is_no_string_is_refused(
    arguments: tuple[Any, ...], problem: str
) -> None:
    helpers = Helpers()
    with helpers.running(case(llm=("PASS",))), pytest.raises(TypeError) as caught:
        helpers.llm(*arguments)
    assert str(caught.value) == problem
    assert helpers.calls == []


class Prompt(StrEnum):
    JUDGE = "Is it right?"


def test_a_prompt_and_an_input_of_a_class_of_strings_are_recorded_as_plain_strings() -> None:
    helpers = Helpers()
    with helpers.running(case(llm=("PASS",))):
        helpers.llm(Prompt.JUDGE, Prompt.JUDGE)
    (call,) = helpers.calls
    assert [message["content"] for message in call.messages] == ["Is it right?"] * 2
    assert {type(message["content"]) for message in call.messages} == {str}


def test_the_module_can_be_looked_for(tmp_path: Path) -> None:
    source = returning(
        "1.0, {'feedback': importlib.util.find_spec('skynet').name}", "import importlib.util"
    )
    (called,) = run(tmp_path, source, [case()])
    assert called.returned is not None
    assert called.returned.feedback == "skynet"


class Array:
    """Compares as numpy's arrays do."""

    def __eq__(self, other: object) -> Any:
        return self

    def __ne__(self, other: object) -> Any:
        return self

    def __bool__(self) -> bool:
        raise ValueError("The truth value of an array is ambiguous")

    __hash__ = None  # type: ignore[assignment]


def test_a_spec_that_holds_an_array_is_refused_with_its_key() -> None:
    spec = SPEC | {"speed": {"reference": Array()}}
    helpers = Helpers(reward_spec=SPEC | {"speed": {"reference": Array()}})
    with helpers.running(case()), pytest.raises(ValueError, match=r"speed\.reference"):
        helpers.reward(spec, 1.0, "Right.")


# --- observation and service_cost ----------------------------------------------------------------


@pytest.mark.parametrize(("ms", "usd"), [(12.5, 0.25), (None, None), (0.0, None), (None, 3.0)])
def test_what_was_measured_of_the_case_can_be_read(ms: float | None, usd: float | None) -> None:
    helpers = Helpers()
    with helpers.running(case(measured=measured(ms, usd))):
        assert (helpers.observation().ms, helpers.observation().usd) == (ms, usd)
        assert helpers.service_cost() == usd


def test_an_observation_cannot_be_changed() -> None:
    helpers = Helpers()
    with helpers.running(case(measured=measured(1, 1))):
        observation = helpers.observation()
        with pytest.raises(AttributeError):
            observation.ms = 0.0  # type: ignore[misc]
        assert helpers.observation().ms == 1


# --- Outside a running case ----------------------------------------------------------------------


@pytest.mark.parametrize("after_a_case", [False, True])
@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("llm", "llm() was called outside a running case"),
        ("observation", "observation() was called outside a running case"),
        ("service_cost", "service_cost() was called outside a running case"),
    ],
)
def test_outside_a_running_case_there_is_nothing_to_read(
    call: str, problem: str, after_a_case: bool
) -> None:
    helpers = Helpers()
    if after_a_case:
        with helpers.running(case(llm=("PASS",), measured=measured(1, 1))):
            pass
    arguments = ("?",) if call == "llm" else ()
    with pytest.raises(RuntimeError) as caught:
        getattr(helpers, call)(*arguments)
    assert str(caught.value).startswith(problem)


def test_a_case_is_over_also_where_its_call_raises() -> None:
    helpers = Helpers()
    with pytest.raises(ZeroDivisionError), helpers.running(case()):
        raise ZeroDivisionError
    with pytest.raises(RuntimeError):
        helpers.observation()


@pytest.mark.parametrize("call", ["llm('?')", "observation()", "service_cost()"])
def test_while_the_file_is_loading_the_helpers_raise(tmp_path: Path, call: str) -> None:
    report = check(tmp_path, f"import skynet\nskynet.{call}\n")
    (failure,) = report.items[0].failures
    assert failure.fault.reason == "loading-raised"
    name = call.partition("(")[0]
    assert failure.fault.facts["exception"].startswith(f"RuntimeError: {name}() was called outside")


def test_a_metric_that_is_read_after_its_call_is_no_running_case(tmp_path: Path) -> None:
    source = """
from skynet import observation
class Late(float):
    def __float__(self):
        return float(observation().ms)
def score(input, output):
    return Late(0.5), {"feedback": "Right."}
"""
    assert reasons(check(tmp_path, source)) == [(1, "unreadable-value")]


# --- reward --------------------------------------------------------------------------------------


def test_a_reward_takes_what_was_measured_of_the_case() -> None:
    helpers = Helpers(reward_spec=SPEC)
    with helpers.running(case(measured=measured(1000, None))):
        score, info = helpers.reward(SPEC, 1.0, "Right.")
    assert score == 0.75
    assert info == {
        "feedback": "Right.\nMeasured: run time 1000 ms, model cost not measured.",
        "scores": {"accuracy": 1.0, "speed": 0.5, "cost": 0.0},
    }


def test_the_next_case_has_measurements_of_its_own() -> None:
    helpers = Helpers(reward_spec=SPEC)
    scores = []
    for ms in (0, 1000, 3000):
        with helpers.running(case(measured=measured(ms, 0))):
            scores.append(helpers.reward(SPEC, 1.0, "Right.")[0])
    assert scores == [1.0, 0.75, 0.625]


@pytest.mark.parametrize(
    ("spec", "used"),
    [(SPEC, False), (dict(SPEC), False), (SPEC | {"speed": {"reference": 1}}, True)],
)
def test_another_spec_than_the_module_s_is_noticed(spec: dict[str, Any], used: bool) -> None:
    helpers = Helpers(reward_spec=SPEC)
    with helpers.running(case()):
        helpers.reward(spec, 1.0, "Right.")
        assert helpers.other_spec_used is used
        helpers.reward(SPEC, 1.0, "Right.")
        assert helpers.other_spec_used is used
    with helpers.running(case()):
        assert helpers.other_spec_used is False


def test_a_reward_can_be_made_while_there_is_no_case() -> None:
    helpers = Helpers(reward_spec=SPEC)
    score, info = helpers.reward(SPEC, 1.0, "Right.")
    assert (score, info["scores"]) == (0.5, {"accuracy": 1.0, "speed": 0.0, "cost": 0.0})
    assert helpers.other_spec_used is False


# --- The module ----------------------------------------------------------------------------------


def test_the_module_says_its_name_and_that_it_is_the_stub_s() -> None:
    module = Helpers().module()
    assert module.__name__ == "skynet"
    assert "local stub" in (module.__doc__ or "")


def test_the_module_offers_four_functions_and_nothing_else() -> None:
    module = Helpers().module()
    offered = {name for name in vars(module) if not name.startswith("__")}
    assert offered == {"llm", "observation", "reward", "service_cost"}
    assert sorted(module.__all__) == sorted(offered)


def test_all_of_them_can_be_imported_at_once(tmp_path: Path) -> None:
    source = "from skynet import *\n" + returning("service_cost(), {'feedback': llm('?')}")
    (called,) = run(tmp_path, source, [case(llm=("PASS",), measured=measured(usd=0.5))])
    assert called.returned is not None
    assert (called.returned.score, called.returned.feedback) == (0.5, "PASS")
    assert [call.reply for call in called.model_calls] == ["PASS"]


def test_a_helper_that_was_imported_while_loading_serves_every_case(tmp_path: Path) -> None:
    source = returning("1, {'feedback': llm('?')}", "from skynet import llm")
    called = run(tmp_path, source, [case(1, llm=("a",)), case(2, llm=("b",))])
    assert [one.returned.feedback for one in called if one.returned] == ["a", "b"]


def test_the_module_exists_only_while_a_metric_is_loaded_and_run() -> None:
    assert "skynet" not in sys.modules
    with Helpers().installed():
        assert "skynet" in sys.modules
    assert "skynet" not in sys.modules


def test_another_module_named_skynet_is_put_back() -> None:
    earlier = sys.modules["skynet"] = Helpers().module()
    try:
        with Helpers().installed():
            assert sys.modules["skynet"] is not earlier
        assert sys.modules["skynet"] is earlier
    finally:
        del sys.modules["skynet"]


@pytest.mark.parametrize(
    ("source", "models", "hint"),
    [
        ("llm('?')", Models(), Hint("hint.one-more-reply", {"n": "0"})),
        ("llm('?')", Models(None, None), Hint("hint.no-model")),
    ],
)
def test_a_call_that_fails_says_what_to_do_in_the_words_of_the_report(
    tmp_path: Path, source: str, models: Models, hint: Hint
) -> None:
    metric = f"from skynet import llm\n{returning(source)}"
    report = check(tmp_path, metric, [case()], models=models)
    assert hint in report.items[3].failures[0].fault.hints


@pytest.mark.parametrize("call", ["llm('?')", "observation()", "service_cost()"])
def test_a_helper_while_loading_says_where_to_call_it(tmp_path: Path, call: str) -> None:
    report = check(tmp_path, f"from skynet import *\n{call}\n{GOOD}")
    assert Hint("hint.only-in-a-case") in report.items[0].failures[0].fault.hints
