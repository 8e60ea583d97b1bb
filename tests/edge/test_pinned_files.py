"""Results are pinned in files as a real file system has them, and Pyodide does not (B5)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from command_line import REFUSED, command, small_folder
from skynet_stub.pinning import replace_file
from skynet_stub.refused import Refused


@pytest.mark.parametrize("now", [b"longer than before", b"new"])
def test_a_file_with_several_names_keeps_them(tmp_path: Path, now: bytes) -> None:
    file, other = tmp_path / "cases.jsonl", tmp_path / "other.jsonl"
    file.write_bytes(b"before")
    other.hardlink_to(file)
    replace_file(file, now)
    assert (file.read_bytes(), other.read_bytes()) == (now, now)
    assert sorted(os.listdir(tmp_path)) == ["cases.jsonl", "other.jsonl"]  # noqa: PTH208


def test_a_file_with_several_names_is_as_it_was_where_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, other = tmp_path / "cases.jsonl", tmp_path / "other.jsonl"
    file.write_bytes(b"before")
    other.hardlink_to(file)
    write, room = os.write, [3]

    def little_room(descriptor: int, data: bytes) -> int:
        if not room:
            room.append(6)
            raise OSError(28, "No space left on device")
        return write(descriptor, data[: room.pop()])

    monkeypatch.setattr("os.write", little_room)
    with pytest.raises(Refused, match="No space left on device"):
        replace_file(file, b"longer than before")
    assert other.read_bytes() == b"before"


def test_a_case_file_that_is_no_file_any_more_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_folder(tmp_path, monkeypatch)
    pipe = "import os; os.unlink('cases.jsonl'); os.mkfifo('cases.jsonl')\n"
    metric = folder / "metric.py"
    metric.write_text(pipe + metric.read_text("utf-8"), encoding="utf-8")
    done = subprocess.run(
        command("check", "metric.py", "--pin"), capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.returncode == REFUSED
    assert "cases.jsonl: it was changed while the check ran" in done.stderr
