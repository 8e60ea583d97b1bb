"""The report as annotations of a GitHub workflow: each at its file and line, rightly escaped."""

from __future__ import annotations

from pathlib import Path

import pytest

from skynet_stub.annotations import annotation_lines
from skynet_stub.check import Report, check_metric
from skynet_stub.in_process import run_in_process
from small_metrics import GOOD, returning, write_metric

CASES = '\n{"input": {}, "output": 1}\n\n{"input": {}, "output": 2}\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory; the metric and its cases are in a folder within."""
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "cases.jsonl").write_text(CASES, encoding="utf-8")
    return tmp_path


def checked(source: str, name: str = "metric.py") -> Report:
    path = write_metric(Path("metrics"), source, name)
    return check_metric(path, runner=run_in_process)


def test_a_failure_stands_at_the_line_of_the_metric_that_it_came_from() -> None:
    source = "def score(input, output):\n    return 1 / (output - 1), {'feedback': str(output)}\n"
    assert list(annotation_lines(checked(source), "en")) == [
        "::error file=metrics/metric.py,line=2,title=Metric run::case 1: The call raised an "
        "exception%0AReturn a score and feedback for this case too. Raised: ZeroDivisionError: "
        "division by zero%0Ametric.py, line 2: return 1 / (output - 1), {'feedback': str(output)}",
        "The metric does not keep the contract: 1 item failed.",
    ]


def test_a_file_is_named_from_the_checkout_wherever_the_workflow_works(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = checked("x = 1\n")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(folder))
    monkeypatch.chdir("metrics")
    (line, _) = annotation_lines(report, "en")
    assert line.startswith("::error file=metrics/metric.py,")


def test_one_without_such_a_line_stands_at_the_line_of_its_case() -> None:
    source = returning("(output, {'feedback': 'x'}) if output == 1 else 0.8")
    lines = list(annotation_lines(checked(source), "en"))
    assert [line.partition("::case")[0] for line in lines[:-1]] == [
        "::error file=metrics/cases.jsonl,line=4,title=Metric return value",
    ]


def test_one_of_the_metric_as_a_whole_stands_at_its_file() -> None:
    lines = list(annotation_lines(checked("x = 1\n"), "en"))
    assert lines[0].startswith(
        "::error file=metrics/metric.py,title=Metric function::No function named `score`%0A"
    )


def test_advice_is_a_warning_and_an_error_where_it_counts() -> None:
    report = checked(returning("output == 1, {'feedback': str(output)}"), "50%,my:metric.py")
    places = [
        " file=metrics/50%25%2Cmy%3Ametric.py,title=Advice::The file is named 50%25,my:metric.py: ",
        " file=metrics/cases.jsonl,line=2,title=Advice::case 1: The score is a bool, which ",
        " file=metrics/cases.jsonl,line=4,title=Advice::case 2: The score is a bool, which ",
    ]
    for strict, kind in ((False, "warning"), (True, "error")):
        lines = list(annotation_lines(report, "en", strict=strict))
        for line, place in zip(lines[:-1], places, strict=True):
            assert line.startswith(f"::{kind}{place}")
    assert lines[-1].endswith("but there is advice, which counts under `--strict`.")


def test_nothing_that_a_metric_says_is_a_command_of_its_own() -> None:
    source = """
def score(input, output):
    print("::error::printed")
    raise ValueError("a\\r\\n::error file=x::raised\\x1b[2J 100%")
"""
    lines = list(annotation_lines(checked(source), "en"))
    assert sum(line.startswith("::") for line in lines) == 2
    assert len(lines) == 3
    assert "printed" not in "".join(lines)
    assert "a ::error file=x::raised\\x1b[2J 100%25%0A" in lines[0]


def test_annotations_are_in_the_language() -> None:
    lines = list(annotation_lines(checked(returning("0.8")), "zh-Hans"))
    assert lines[0].startswith(
        "::error file=metrics/cases.jsonl,line=2,title=指标返回值::用例 1：没有附加信息%0A"
    )
    assert lines[-1] == "指标不符合契约：1 项未通过。"


def test_a_metric_that_passes_has_its_verdict_alone() -> None:
    (line,) = annotation_lines(checked(GOOD.replace('"Right."', "str(output)")), "en")
    assert line == "The metric keeps the contract."
