"""Pinning writes what the metrics return, and leaves every other character alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_build.faults import Refusal
from docs_build.pin import pin
from docs_build.project import Project
from small_sources import CASES, METRIC, write

ECHO = """\
def score(input, output, expected=None):
    info = {"feedback": f"Got {output}"}
    if expected is not None:
        info["scores"] = expected
    return input["score"], info
"""


def project_of(tmp_path: Path, metric: str, cases: str | bytes) -> Project:
    write(tmp_path / "snippets", {"one/metric.py": metric, "one/cases.jsonl": cases})
    return Project(tmp_path)


def cases_of(project: Project) -> str:
    return (project.snippets / "one/cases.jsonl").read_bytes().decode()


def test_a_missing_result_is_pinned_behind_the_other_keys(tmp_path: Path) -> None:
    project = project_of(tmp_path, ECHO, '{"output": "я", "input": {"score": 1}}\n')
    said = pin(project)
    assert cases_of(project) == (
        '{"output": "я", "input": {"score": 1}, "result": {"score": 1.0, "feedback": "Got я"}}\n'
    )
    assert said[0].endswith(
        'one/cases.jsonl:1: case 1 pinned nothing, now {"score": 1.0, "feedback": "Got я"}'
    )
    assert said[-1].startswith("1 of 1 results changed in ")


def test_a_changed_result_is_pinned_in_full(tmp_path: Path) -> None:
    given = (
        '{"input": {"score": 0.5}, "output": 1, "expected": {"a": 1}, "llm": [], "measured": {},'
        ' "result": {"score": 1}}\n'
    )
    project = project_of(tmp_path, ECHO, given)
    pin(project)
    pinned = '{"score": 0.5, "feedback": "Got 1", "scores": {"a": 1.0}}'
    assert cases_of(project) == given.replace('{"score": 1}', pinned)


def test_the_noise_of_the_last_digits_is_not_pinned(tmp_path: Path) -> None:
    given = '{"input": {"score": 0.06500000000000002}, "output": 1, "expected": {"a": 1e-7}}\n'
    project = project_of(tmp_path, ECHO, given)
    pin(project)
    assert '"result": {"score": 0.065, "feedback": "Got 1", "scores": {"a": 1e-07}}' in (
        cases_of(project)
    )


def test_what_still_holds_is_not_touched(tmp_path: Path) -> None:
    given = (
        '{"input": {"score": 1.50e0}, "output": "\\u044f\\ttab", "result":'
        ' {"feedback": "Got \\u044f\\ttab",   "score": 1.5000000000001}}\r\n\n'
        '{"input": {"score": 2},  "output": [ 1,2 ]}'
    )
    project = project_of(tmp_path, ECHO, given.encode())
    said = pin(project)
    first, blank, last = cases_of(project).split("\n")
    assert first == given.split("\n")[0]
    assert blank == ""
    assert last == (
        '{"input": {"score": 2},  "output": [ 1,2 ],'
        ' "result": {"score": 2.0, "feedback": "Got [1, 2]"}}'
    )
    assert len(said) == 2


def test_pinning_twice_changes_nothing(tmp_path: Path) -> None:
    project = project_of(tmp_path, METRIC, CASES * 3)
    assert pin(project)[-1].startswith("0 of 3 results changed")
    before = cases_of(project)
    pin(project)
    assert cases_of(project) == before == CASES * 3


def test_a_metric_that_returns_nothing_to_pin_is_refused(tmp_path: Path) -> None:
    cases = f"{CASES}\n{CASES}"
    project = project_of(tmp_path, "def score(input, output):\n    return 1\n", cases)
    with pytest.raises(Refusal) as caught:
        pin(project)
    assert [fault.line for fault in caught.value.faults] == [1, 3]
    assert "has nothing to pin: " in str(caught.value)
    assert cases_of(project) == cases


def test_a_metric_that_cannot_be_loaded_is_refused_with_its_line(tmp_path: Path) -> None:
    project = project_of(tmp_path, "x = 1\nraise OSError\n", CASES)
    with pytest.raises(Refusal) as caught:
        pin(project)
    (fault,) = caught.value.faults
    assert (Path(fault.file).name, fault.line) == ("metric.py", 2)


def test_nothing_is_written_where_one_example_fails(tmp_path: Path) -> None:
    project = project_of(tmp_path, METRIC, '{"input": {}, "output": 1}\n')
    write(project.snippets, {"two/metric.py": "raise OSError\n", "two/cases.jsonl": CASES})
    with pytest.raises(Refusal):
        pin(project)
    assert cases_of(project) == '{"input": {}, "output": 1}\n'


def test_a_bad_case_file_is_refused(tmp_path: Path) -> None:
    project = project_of(tmp_path, METRIC, f"{CASES}oops\n")
    with pytest.raises(Refusal, match=r"one/cases\.jsonl"):
        pin(project)
