"""What each block becomes: Markdown, with its words from the message catalog."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from babel import Locale
from babel.dates import format_date

from docs_build import rows
from docs_build.faults import closest, refuse
from docs_build.snippets import Place, fence, read_snippet
from docs_build.tables import code_cell, lines_cell, table, text_cell
from skynet_stub.cases import Case, Pin, parse_cases
from skynet_stub.items import CHECK_ITEMS
from skynet_stub.json_text import one_line
from skynet_stub.limits import (
    CONTRACT_CHECK_CASES,
    GUIDE_RECORDED,
    METRIC_TIMEOUT_MAX_SECONDS,
    METRIC_TIMEOUT_SECONDS,
)
from skynet_stub.messages import LANGUAGES, Catalog
from skynet_stub.refused import Refused

_NAME = re.compile(r"[A-Za-z0-9_.-]+")

METRIC = "metric.py"
CASES = "cases.jsonl"


@dataclass(frozen=True, slots=True)
class Sources:
    """What pages are made from: the folder of snippets, and the messages of the page's language."""

    snippets: Path
    catalog: Catalog


@dataclass(frozen=True, slots=True)
class Rendering:
    """The Markdown of a block, and the snippets that it was made from."""

    text: str
    snippets: frozenset[str] = frozenset()


def example(sources: Sources, place: Place, name: str) -> Rendering:
    """An example in three tabs: its code, its cases, and the results that they pin."""
    folder = sources.snippets / name
    if "/" in name or not folder.is_dir():
        known = sorted(path.parent.name for path in sources.snippets.glob(f"*/{METRIC}"))
        problem = f"there is no example {name}."
        remedy = f"Examples: {', '.join(known)}.{closest(name, known)}"
        raise refuse(place.file, place.line, problem, remedy)
    metric = read_snippet(sources.snippets, f"{name}/{METRIC}", place)
    cases = read_snippet(sources.snippets, f"{name}/{CASES}", place)
    tabs = (
        (METRIC, fence(metric, None, place)),
        (sources.catalog.text("page.cases"), fence(cases, None, place)),
        (
            sources.catalog.text("page.results"),
            _results(sources.catalog, cases.text, f"{sources.snippets.name}/{cases.path}"),
        ),
    )
    text = "\n".join(f'=== "{title}"\n\n{_indented(content)}' for title, content in tabs)
    return Rendering(text, frozenset({metric.path, cases.path}))


def snippet(sources: Sources, place: Place, path: str, lines: tuple[int, int] | None) -> Rendering:
    """A snippet, or some lines of it, as a titled code block."""
    found = read_snippet(sources.snippets, path, place)
    return Rendering(fence(found, lines, place), frozenset({path}))


def validity_table(sources: Sources) -> Rendering:
    """The table of return values (A3): value, verdict, and why not."""
    word = sources.catalog.text
    header = [word("page.return-value"), word("page.valid"), word("page.why-not")]
    body = [
        [
            code_cell(row.value),
            _verdict(sources.catalog, valid=row.reason is None),
            text_cell(word(f"reason.{row.reason}")) if row.reason else "",
        ]
        for row in rows.read_return_values(sources.snippets)
    ]
    return Rendering(table(header, body), frozenset({rows.RETURN_VALUES}))


def feedback_pairs(sources: Sources) -> Rendering:
    """The pairs of weak and useful feedback (A4), side by side."""
    word, language = sources.catalog.text, sources.catalog.language
    header = [word("page.weak-feedback"), word("page.useful-feedback")]
    body = [
        [text_cell(pair.weak[language]), text_cell(pair.useful[language])]
        for pair in rows.read_feedback_pairs(sources.snippets, LANGUAGES)
    ]
    return Rendering(table(header, body), frozenset({rows.FEEDBACK}))


