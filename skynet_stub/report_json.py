"""Write a report for programs: one JSON document, which `report.schema.json` describes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from skynet_stub.check import Failure, ItemResult, Report
from skynet_stub.messages import Catalog, catalog
from skynet_stub.outcomes import Called, to_wire
from skynet_stub.report import advice_text, printed_text, reason_text, remedy_texts

SCHEMA_FILE = Path(__file__).with_name("report.schema.json")
"""The JSON Schema of the document. A sentence of it is the catalogs' `schema.<path of names>`."""


def report_json(report: Report, language: str, *, strict: bool = False) -> str:
    """The report as one JSON document, in ASCII; `strict` says that advice counts as a failure."""
    words = catalog(language)
    document = {
        "passed": report.passed and not (strict and report.advice),
        "metric": from_here(report.metric),
        "items": [_item(item, words) for item in report.items],
        "cases": [_case(called, words) for called in report.cases],
        "advice": [
            {"id": advice.id, "case": advice.case, "message": advice_text(advice, words)}
            for advice in report.advice
        ],
    }
    return json.dumps(document, indent=2, allow_nan=False)


def from_here(path: Path) -> str:
    """The path of a file, from the working directory where it is within it."""
    with suppress(FileNotFoundError):  # it was removed
        here = f"{os.getcwd().rstrip(os.sep)}{os.sep}"  # noqa: PTH109
        return str(path).removeprefix(here)
    return str(path)


def _item(item: ItemResult, words: Catalog) -> dict[str, object]:
    return {
        "id": item.id,
        "name": words.text(f"item.{item.id}"),
        "passed": item.passed,
        "failures": list(_failures(item.failures, words)),
    }


def _failures(failures: tuple[Failure, ...], words: Catalog) -> Iterator[dict[str, object]]:
    for failure in failures:
        fault = failure.fault
        yield {
            "case": failure.case,
            "reason": fault.reason,
            "place": fault.place,
            "message": reason_text(fault, words),
            "remedy": "\n".join(remedy_texts(fault, words)),
            "line": fault.line,
        }


def _case(called: Called, words: Catalog) -> dict[str, object]:
    returned = called.returned
    return {
        "case": called.case,
        "score": returned and returned.score,
        "feedback": returned and returned.feedback,
        "scores": returned and to_wire(returned.scores),
        "ms": called.ms,
        "printed": printed_text(called.printed, words),
        "llm_calls": to_wire(called.model_calls),
    }
