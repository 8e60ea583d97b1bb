"""The known name that somebody meant: near enough, or none."""

from __future__ import annotations

import pytest

from skynet_stub.closest import closest

KNOWN = ("input", "output", "expected", "llm", "measured", "result")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("outputs", "output"),
        ("outptu", "output"),
        ("utput", "output"),
        ("0utput", "output"),
        ("Expected", "expected"),
        ("mesuerd", "measured"),
        ("llms", "llm"),
        ("expect", "expected"),
    ],
)
def test_a_name_that_is_a_slip_or_two_away_is_found(name: str, meant: str) -> None:
    assert closest(name, KNOWN) == meant


@pytest.mark.parametrize("name", ["", "x", "label", "expected_output", "score", "гл", "o" * 10**6])
def test_a_name_that_is_like_none_has_none(name: str) -> None:
    assert closest(name, KNOWN) is None


def test_the_nearest_of_several_is_found_and_of_equals_the_first() -> None:
    assert closest("scored", ("stored", "scores", "score")) == "stored"
    assert closest("score", ("scores", "score")) == "score"
    assert closest("score", ()) is None