def limits(sources: Sources) -> Rendering:
    """The table of limits (A7)."""
    word, count = sources.catalog.text, sources.catalog.count
    body = [
        [word("limit.metric-timeout"), count("limit.seconds", METRIC_TIMEOUT_SECONDS)],
        [word("limit.metric-timeout-max"), count("limit.seconds", METRIC_TIMEOUT_MAX_SECONDS)],
        [word("limit.contract-check-cases"), count("limit.cases", CONTRACT_CHECK_CASES)],
    ]
    header = [word("page.limit"), word("page.limit-value")]
    return Rendering(table(header, [list(map(text_cell, row)) for row in body]))


def check_items(sources: Sources) -> Rendering:
    """The table of the items of the check (B7), in order: name, and where it fails.

    The second column's messages are Markdown, since they name code.
    """
    word = sources.catalog.text
    body = [
        [f"**{text_cell(word(f'item.{item}'))}**", word(f"item.{item}.fails").replace("|", r"\|")]
        for item in CHECK_ITEMS
    ]
    return Rendering(table([word("page.item"), word("page.item-fails")], body))


def guide_version(sources: Sources) -> Rendering:
    """One sentence: which version of the platform's guide the page describes."""
    date = long_date(GUIDE_RECORDED, sources.catalog.language)
    return Rendering(sources.catalog.text("page.guide-version", date=date))


def long_date(date: datetime.date, language: str) -> str:
    """A date in the words of a language."""
    return format_date(date, "long", locale=Locale.parse(language, sep="-"))


def _verdict(catalog: Catalog, *, valid: bool) -> str:
    """Yes or No. The class gives each a mark of its own, besides the word and its colour."""
    name = "valid" if valid else "invalid"
    word = text_cell(catalog.text(f"verdict.{name}"))
    return f'<span class="verdict verdict--{name}">{word}</span>'


def _results(catalog: Catalog, cases: str, file: str) -> str:
    """The pinned results of a case file as a table."""
    try:
        parsed = parse_cases(cases.encode(), file)
    except Refused as refused:
        message = str(refused)  # names the file and the line itself
        line = refused.facts.get("line")
        problem = message.partition(": ")[2] or message
        raise refuse(file, int(line) if line else None, problem, "") from None
    pins = [(case, _pin(case, file)) for case in parsed]
    named = any(pin.scores is not None for _, pin in pins)
    keys = ["page.case", "page.output", "page.score", "page.feedback"]
    if named:
        keys.append("page.named-scores")
    header = [catalog.text(key) for key in keys]
    return table(header, ([*_result_cells(case, pin, named=named)] for case, pin in pins))


def _pin(case: Case, file: str) -> Pin:
    if case.result is None or case.result.feedback is None:
        problem = f"case {case.number} pins no result, or no feedback with it."
        raise refuse(file, case.line, problem, "Run `make pin`, and read what it pinned.")
    return case.result


def _result_cells(case: Case, pin: Pin, *, named: bool) -> Iterator[str]:
    yield str(case.number)
    yield code_cell(one_line(case.output))
    yield code_cell(repr(pin.score))
    yield _feedback_cell(pin.feedback or "")
    if named:
        yield lines_cell(_named(pin.scores or {}))


def _named(scores: Mapping[str, float]) -> Iterator[str]:
    for name, score in scores.items():
        yield f"{name if _NAME.fullmatch(name) else one_line(name)}: {score!r}"


def _feedback_cell(feedback: str) -> str:
    """A feedback text, line by line; as a JSON string where a cell would hide some of it."""
    lines = feedback.split("\n")
    hidden = any(not line or line != line.strip() or not line.isprintable() for line in lines)
    if hidden or feedback.startswith('"'):
        return code_cell(one_line(feedback))
    return lines_cell(lines)


def _indented(text: str) -> str:
    """Text as the content of a tab. Blank lines stay blank."""
    lines = text.splitlines(keepends=True)
    return "".join(f"    {line}" if line.strip("\n") else line for line in lines)
