"""Advice: what is worth saying about a metric, though nothing fails for it (B8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

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
        yield Advice("score-above-one", number, {"found": repr(returned.score).removesuffix(".0")})
    feedback = returned.feedback
    if not feedback.strip():
        yield Advice("blank-feedback", number)
    if feedback.encode(errors="ignore").decode() != feedback:
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
    yield from _same_feedback(results)


def _same_feedback(results: Iterable[tuple[Case, Returned]]) -> Iterator[Advice]:
    """Each case whose feedback an earlier one had too, for another output and another score.

    Of the cases of one feedback and one score two are kept, with different outputs: one of them
    differs from any further output.
    """
    earlier: dict[str, dict[float, list[Case]]] = {}
    for case, returned in results:
        by_score = earlier.setdefault(returned.feedback, {})
        others = (
            one for score, kept in by_score.items() if score != returned.score for one in kept
        )
        other = next((one for one in others if one.output != case.output), None)
        if other is not None:
            yield Advice("same-feedback", case.number, {"other": str(other.number)})
        kept = by_score.setdefault(returned.score, [])
        if len(kept) < 2 and all(one.output != case.output for one in kept):
            kept.append(case)
