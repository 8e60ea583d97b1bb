"""Columns for a terminal: Chinese is twice as wide, accents are of no width."""

from __future__ import annotations

import pytest

from skynet_stub.tables import aligned, fit, width


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("abc", 3), ("ёж", 2), ("指标", 4), ("，", 2), ("e\u0301", 1), ("a\u200bb", 2)],
)
def test_a_text_takes_the_columns_that_a_terminal_gives_it(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("指标", 4, "指标"),
        ("指标指", 5, "指标…"),
        ("指标指", 4, "指…"),
        ("a" * 1000, 1, "…"),
    ],
)
def test_a_text_is_cut_to_its_columns(text: str, columns: int, shown: str) -> None:
    assert fit(text, columns) == shown


def test_columns_stand_below_each_other_left_or_right_without_blanks_at_the_end() -> None:
    rows = [("a", "1", "x"), ("指标", "100", "yy"), ("ab", "", "")]
    assert list(aligned(rows, right=frozenset({1}))) == ["a       1  x", "指标  100  yy", "ab"]
