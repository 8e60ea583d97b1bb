"""How values of a metric are shown: short, on one line, whatever their own methods do (B2)."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from skynet_stub.display import (
    cut,
    show,
    show_exception,
    show_json,
    shown_name,
    type_name,
    visible,
)


class Refuses:
    def __repr__(self) -> str:
        raise SystemExit

    __str__ = __repr__


class RefusesAsAnError(ValueError):
    __str__ = Refuses.__repr__


class OddName(str):
    __slots__ = ()

    def __format__(self, spec: str) -> str:
        raise KeyboardInterrupt


class NamelessType(type):
    @property
    def __module__(cls) -> str:  # type: ignore[override]
        raise KeyboardInterrupt


class Nameless(metaclass=NamelessType):
    pass


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.8, "0.8"),
        ("it's", '"it\'s"'),
        ("a\nb", r"'a\nb'"),
        ((1, {"feedback": "Right."}), "(1, {'feedback': 'Right.'})"),
        (Decimal("0.8"), "Decimal('0.8')"),
        (None, "None"),
        ("x" * 198, "'" + "x" * 198 + "'"),
        ([0] * 8, "[0, 0, 0, 0, 0, 0, 0, 0]"),
        ([0] * 9, "[0, 0, 0, 0, 0, 0, 0, 0, ...]"),
        ([[[[[1]]]]], "[[[[[...]]]]]"),
        (Refuses(), "<test_display.Refuses>"),
        ([Refuses()], "<list>"),
    ],
)
def test_a_value_is_shown_as_its_repr(value: object, text: str) -> None:
    assert show(value) == text


@pytest.mark.parametrize("value", ["x" * 199, "x" * 10_000, 10**1000, ["x" * 300] * 3, b"x" * 300])
def test_a_long_value_is_shown_in_200_characters(value: object) -> None:
    assert 190 <= len(show(value)) <= 200


def test_a_value_that_contains_itself_is_shown() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert show(loop).startswith("[[[")


def test_a_repr_of_several_lines_is_shown_on_one() -> None:
    class Array:
        def __repr__(self) -> str:
            return "array([[1, 2],\n       [3, 4]])"

    assert show(Array()) == "array([[1, 2], [3, 4]])"


def test_a_json_value_is_shown_as_a_case_file_may_hold_it() -> None:
    assert show_json({"né": [None, True]}) == '{"né": [null, true]}'
    assert show_json("a" * 300) == '"' + "a" * 198 + "…"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("12345", "12345"),
        ("123456", "1234…"),
        ("1 2\n\t3", "1 2 3"),
        ("", ""),
        (" 12345 ", "12345"),
    ],
)
def test_a_text_is_cut_to_so_many_characters(text: str, shown: str) -> None:
    assert cut(text, 5) == shown


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (1, "int"),
        (None, "NoneType"),
        (Decimal(1), "decimal.Decimal"),
        (Refuses(), "test_display.Refuses"),
        (type("Inner", (), {"__module__": "builtins", "__qualname__": "A.Inner"})(), "A.Inner"),
        (Nameless(), "object"),
        (type("A", (), {"__module__": OddName("m")})(), "m.A"),
        (type("A", (), {"__module__": "m", "__qualname__": OddName("B")})(), "m.B"),
    ],
    ids=["int", "None", "Decimal", "class", "inner class", "nameless", "odd module", "odd name"],
)
def test_a_type_is_named_with_its_module_except_for_builtins(value: object, name: str) -> None:
    assert type_name(value) == name


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("not a label"), "ValueError: not a label"),
        (ValueError("two\nlines"), "ValueError: two lines"),
        (KeyError("label"), "KeyError: 'label'"),
        (ValueError(), "ValueError"),
        (SystemExit(3), "SystemExit: 3"),
        (RefusesAsAnError(), "test_display.RefusesAsAnError"),
        (ValueError("x" * 388), "ValueError: " + "x" * 388),
        (ValueError("x" * 389), "ValueError: " + "x" * 387 + "…"),
    ],
)
def test_an_exception_is_shown_with_its_type_in_400_characters(
    error: BaseException, text: str
) -> None:
    assert show_exception(error) == text


# --- On a terminal -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("a\rb\nc\x00\x7f", r"a\rb\nc\x00\x7f"),
        ("\x9b31m\x85", r"\x9b31m\x85"),
        ("\u202eabc\u2066\u200f\u061c", r"\u202eabc\u2066\u200f\u061c"),
        ("\u2028\u2029\ufeff", r"\u2028\u2029\ufeff"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("\t\u00a0\u3000", "\t\u00a0\u3000"),
        ("né 中文 кот 👩\u200d🔬 нет\u202f5", "né 中文 кот 👩\u200d🔬 нет\u202f5"),
        (r"C:\new", r"C:\new"),
        ("", ""),
    ],
)
def test_what_would_steer_a_terminal_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_an_empty_name_is_shown_as_one() -> None:
    assert [shown_name(name) for name in ("", "a b", Path("a b"))] == ['""', "a b", "a b"]
