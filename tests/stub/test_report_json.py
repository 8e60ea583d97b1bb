"""The report for programs: one JSON document, as its schema in the package describes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from message_sources import described, messages
from skynet_stub.advice import ADVICE
from skynet_stub.check import Report
from skynet_stub.items import CHECK_ITEMS
from skynet_stub.outcomes import Printed
from skynet_stub.reasons import REASONS
from skynet_stub.report_json import SCHEMA_FILE, report_json
from small_metrics import GOOD, case, cases_with, check, pinned, returning
from small_schema import faults

SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))


def document(report: Report, language: str = "en", *, strict: bool = False) -> dict[str, Any]:
    """The document, which keeps its schema."""
    text = report_json(report, language, strict=strict)
    assert text.isascii()
    read: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    assert not list(faults(read, SCHEMA))
    return read


def test_a_report_is_this_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = """
from skynet import llm
def score(input, output):
    if output == 2:
        raise ValueError("no label")
    print("judging")
    return True, {"feedback": llm("Is it right?", "x"), "scores": {"a": 0.5}}
"""
    cases = [case(1, llm=("PASS",), result=pinned(0.5)), case(2, 2)]
    report = check(tmp_path, source, cases)
    report = report.replace(cases=tuple(called.replace(ms=1.5) for called in report.cases))
    loaded = ("Metric file", "Metric function", "Reward spec")
    names = (*loaded, "Metric run", "Metric timeout", "Metric return value", "Pinned result")
    failures: dict[str, list[dict[str, Any]]] = {
        "run": [
            {
                "case": 2,
                "reason": "call-raised",
                "place": "",
                "message": "The call raised an exception",
                "remedy": "Return a score and feedback for this case too. "
                "Raised: ValueError: no label\n"
                'metric.py, line 5: raise ValueError("no label")',
                "line": 5,
            }
        ],
        "result": [
            {
                "case": 1,
                "reason": "pinned-score-differs",
                "place": "[0]",
                "message": "The score differs from the pinned one",
                "remedy": "Correct the metric, or pin the new result. Returned 1.0; pinned 0.5",
                "line": None,
            }
        ],
    }
    messages_of_call = [
        {"role": "system", "content": "Is it right?"},
        {"role": "user", "content": "x"},
    ]
    assert document(report) == {
        "passed": False,
        "metric": "metric.py",
        "items": [
            {
                "id": id,
                "name": name,
                "passed": id not in failures,
                "failures": failures.get(id, []),
            }
            for id, name in zip(CHECK_ITEMS, names, strict=True)
        ],
        "cases": [
            {
                "case": 1,
                "score": 1.0,
                "feedback": "PASS",
                "scores": {"a": 0.5},
                "ms": 1.5,
                "printed": "judging\n",
                "llm_calls": [
                    {
                        "model": "stub-reflection-model",
                        "messages": messages_of_call,
                        "reply": "PASS",
                    }
                ],
            },
            {
                "case": 2,
                "score": None,
                "feedback": None,
                "scores": None,
                "ms": 1.5,
                "printed": "",
                "llm_calls": [],
            },
        ],
        "advice": [
            {
                "id": "bool-score",
                "case": 1,
                "message": "The score is a bool, which counts as 1.0 or 0.0: "
                "`float(...)` says so plainly.",
            }
        ],
    }


def test_what_was_not_checked_is_null(tmp_path: Path) -> None:
    read = document(check(tmp_path, "def other(): ...", name="other.py"))
    assert [item["passed"] for item in read["items"]] == [True, False, *[None] * 5]
    assert (read["passed"], read["cases"]) == (False, [])
    assert [(one["id"], one["case"]) for one in read["advice"]] == [("file-name", None)]


def test_under_strict_advice_fails_the_document_as_it_does_the_command(tmp_path: Path) -> None:
    report = check(tmp_path, returning("True, {'feedback': 'x'}"))
    assert document(report)["passed"] is True
    assert document(report, strict=True)["passed"] is False
    assert document(check(tmp_path, GOOD), strict=True)["passed"] is True


def test_names_and_sentences_are_in_the_language_and_ids_are_not(tmp_path: Path) -> None:
    item = document(check(tmp_path, returning("0.8")), "zh-Hans")["items"][5]
    assert (item["id"], item["name"]) == ("return-value", "指标返回值")
    assert item["failures"][0]["message"] == "没有附加信息"
    assert item["failures"][0]["reason"] == "no-side-info"


@pytest.mark.parametrize("text", ["\ud800", "\x1b[2J\x00", "точно 好 \U0001f600", "\u2028", '"\\'])
def test_a_feedback_arrives_to_the_character(tmp_path: Path, text: str) -> None:
    source = returning(f"5e-324, {{'feedback': {text!r}, 'scores': {{{text!r}: 1e308}}}}")
    (found,) = document(check(tmp_path, source))["cases"]
    assert (found["score"], found["feedback"], found["scores"]) == (5e-324, text, {text: 1e308})


def test_what_was_left_out_of_what_was_printed_is_told_in_the_language(tmp_path: Path) -> None:
    report = check(tmp_path, GOOD)
    called = report.cases[0].replace(printed=Printed("a", 7, "b"))
    found = document(report.replace(cases=(called,)), "ru")["cases"][0]["printed"]
    assert found == "a\n[… пропущено 7 байт …]\nb"


def test_the_metric_elsewhere_has_its_whole_path(tmp_path: Path) -> None:
    assert document(check(tmp_path, GOOD))["metric"] == str(tmp_path / "metric.py")


def test_much_of_it_is_all_there(tmp_path: Path) -> None:
    read = document(check(tmp_path, returning("None"), cases_with(range(50))))
    assert (len(read["cases"]), len(read["items"][5]["failures"])) == (50, 50)


# --- The schema ----------------------------------------------------------------------------------


def test_the_schema_names_every_id_there_is() -> None:
    properties = SCHEMA["properties"]
    item = properties["items"]["items"]["properties"]
    assert item["id"]["enum"] == list(CHECK_ITEMS)
    assert item["failures"]["items"]["properties"]["reason"]["enum"] == list(REASONS)
    assert properties["advice"]["items"]["properties"]["id"]["enum"] == list(ADVICE)


def test_the_schema_describes_each_member_as_the_catalog_does() -> None:
    texts = {key: message.texts[0] for key, message in messages("en").items()}
    assert described() == {
        key.removeprefix("schema."): text
        for key, text in texts.items()
        if key.startswith("schema.")
    }


def test_every_member_in_the_schema_is_required_described_and_no_other_is_allowed() -> None:
    def objects(schema: dict[str, Any]) -> list[dict[str, Any]]:
        inner = [*schema.get("properties", {}).values()]
        inner += [schema["items"]] if "items" in schema else []
        found = [one for member in inner for one in objects(member)]
        return [schema, *found] if "properties" in schema else found

    for one in objects(SCHEMA):
        assert one["required"] == list(one["properties"])
        assert one["additionalProperties"] is False
        assert all("description" in member for member in one["properties"].values())
    assert len(objects(SCHEMA)) == 7  # the document, and what its lists hold
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"passed": 1},
        {"items": [{"id": "nothing"}]},
        {"cases": [{"case": 0}]},
        {"more": 1},
    ],
)
def test_a_document_of_another_shape_does_not_keep_the_schema(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    read = document(check(tmp_path, GOOD))
    assert list(faults(read | wrong if wrong else {}, SCHEMA))
