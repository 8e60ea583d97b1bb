"""Write a report as annotations of a GitHub workflow: one at the place of each failure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from skynet_stub.check import Report
from skynet_stub.display import visible
from skynet_stub.messages import catalog
from skynet_stub.report import (
    advice_text,
    placed_text,
    reason_text,
    remedy_texts,
    verdict_text,
)
from skynet_stub.report_json import from_here


def annotation_lines(report: Report, language: str, *, strict: bool = False) -> Iterator[str]:
    """An error for each failure, a warning for each piece of advice, and the verdict.

    Each stands at the line of the metric file that it came from, else at the line of its case.
    """
    words = catalog(language)
    for item in report.items:
        title = words.text(f"item.{item.id}")
        for failure in item.failures:
            fault = failure.fault
            texts = [
                placed_text(failure.case, fault.place, reason_text(fault, words), words),
                *remedy_texts(fault, words),
            ]
            place = _place(report, failure.case, fault.line)
            yield _annotation("error", place, title, texts)
    kind = "error" if strict else "warning"
    for advice in report.advice:
        text = placed_text(advice.case, "", advice_text(advice, words), words)
        title = words.text("report.advice-title")
        yield _annotation(kind, _place(report, advice.case, None), title, [text])
    yield visible(verdict_text(report, words, strict=strict))


def _place(report: Report, case: int | None, line: int | None) -> dict[str, str]:
    """The file and the line of an annotation, the line only where there is one."""
    if line is None and case is not None and report.case_file is not None:
        file = report.case_file
        line = next((one.line for one in report.checked if one.number == case), None)
    else:
        file = report.metric
    place = {"file": _from_the_repository(file)}
    return place | {"line": str(line)} if line is not None else place


def _from_the_repository(path: Path) -> str:
    """A path as GitHub reads it: from the folder of the checkout, wherever the workflow works."""
    checkout = os.environ.get("GITHUB_WORKSPACE", "")
    with suppress(ValueError):
        if checkout:
            return path.absolute().relative_to(checkout).as_posix()
    return from_here(path)


def _annotation(kind: str, place: dict[str, str], title: str, texts: list[str]) -> str:
    properties = ",".join(
        f"{name}={_property(value)}" for name, value in (place | {"title": title}).items()
    )
    return f"::{kind} {properties}::{_data(chr(10).join(map(visible, texts)))}"


def _data(text: str) -> str:
    """Text as the runner of a workflow reads it back."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
