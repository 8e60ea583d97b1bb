"""JSON on a line of a case file: what is not changed stays as it is written."""

from __future__ import annotations

import pytest

from skynet_stub.json_text import members, one_line, with_member


def test_the_members_of_an_object_are_found_as_they_are_written() -> None:
    text = '{ "a" : {"x": [1, "}"]} ,"b":1.50e0, "c\\u0041": "\\u044f, \\"" }'
    assert [(key, text[place]) for key, place in members(text)] == [
        ("a", '{"x": [1, "}"]}'),
        ("b", "1.50e0"),
        ("cA", '"\\u044f, \\""'),
    ]
    assert list(members("{}")) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [("я", '"я"'), ("\n", '"\\n"'), ("\u200b", '"\\u200b"'), ("\ud800", '"\\ud800"'), (1.0, "1.0")],
)
def test_json_on_one_line_hides_nothing(value: object, text: str) -> None:
    assert one_line(value) == text


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ('{"a": 1}', '{"a": 1, "r": {"s": 0.5, "f": "x"}}'),
        ('{"a":1}', '{"a":1,"r":{"s":0.5,"f":"x"}}'),
        ('  { "a" : 1 } \r', '  { "a" : 1, "r": {"s": 0.5, "f": "x"} } \r'),
        ('{"r": {"s": 1}, "a": "}"}', '{"r": {"s": 0.5, "f": "x"}, "a": "}"}'),
        ('{"a":{"r":1},\t"\\u0072" : null}', '{"a":{"r":1},\t"\\u0072" : {"s":0.5,"f":"x"}}'),
        ('\ufeff{"a": "\\u044f"}', '\ufeff{"a": "\\u044f", "r": {"s": 0.5, "f": "x"}}'),
    ],
)
def test_one_member_is_set_and_all_else_stays(text: str, changed: str) -> None:
    assert with_member(text, "r", {"s": 0.5, "f": "x"}) == changed
