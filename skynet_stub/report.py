"""Write a report for people, in their language (B7, B8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import islice

from skynet_stub import items
from skynet_stub.check import Failure, ItemResult, Report
from skynet_stub.display import visible
from skynet_stub.messages import Catalog, catalog
from skynet_stub.outcomes import Advice
from skynet_stub.reasons import Fault

SHOWN = 20
"""How many failures of one item are shown, remarks on one of them, and pieces of advice."""

_MARKS = {True: "✓", False: "✗", None: "–"}


def report_lines(report: Report, language: str, *, strict: bool = False) -> Iterator[str]:
    """The lines of the report: items with their failures, advice, and the verdict at the end.

    Each can be shown on a terminal, whatever a metric returned or printed. `strict` says that
    advice counts as a failure.
    """
    return map(visible, _lines(report, catalog(language), strict))


def _lines(report: Report, words: Catalog, strict: bool) -> Iterator[str]:
    yield words.count("report.checked", len(report.cases), metric=report.metric.name)
    yield ""
    for item in report.items:
        yield from _item_lines(item, words, loaded=not report.loading.faults)
    yield from _printed_lines(report, words)
    if report.advice:
        yield ""
        yield words.text("report.advice-counts" if strict else "report.advice")
        lines = (f"  {_advice_line(advice, words)}" for advice in report.advice)
        yield from _first(lines, len(report.advice), "  ", "report.more-advice", words)
    yield ""
    failed = sum(item.passed is False for item in report.items)
    if failed:
        yield words.count("report.failed", failed)
    else:
        counts = strict and report.advice
        yield words.text("report.passed-but-advice" if counts else "report.passed")


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


def _item_lines(item: ItemResult, words: Catalog, loaded: bool) -> Iterator[str]:
    state = {True: "item-passed", False: "item-failed", None: "item-not-checked"}[item.passed]
    if item.passed is None and item.id == items.RESULT and loaded:
        state = "nothing-to-compare"
    name = words.text(f"item.{item.id}")
    line = words.text("report.item", item=name, state=words.text(f"report.{state}"))
    yield f"  {_MARKS[item.passed]} {line}"
    for failure in item.failures[:SHOWN]:
        yield from _failure_lines(failure, words)
    yield from _first((), len(item.failures), "      ", "report.more-failures", words)


def _failure_lines(failure: Failure, words: Catalog) -> Iterator[str]:
    fault = failure.fault
    where = []
    if failure.case is not None:
        where.append(words.text("report.case", case=failure.case))
    if fault.line is not None:
        where.append(words.text("report.line", line=fault.line))
    if fault.place:
        where.append(fault.place)
    yield f"      {_placed(where, reason_text(fault, words), words)}"
    for sentence in remedy_texts(fault, words):
        yield f"        {sentence}"


def _placed(where: list[str], text: str, words: Catalog) -> str:
    """A text with the places it is about in front of it."""
    if not where:
        return text
    place = reduce(
        lambda first, next: words.text("report.and-where", first=first, next=next), where
    )
    return words.text("report.failure", where=place, reason=text)


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
        lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
        yield from (f"    {line}" for line in lines)


def left_out_text(count: int, words: Catalog) -> str:
    """What stands for the bytes between the first and the last that a case printed."""
    return words.count("report.left-out", count)


def _advice_line(advice: Advice, words: Catalog) -> str:
    text = _counted(f"advice.{advice.id}", advice.facts, words)
    where = [] if advice.case is None else [words.text("report.case", case=advice.case)]
    return _placed(where, text, words)
