"""A report can be written of whatever a metric returned, printed or raised, in each language."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skynet_stub.check import Failure, ItemResult, Report
from skynet_stub.items import RETURN_VALUE
from skynet_stub.messages import LANGUAGES
from skynet_stub.outcomes import Called, Loading
from skynet_stub.reasons import Fault
from skynet_stub.report import report_lines
from skynet_stub.return_value import check_return_value

TEXTS = st.text(st.characters(), max_size=20)  # half characters and control codes too
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.binary(max_size=5)
KEYS = st.sampled_from(["feedback", "Feedback", "scores", "message"]) | TEXTS | st.integers()
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.tuples(inner, st.dictionaries(KEYS, inner, max_size=4))
    ),
    max_leaves=12,
)


def report_of(faults: tuple[Fault, ...], printed: str) -> Report:
    """A report of one case with these faults, which printed this."""
    failures = tuple(Failure(fault, 1) for fault in faults)
    items = (ItemResult(RETURN_VALUE, not faults, failures),)
    return Report(Path("metric.py"), items, Loading(), (Called(1, faults, printed=printed),), ())


@pytest.mark.parametrize("language", LANGUAGES)
@given(value=VALUES, printed=TEXTS)
def test_a_report_of_any_value_is_lines_that_a_terminal_can_show(
    language: str, value: object, printed: str
) -> None:
    report = report_of(check_return_value(value).faults, printed)
    for line in report_lines(report, language):
        line.encode("utf-8")
        assert not any(one < " " and one != "\t" for one in line)
        assert "\x7f" not in line
        assert "\u202e" not in line
