"""Write a report for people, in their language (B7, B8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice

from skynet_stub import items
from skynet_stub.check import Failure, ItemResult, Report
from skynet_stub.display import cut, visible
from skynet_stub.messages import Catalog, catalog
from skynet_stub.outcomes import Advice, Called, Printed
from skynet_stub.reasons import Fault
from skynet_stub.return_value import LEFT_OUT
from skynet_stub.tables import aligned, fit

SHOWN = 20
"""How many failures of one item are shown, remarks on one of them, and pieces of advice."""

_MARKS = {True: "✓", False: "✗", None: "–"}
_COLOURS = {True: "\x1b[32m", False: "\x1b[31m", None: "\x1b[2m"}
_BOLD, _END = "\x1b[1m", "\x1b[0m"

_HEADINGS = ("page.case", "report.ms", "page.score", "page.named-scores", "page.feedback")
_NAMED_SCORES = 3
_FEEDBACK_COLUMNS = 60


def report_lines(
    report: Report, language: str, *, strict: bool = False, colour: bool = False
) -> Iterator[str]:
    """The lines of the report: items with their failures, cases, advice, the verdict at the end.

    Each can be shown on a terminal, whatever a metric returned or printed. `strict` says that
    advice counts as a failure, `colour` that marks and verdict are coloured.
    """
    words = catalog(language)
    for line in map(visible, _lines(report, words, strict)):
        yield _painted(line) if colour else line
    verdict = verdict_text(report, words, strict=strict)
    passed = report.passed and not (strict and report.advice)
    yield f"{_BOLD}{_COLOURS[passed]}{verdict}{_END}" if colour else verdict


def _painted(line: str) -> str:
    """The line with its mark in colour, where it is one of an item: no other begins with a mark."""
    for passed, mark in _MARKS.items():
        if line.startswith(f"  {mark} "):
            return f"  {_COLOURS[passed]}{mark}{_END}{line[3:]}"
    return line


def _lines(report: Report, words: Catalog, strict: bool) -> Iterator[str]:
    yield words.count("report.checked", len(report.cases), metric=report.metric.name)
    yield ""
    yield from _items_lines(report, words)
    yield from _case_lines(report.cases, words)
    yield from _printed_lines(report, words)
    if report.advice:
        yield ""
        yield words.text("report.advice-counts" if strict else "report.advice")
        lines = (f"  {_advice_line(advice, words)}" for advice in report.advice)
        yield from _first(lines, len(report.advice), "  ", "report.more-advice", words)
    yield ""


def verdict_text(report: Report, words: Catalog, *, strict: bool) -> str:
    """Whether the metric keeps the contract, in one sentence."""
    failed = sum(item.passed is False for item in report.items)
    if failed:
        return words.count("report.failed", failed)
    counts = strict and report.advice
    return words.text("report.passed-but-advice" if counts else "report.passed")


def _first(
    lines: Iterable[str], length: int, indent: str, more: str, words: Catalog
) -> Iterator[str]:
    """The first of the lines, and how many more there are."""
    yield from islice(lines, SHOWN)
    if length > SHOWN:
        yield indent + words.count(more, length - SHOWN)


def reason_text(fault: Fault, words: Catalog) -> str:
    """Why something failed: the first line of a failure, and the cell of the table."""
    return words.text(f"reason.{fault.reason}")


def remedy_texts(fault: Fault, words: Catalog) -> Iterator[str]:
    """What to do about a fault, then each near miss that was recognized."""
    yield words.text(f"remedy.{fault.reason}", **fault.facts)
    hints = (_counted(hint.key, hint.facts, words) for hint in fault.hints)
    yield from _first(hints, len(fault.hints), "", "report.more-hints", words)


def _counted(key: str, facts: Mapping[str, str], words: Catalog) -> str:
    """A sentence, in the plural form for its `n` where it has one."""
    n = facts.get("n")
    return words.count(key, int(n)) if n else words.text(key, **facts)


def _items_lines(report: Report, words: Catalog) -> Iterator[str]:
    loaded = not report.loading.faults
    rows = [
        (words.text(f"item.{item.id}"), _state(item, words, loaded=loaded)) for item in report.items
    ]
    for item, row in zip(report.items, aligned(rows), strict=True):
        yield f"  {_MARKS[item.passed]} {row}"
        for failure in item.failures[:SHOWN]:
            yield from _failure_lines(failure, words)
        yield from _first((), _count(item.failures), "      ", "report.more-failures", words)


def _count(failures: Sequence[Failure]) -> int:
    """How many failures there are, those too that are only counted."""
    hints = (hint for failure in failures for hint in failure.fault.hints)
    return len(failures) + sum(int(one.facts["n"]) for one in hints if one.key == LEFT_OUT)


def _state(item: ItemResult, words: Catalog, loaded: bool) -> str:
    state = {True: "item-passed", False: "item-failed", None: "item-not-checked"}[item.passed]
    if item.passed is None and item.id == items.RESULT and loaded:
        state = "nothing-to-compare"
    return words.text(f"report.{state}")


def _case_lines(cases: Sequence[Called], words: Catalog) -> Iterator[str]:
    """The cases as a table: what the metric returned for each, and how long it took."""
    if all(one.returned is None for one in cases):
        return
    shown = cases[:SHOWN]
    named = any(one.returned and one.returned.scores for one in shown)
    rows = [[words.text(key) for key in _HEADINGS], *(_case_row(one) for one in shown)]
    if not named:
        for row in rows:
            del row[_NAMED_SCORES]
    yield ""
    yield from (f"  {line}" for line in aligned(rows, right=frozenset({0, 1, 2})))
    yield from _first((), len(cases), "  ", "report.more-cases", words)


def _case_row(called: Called) -> list[str]:
    row = [str(called.case), f"{called.ms:.0f}"]
    if called.returned is None:
        return [*row, _MARKS[None], "", ""]
    named = (f"{name} {score:.6g}" for name, score in (called.returned.scores or {}).items())
    texts = (", ".join(islice(named, SHOWN)), called.returned.feedback[: 2 * _FEEDBACK_COLUMNS])
    return [
        *(*row, f"{called.returned.score:.6g}"),
        *(fit(visible(cut(text)), _FEEDBACK_COLUMNS) for text in texts),
    ]


def _failure_lines(failure: Failure, words: Catalog) -> Iterator[str]:
    yield f"      {failure_text(failure, words)}"
    for sentence in remedy_texts(failure.fault, words):
        yield f"        {sentence}"


def case_failure_lines(report: Report, number: int, words: Catalog) -> Iterator[str]:
    """What failed for this case, or for the metric as a whole, each with its item and remedy."""
    found = [
        (words.text(f"item.{item.id}"), failure)
        for item in report.items
        for failure in item.failures
        if failure.case in (None, number)
    ]
    for item, failure in found[:SHOWN]:
        text = words.text("report.failure", where=item, reason=failure_text(failure, words))
        yield visible(text)
        yield from (f"  {visible(sentence)}" for sentence in remedy_texts(failure.fault, words))
    count = _count([failure for _, failure in found])
    yield from _first((), count, "", "report.more-failures", words)


def failure_text(failure: Failure, words: Catalog) -> str:
    """Where something failed, and why."""
    fault = failure.fault
    return placed_text(failure.case, fault.place, reason_text(fault, words), words, fault.line)


def placed_text(
    case: int | None, place: str, text: str, words: Catalog, line: int | None = None
) -> str:
    """A text with the places it is about in front of it."""
    where = []
    if case is not None:
        where.append(words.text("report.case", case=case))
    if line is not None:
        where.append(words.text("report.line", line=line))
    if place:
        where.append(cut(place))
    if not where:
        return text
    places = reduce(
        lambda first, next: words.text("report.and-where", first=first, next=next), where
    )
    return words.text("report.failure", where=places, reason=text)


def _printed_lines(report: Report, words: Catalog) -> Iterator[str]:
    printed = [(None, report.loading.printed), *((one.case, one.printed) for one in report.cases)]
    if not any(text for _, text in printed):
        return
    yield ""
    yield words.text("report.printed")
    for case, text in printed:
        if not text:
            continue
        if case is not None:
            yield f"  {words.text('report.case', case=case)}"
        lines = printed_text(text, words).replace("\r\n", "\n").removesuffix("\n").split("\n")
        yield from (f"    {line}" for line in lines)


def printed_text(printed: Printed, words: Catalog) -> str:
    """What was printed, with a line in place of the bytes that were left out."""
    if not printed.left_out:
        return printed.head
    return f"{printed.head}\n{left_out_text(printed.left_out, words)}\n{printed.tail}"


def left_out_text(count: int, words: Catalog) -> str:
    """What stands for the bytes between the first and the last that a case printed."""
    return words.count("report.left-out", count)


def advice_text(advice: Advice, words: Catalog) -> str:
    """What a piece of advice says, its case apart."""
    return _counted(f"advice.{advice.id}", advice.facts, words)


def _advice_line(advice: Advice, words: Catalog) -> str:
    return placed_text(advice.case, "", advice_text(advice, words), words)
