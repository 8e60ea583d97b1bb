"""`init`: what it writes passes the check, and it writes over nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skynet_stub.check import check_metric
from skynet_stub.first_steps import TEMPLATE, begin
from skynet_stub.in_process import run_in_process
from skynet_stub.refused import Refused


def there(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))  # noqa: PTH208


def test_what_is_written_passes_the_check_without_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert begin(".", "en") == [
        "Wrote metric.py",
        "Wrote cases.jsonl",
        "Next: run `skynet-stub check metric.py`, "
        "then change both files to what you want to score.",
    ]
    report = check_metric("metric.py", all_cases=True, runner=run_in_process)
    assert (report.passed, report.advice) == (True, ())
    scores = [called.returned.score for called in report.cases if called.returned]
    assert scores == [1.0, 0.0, 0.0]


def test_each_file_says_what_to_do_next() -> None:
    metric = (TEMPLATE / "metric.py").read_text(encoding="utf-8")
    cases = (TEMPLATE / "cases.jsonl").read_text(encoding="utf-8")
    assert "skynet-stub check metric.py\n" in metric
    assert '"comment": "' in cases
    assert "skynet-stub check metric.py --pin" in cases


def test_a_folder_is_made_and_quoted_where_a_shell_would_part_it(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "my metric"
    said = begin(str(folder), "ru")
    assert there(folder) == ["cases.jsonl", "metric.py"]
    assert said[0] == f"Записан {folder / 'metric.py'}"
    assert f"`skynet-stub check '{folder / 'metric.py'}'`" in said[2]


@pytest.mark.parametrize("name", ["metric.py", "cases.jsonl"])
def test_a_file_that_is_there_is_kept_and_none_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    (tmp_path / "README").write_text("mine", encoding="utf-8")
    with pytest.raises(Refused, match=f"{name}: it is there already, so nothing was written"):
        begin(str(tmp_path), "en")
    assert there(tmp_path) == sorted(["README", name])
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_a_link_to_nowhere_is_a_file_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").symlink_to("elsewhere")
    with pytest.raises(Refused, match="it is there already"):
        begin(str(tmp_path), "en")
    assert there(tmp_path) == ["cases.jsonl"]


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine", encoding="utf-8")
    with pytest.raises(Refused, match=r"notes: it cannot be written \(File exists\)"):
        begin(str(tmp_path / "notes"), "en")


def test_where_the_second_file_cannot_be_written_the_first_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skynet_stub.first_steps.TEMPLATE", tmp_path / "template")
    (tmp_path / "template").mkdir()
    (tmp_path / "template" / "metric.py").write_text("", encoding="utf-8")
    with pytest.raises(Refused, match="cannot be written"):
        begin(str(tmp_path / "mine"), "en")
    assert there(tmp_path / "mine") == []
