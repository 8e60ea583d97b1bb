"""How a metric is called: the first way that its signature takes, once, with copies (A2, B3)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skynet_stub.calling import (
    Binding,
    bind,
    names_in_another_order,
    readable_signature,
    unbound_fault,
)
from skynet_stub.reasons import Fault, Hint
from small_metrics import case, check, reasons, returning, run

Metric = Callable[..., object]

ALL = Binding(("input", "output", "expected"))
TWO = Binding(("input", "output"))
EXPECTED_BY_NAME = Binding(("input", "output"), ("expected",))


def wrapping(wrapped: Metric, wrapper: Metric) -> Metric:
    """A decorator's function, with the name and all else of the one that it wraps."""
    return functools.wraps(wrapped)(wrapper)


class Method:
    def score(self, input: object, output: object, expected: object = None) -> object:
        return input, output, expected

    def __call__(self, input: object, output: object) -> object:
        return input, output

    @staticmethod
    def static(input: object, output: object, expected: object) -> object:
        return input, output, expected

    @classmethod
    def of_class(cls, input: object, output: object) -> object:
        return input, output


class More:
    """Bound methods, whose signatures Python reads for us."""

    def four_with_defaults(self, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None: ...

    def four_required(self, a: int, b: int, c: int, d: int) -> None: ...

    def by_name(self, input: object, *, output: object, expected: object) -> None: ...


def handing_on(wrapped: Metric) -> Metric:
    return wrapping(wrapped, lambda *args, **names: wrapped(*args, **names))


class DecoratedMethod:
    @handing_on
    def score(self, input: object, output: object) -> object:
        return input, output


class MadeOfThree:
    def __init__(self, input: object, output: object, expected: object) -> None:
        pass


class Unreadable:
    __signature__ = "not a signature"

    def __call__(self, *arguments: object) -> object:
        return arguments


class WithoutADict:
    __slots__ = ()

    def __call__(self, input: object, output: object) -> object:
        return input, output


def marked(function: Metric) -> Metric:
    """The function with an attribute of its own, as a decorator may leave one."""
    function.__dict__["mark"] = True
    return function


class RefusesItsSignature:
    @property
    def __signature__(self) -> inspect.Signature:
        raise SystemExit

    def __call__(self, *arguments: object) -> object:
        return arguments


def with_threshold(input: object, output: object, threshold: float) -> None: ...


BINDINGS: dict[str, tuple[Metric, Binding]] = {
    # A function that wraps another one: what is called counts, and what takes what is handed on.
    "an adapter of three over five": (
        wrapping(lambda a, b, c, d, e: 0, lambda input, output, expected: 0),
        ALL,
    ),
    "an adapter of three over two": (
        wrapping(lambda a, b: 0, lambda input, output, expected=None: 0),
        ALL,
    ),
    "an adapter of two over three": (wrapping(lambda a, b, c: 0, lambda input, output: 0), TWO),
    "*args over two": (wrapping(lambda a, b: 0, lambda *args, **names: 0), TWO),
    "*args over three": (wrapping(lambda a, b, c=None: 0, lambda *args, **names: 0), ALL),
    "*args over expected by name": (
        wrapping(lambda a, b, *, expected: 0, lambda *args, **names: 0),
        EXPECTED_BY_NAME,
    ),
    "*args and expected by name over three": (
        wrapping(lambda a, b, expected: 0, lambda *args, expected: 0),
        EXPECTED_BY_NAME,
    ),
    "*args over an adapter of three over two": (
        wrapping(wrapping(lambda a, b: 0, lambda a, b, c: 0), lambda *args, **names: 0),
        ALL,
    ),
    "*args alone over two and an optional keyword": (
        wrapping(lambda a, b, *, expected=None: 0, lambda *args: 0),
        TWO,
    ),
    "a method that hands on to two": (DecoratedMethod().score, TWO),
    # (1) all three by position
    "the signature of the guide": (lambda input, output, expected=None: 0, ALL),
    "other names": (lambda gold, pred, trace: 0, ALL),
    "three required": (lambda input, output, expected: 0, ALL),
    "all with defaults": (lambda input=None, output=None, expected=None: 0, ALL),
    "positional only": (lambda input, output, expected=None, /: 0, ALL),
    "*args": (lambda *args: 0, ALL),
    "one and *args": (lambda input, *args: 0, ALL),
    "two and *args": (lambda input, output, *args, **kwargs: 0, ALL),
    "a fourth with a default": (lambda input, output, expected, strict=False: 0, ALL),
    "an optional keyword": (lambda input, output, expected, *, strict=False: 0, ALL),
    "**kwargs too": (lambda input, output, expected=None, **kwargs: 0, ALL),
    "a bound method": (Method().score, ALL),
    "a method of four with defaults": (More().four_with_defaults, ALL),
    "a static method": (Method.static, ALL),
    "a class": (MadeOfThree, ALL),
    "a partial": (functools.partial(lambda mode, *three: 0, "strict"), ALL),
    "a signature that cannot be read": (Unreadable(), ALL),
    "a signature that raises": (RefusesItsSignature(), ALL),
    # (2) two by position, the expected value by name
    "expected by keyword only": (lambda input, output, *, expected: 0, EXPECTED_BY_NAME),
    "with a default": (lambda input, output, *, expected=None: 0, EXPECTED_BY_NAME),
    "two and **kwargs": (lambda input, output, **kwargs: 0, EXPECTED_BY_NAME),
    "a third and **kwargs": (lambda a, b, *, mode="", **kwargs: 0, EXPECTED_BY_NAME),
    "expected positional only and **kwargs": (
        lambda expected, output, /, **kwargs: 0,
        EXPECTED_BY_NAME,
    ),
    "**expected": (lambda input, output, /, **expected: 0, EXPECTED_BY_NAME),
    # (3) those three by name where they are keyword-only, the rest by position
    "output and expected by name": (
        lambda input, *, output, expected: 0,
        Binding(("input",), ("output", "expected")),
    ),
    "of a method": (More().by_name, Binding(("input",), ("output", "expected"))),
    "in their order": (
        lambda input, *, expected, output: 0,
        Binding(("input",), ("expected", "output")),
    ),
    "output alone by name": (
        lambda input, expected, *, output: 0,
        Binding(("input", "expected"), ("output",)),
    ),
    "input alone by name": (
        lambda output, expected, *, input, strict=True: 0,
        Binding(("output", "expected"), ("input",)),
    ),
    "all by name": (
        lambda *, input, output, expected=None: 0,
        Binding((), ("input", "output", "expected")),
    ),
    # (4) two by position
    "two": (lambda input, output: 0, TWO),
    "two of other names": (lambda gold, pred: 0, TWO),
    "two positional only, one of them named expected": (lambda expected, output, /: 0, TWO),
    "expected by position and **kwargs": (lambda expected, output, **kwargs: 0, TWO),
    "two with defaults": (lambda input=None, output=None: 0, TWO),
    "two and an optional keyword": (lambda input, output, *, strict=False: 0, TWO),
    "a partial that leaves two": (functools.partial(with_threshold, threshold=1), TWO),
    "an object with __call__": (Method(), TWO),
    "an object without a __dict__": (WithoutADict(), TWO),
    "a class method": (Method.of_class, TWO),
}


@pytest.mark.parametrize("signature", BINDINGS)
def test_a_metric_is_called_in_the_first_way_that_binds(signature: str) -> None:
    metric, binding = BINDINGS[signature]
    assert bind(metric) == binding


UNBOUND: dict[str, Metric] = {
    "none": lambda: 0,
    "one": lambda input: 0,
    "four required": lambda input, output, expected, trace: 0,
    "a method of four": More().four_required,
    "a required keyword": lambda input, output, expected=None, *, strict: 0,
    "two by name": lambda *, input, output: 0,
    "output by name and no place for expected": lambda input, *, output: 0,
    "three by name and one more": lambda *, input, output, expected, strict: 0,
    "**kwargs alone": lambda **kwargs: 0,
    "one and **kwargs": lambda input, **kwargs: 0,
    "*args alone over a required keyword": wrapping(lambda a, b, *, expected: 0, lambda *args: 0),
    "*args and a required keyword, with a mark": marked(lambda *args, strict: 0),
}


@pytest.mark.parametrize("signature", UNBOUND)
def test_a_metric_that_binds_in_no_way_is_not_called(signature: str) -> None:
    assert bind(UNBOUND[signature]) is None


def test_the_signature_that_does_not_bind_is_shown(tmp_path: Path) -> None:
    report = check(tmp_path, "def score(input, *, strict=False): ...")
    (failure,) = report.items[1].failures
    assert failure.fault.reason == "signature-does-not-bind"
    assert failure.fault.facts == {"signature": "(input, *, strict=False)"}


def test_the_fault_of_a_signature_says_what_was_meant() -> None:
    fault = Fault(
        "signature-does-not-bind",
        facts={"signature": "(self, input, output, expected)"},
        hints=(Hint("hint.method-without-object"),),
    )
    assert unbound_fault(lambda self, input, output, expected: 0) == fault


CALLED: dict[str, tuple[str, str]] = {
    "by position": ("input, output, expected=None", "[input, output, expected]"),
    "by other names": ("a, b, c", "[a, b, c]"),
    "by **kwargs": ("a, b, **kwargs", "[a, b, kwargs['expected']]"),
    "by keyword": ("a, b, *, expected", "[a, b, expected]"),
    "mixed": ("a, b, *, output", "[a, output, b]"),
    "all by keyword": ("*, expected, output, input", "[input, output, expected]"),
}


@pytest.mark.parametrize("how", CALLED)
def test_each_argument_arrives_where_it_belongs(tmp_path: Path, how: str) -> None:
    parameters, arguments = CALLED[how]
    source = f"def score({parameters}):\n    return 0, {{'feedback': repr({arguments})}}\n"
    one = case(output=["out"], input={"a": 1}, expected={"label": "b"})
    (called,) = run(tmp_path, source, [one])
    assert called.returned is not None
    assert called.returned.feedback == "[{'a': 1}, ['out'], {'label': 'b'}]"


@pytest.mark.parametrize("parameters", ["i, o, expected='mine'", "i, o, *, expected='mine'"])
def test_without_an_expected_value_none_is_passed_and_no_default(
    tmp_path: Path, parameters: str
) -> None:
    source = f"def score({parameters}):\n    return 0, {{'feedback': repr(expected)}}\n"
    (called,) = run(tmp_path, source, [case(expected=None)])
    assert called.returned is not None
    assert called.returned.feedback == "None"


def test_a_case_is_called_once_and_never_twice(tmp_path: Path) -> None:
    source = """
calls = 0
def score(*arguments, **named):
    global calls
    calls += 1
    if calls == 2:
        raise TypeError("score() takes 2 positional arguments but 3 were given")
    return calls, {"feedback": "Right."}
"""
    called = run(tmp_path, source, [case(1), case(2), case(3)])
    assert [one.returned.score if one.returned else None for one in called] == [1.0, None, 3.0]


def test_a_metric_that_changes_its_arguments_changes_nothing_else(tmp_path: Path) -> None:
    source = """
def score(input, output, expected):
    seen = repr([input, output, expected])
    input["a"].append(1)
    output[0]["label"] = "changed"
    output.clear()
    expected["label"] = "changed"
    return 0, {"feedback": seen}
"""
    shared: list[Any] = [{"label": "b"}]
    one = case(output=shared, input={"a": []}, expected=shared[0])
    called = run(tmp_path, source, [one, one])
    for outcome in called:
        assert outcome.returned is not None
        assert outcome.returned.feedback == "[{'a': []}, [{'label': 'b'}], {'label': 'b'}]"
    assert (one.input, one.output, one.expected) == ({"a": []}, [{"label": "b"}], {"label": "b"})


def test_a_value_that_no_case_file_holds_is_copied_too(tmp_path: Path) -> None:
    source = """
def score(input, output, expected=None):
    output[0].append(2)
    return 0, {"feedback": repr(output)}
"""
    one = case(output=([1],))
    called = run(tmp_path, source, [one, one])
    assert [outcome.returned.feedback for outcome in called if outcome.returned] == [
        "([1, 2],)"
    ] * 2
    assert one.output == ([1],)


def test_the_arguments_share_nothing_with_each_other(tmp_path: Path) -> None:
    shared: dict[str, Any] = {"label": "b"}
    source = returning("0, {'feedback': repr((input is output, output is expected))}")
    (called,) = run(tmp_path, source, [case(output=shared, input=shared, expected=shared)])
    assert called.returned is not None
    assert called.returned.feedback == "(False, False)"


# --- Names in another order (B8) -----------------------------------------------------------------

ANOTHER_ORDER: dict[str, Metric] = {
    "output first": lambda output, input, expected=None: 0,
    "expected in the middle": lambda input, expected, output: 0,
    "expected first of two": lambda expected, output: 0,
    "two swapped": lambda output, input: 0,
    "one name in the wrong place": lambda a, input, c: 0,
    "positional only": lambda output, input, expected=None, /: 0,
    "expected by name": lambda output, input, *, expected: 0,
}


@pytest.mark.parametrize("signature", ANOTHER_ORDER)
def test_names_of_arguments_in_the_wrong_places_are_noticed(signature: str) -> None:
    metric = ANOTHER_ORDER[signature]
    binding = bind(metric)
    assert binding is not None
    assert names_in_another_order(metric, binding) is True


IN_ORDER: dict[str, Metric] = {
    "the signature of the guide": lambda input, output, expected=None: 0,
    "other names": lambda gold, pred, trace=None: 0,
    "an own name and expected": lambda a, b, expected: 0,
    "two": lambda input, output: 0,
    "*args": lambda *args: 0,
    "keywords in any order": lambda *, expected, output, input: 0,
    "output by name": lambda input, expected, *, output: 0,
    "a fourth named like an argument": lambda a, b, c, output=None: 0,
    "*input": lambda a, *input: 0,
    "unreadable": Unreadable(),
}


@pytest.mark.parametrize("signature", IN_ORDER)
def test_other_names_and_the_right_order_are_fine(signature: str) -> None:
    metric = IN_ORDER[signature]
    binding = bind(metric)
    assert binding is not None
    assert names_in_another_order(metric, binding) is False


def test_a_signature_that_cannot_be_read_is_none() -> None:
    assert readable_signature(Unreadable()) is None
    assert str(readable_signature(lambda a, b=1: 0)) == "(a, b=1)"


def test_a_type_error_within_the_metric_is_no_matter_of_its_signature(tmp_path: Path) -> None:
    report = check(tmp_path, returning("int() + ''"))
    assert reasons(report) == [(1, "call-raised")]
