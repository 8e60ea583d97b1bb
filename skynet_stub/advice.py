"""Advice: what is worth saying about a metric, though nothing fails for it (B8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skynet_stub.cases import Case
from skynet_stub.metric_file import FILE_NAME
from skynet_stub.outcomes import Advice, Called, Returned

FEEDBACK_CHARACTERS = 100_000
"""A longer feedback gets advice, in characters (B8)."""

ADVICE = (
    "file-name",
    "parameter-order",
    "bool-score",
    "score-above-one",
    "blank-feedback",
    "feedback-lone-surrogate",
    "feedback-too-long",
    "other-spec",
    "replies-left-over",
    "named-scores-in-some-cases",
    "same-feedback",
)
"""Ids of all advice. Its words are the catalog's `advice.<id>`."""


def file_advice(name: str) -> Iterator[Advice]:
    """Advice on the name of the metric file (A1, B3)."""
    if name != FILE_NAME:
        yield Advice("file-name", facts={"name": name})


def case_advice(case: Case, called: Called) -> Iterator[Advice]:
    """Advice on the call for one case, what was noticed while it ran included."""
    yield from called.advice
    if called.returned is not None:
        yield from _result_advice(case.number, called.returned)
        left_over = len(case.llm) - len(called.model_calls)
        if left_over:
            yield Advice("replies-left-over", case.number, {"n": str(left_over)})


def _result_advice(number: int, returned: Returned) -> Iterator[Advice]:
    if returned.score > 1:
        yield Advice("score-above-one", number, {"found": f"{returned.score:g}"})
    feedback = returned.feedback
    if not feedback.strip():
        yield Advice("blank-feedback", number)
    if any("\ud800" <= character <= "\udfff" for character in feedback):
        yield Advice("feedback-lone-surrogate", number)
    if len(feedback) > FEEDBACK_CHARACTERS:
        yield Advice("feedback-too-long", number, {"length": str(len(feedback))})


def advice_across_cases(cases: Sequence[Case], called: Sequence[Called]) -> Iterator[Advice]:
    """Advice that shows only when the results of several cases stand side by side."""
    results = [
        (case, one.returned)
        for case, one in zip(cases, called, strict=True)
        if one.returned is not None
    ]
    if len({returned.scores is None for _, returned in results}) > 1:
        yield Advice("named-scores-in-some-cases")
    first_with: dict[str, tuple[Case, Returned]] = {}
    for case, returned in results:
        other, earlier = first_with.setdefault(returned.feedback, (case, returned))
        if earlier.score != returned.score and other.output != case.output:
            yield Advice("same-feedback", case.number, {"other": str(other.number)})
