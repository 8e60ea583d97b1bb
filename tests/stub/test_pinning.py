"""Pinning writes the results into the case file, and leaves every other character alone (B5)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skynet_stub.check import check_metric
from skynet_stub.in_process import run_in_process
from skynet_stub.pinning import pin, replace_file
from skynet_stub.refused import Refused
from small_metrics import write_metric

ECHO = """
def score(input, output, expected=None):
    if output == "fails":
        raise ValueError
    info = {"feedback": f"Got {output}"}
    if expected is not None:
        info["scores"] = expected
    return input["score"], info
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the metric in it."""
    monkeypatch.chdir(tmp_path)
    write_metric(tmp_path, ECHO)
    return tmp_path


def pinned(cases: str | bytes, *numbers: int, language: str = "en") -> tuple[str, list[str]]:
    """The case file after pinning, and what was said of it."""
    data = cases.encode() if isinstance(cases, str) else cases
    Path("cases.jsonl").write_bytes(data)
    report = check_metric(
        "metric.py", all_cases=not numbers, numbers=numbers, runner=run_in_process
    )
    _, said = pin(report, language)
    return Path("cases.jsonl").read_bytes().decode(), said


def test_a_result_is_added_behind_the_other_keys() -> None:
    assert pinned('{"output": "я", "input": {"score": 1}}\n') == (
        '{"output": "я", "input": {"score": 1}, "result": {"score": 1.0, "feedback": "Got я"}}\n',
        [
            'cases.jsonl, line 1, case 1: now pinned {"score": 1.0, "feedback": "Got я"}',
            "cases.jsonl: new results pinned: 1 of 1",
        ],
    )


def test_a_result_that_differs_is_replaced_with_the_parts_that_it_had() -> None:
    given = (
        '{"result":{"score":0},"input":{"score":0.5},"output":1,"expected":{"a":1}}\n'
        '{"input": {"score": 1}, "result": {"feedback": "no", "score": 1}, "output": 1}\n'
    )
    text, said = pinned(given)
    assert text == (
        '{"result":{"score":0.5},"input":{"score":0.5},"output":1,"expected":{"a":1}}\n'
        '{"input": {"score": 1}, "result": {"score": 1.0, "feedback": "Got 1"}, "output": 1}\n'
    )
    assert said == [
        'cases.jsonl, line 1, case 1: pinned {"score": 0.0}, now {"score": 0.5}',
        'cases.jsonl, line 2, case 2: pinned {"score": 1.0, "feedback": "no"}, '
        'now {"score": 1.0, "feedback": "Got 1"}',
        "cases.jsonl: new results pinned: 2 of 2",
    ]


def test_what_still_holds_and_what_was_not_checked_stay_as_they_are_written() -> None:
    given = (
        b'\xef\xbb\xbf{"input": {"score": 1.50e0},  "output": "\\u044f", "result":'
        b' {"feedback": "Got \\u044f",   "score": 1.5000000000001}}\r\n\r\n  \n'
        b'{ "input": {"score": 2}, "output": [ 1,2 ] }\r\n'
        b'{"input": {"score": 3}, "output": 3}'
    )
    text, said = pinned(given, 1, 2)
    added = ', "result": {"score": 2.0, "feedback": "Got [1, 2]"} }'
    assert text == given.decode().replace(" ] }", f" ]{added}")
    assert said[-1] == "cases.jsonl: new results pinned: 1 of 2"


def test_pinning_twice_changes_nothing() -> None:
    once, _ = pinned('{"input": {"score": 0.1}, "output": "\u2028", "expected": {"a": 1e-7}}')
    assert pinned(once) == (once, ["cases.jsonl: new results pinned: 0 of 1"])


def test_the_noise_of_the_last_digits_is_not_pinned() -> None:
    text, _ = pinned('{"input": {"score": 0.06500000000000002}, "output": 1}')
    assert '"score": 0.065, "feedback"' in text


def test_nothing_is_pinned_where_a_case_failed() -> None:
    given = '{"input": {"score": 1}, "output": 1}\n{"input": {}, "output": "fails"}\n'
    assert pinned(given) == (given, ["Nothing was pinned: fix what failed first."])


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("zh-Hans", "cases.jsonl：1 个固定结果中，有 1 个是新增或改动的"),
        ("ru", "cases.jsonl: закреплено новых результатов: 1 из 1"),
    ],
)
def test_what_changed_is_said_in_the_language(language: str, line: str) -> None:
    assert pinned('{"input": {"score": 1}, "output": 1}', language=language)[1][-1] == line


@pytest.mark.parametrize("now", ['{"input": {"score": 2}, "output": 1}\n', "oops\n", ""])
def test_a_file_that_was_changed_meanwhile_is_left_alone(now: str) -> None:
    Path("cases.jsonl").write_text('{"input": {"score": 1}, "output": 1}\n', encoding="utf-8")
    report = check_metric("metric.py", runner=run_in_process)
    Path("cases.jsonl").write_text(now, encoding="utf-8")
    with pytest.raises(Refused, match="was changed while the check ran"):
        pin(report, "en")
    assert Path("cases.jsonl").read_text(encoding="utf-8") == now


def test_a_file_that_was_removed_meanwhile_is_not_made_anew() -> None:
    Path("cases.jsonl").write_text('{"input": {"score": 1}, "output": 1}\n', encoding="utf-8")
    report = check_metric("metric.py", runner=run_in_process)
    Path("cases.jsonl").unlink()
    with pytest.raises(Refused, match=r"^cases\.jsonl: it was changed while the check ran"):
        pin(report, "en")
    assert not Path("cases.jsonl").exists()


# --- Writing -------------------------------------------------------------------------------------


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(folder: Path) -> None:
    file, link = folder / "real.jsonl", folder / "link.jsonl"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to("real.jsonl")
    replace_file(link, b"new")
    assert (link.is_symlink(), file.read_bytes()) == (True, b"new")
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(folder)) == ["link.jsonl", "metric.py", "real.jsonl"]  # noqa: PTH208


def test_a_file_that_nobody_may_write_is_refused_and_kept(folder: Path) -> None:
    file = folder / "cases.jsonl"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(Refused, match=r"^cases\.jsonl: the results cannot be written \(read-only"):
        replace_file(file, b"new")
    assert file.read_bytes() == b"old"


def test_where_writing_fails_nothing_is_left_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (folder / "cases.jsonl").write_bytes(b"old")
    monkeypatch.setattr("os.replace", no_room)
    with pytest.raises(Refused, match="No space left on device"):
        replace_file(folder / "cases.jsonl", b"new")
    assert (folder / "cases.jsonl").read_bytes() == b"old"
    assert sorted(os.listdir(folder)) == ["cases.jsonl", "metric.py"]  # noqa: PTH208
