"""What the command writes, on terminals, in pipes, and where it cannot."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from command_line import (
    BAD,
    FAILED,
    GOOD,
    INTERRUPTED,
    PASSED,
    REFUSED,
    command,
    failed,
    small_folder,
    started,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the command: a good metric with its cases."""
    return small_folder(tmp_path, monkeypatch)


# --- Terminals and pipes -------------------------------------------------------------------------


def test_a_reader_that_has_read_enough_is_no_error(folder: Path) -> None:
    for source, code in ((GOOD, PASSED), (BAD, FAILED)):
        (folder / "metric.py").write_text(
            source.replace("    return", "    print('x' * 1_000_000)\n    return"), encoding="utf-8"
        )
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            command("check", "metric.py"),
            stdout=writer,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
        os.close(writer)
        assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "skynet-stub: the report cannot be written (No space left on device); "),
        ("ru", "skynet-stub: отчёт не удаётся записать (No space left on device); "),
    ],
)
@pytest.mark.parametrize("argument", ["metric.py", "--help"])
def test_a_report_that_cannot_be_written_is_told_in_one_line(
    folder: Path, argument: str, language: str, line: str
) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("check", argument, "--lang", language),
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == REFUSED
    assert done.stderr.startswith(line)
    assert len(done.stderr.splitlines()) == 1


def test_a_closed_standard_output_is_told_before_anything_runs(folder: Path) -> None:
    (folder / "metric.py").write_text("open('it_ran', 'w')\n", encoding="utf-8")
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *command("check", "metric.py")],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == REFUSED
    assert done.stderr.startswith("skynet-stub: the report cannot be written: standard output is ")
    assert not (folder / "it_ran").exists()


def test_a_refusal_that_cannot_be_written_is_still_told_by_the_exit_code(folder: Path) -> None:
    for closing in ("2>&-", "2>/dev/full", ">&- 2>&-"):
        script = f'exec "$@" {closing}'
        done = subprocess.run(["sh", "-c", script, "sh", *command("check", "no.py")], check=False)
        assert done.returncode == REFUSED


def test_what_a_metric_prints_or_returns_does_not_steer_the_terminal(folder: Path) -> None:
    codes = r"\x1b[2J\x1b]0;title\x07\r\x9b31m\u202e\u2028\tend"
    source = f"""
def score(input, output):
    print("{codes}\\r\\nnext")
    return 1.0, "{codes}"
"""
    (folder / "metric.py").write_text(source, encoding="utf-8")
    report = failed("metric.py")
    shown = r"\x1b[2J\x1b]0;title\x07\r\x9b31m\u202e\u2028"
    assert f"\n    {shown}" in report
    assert "\tend\n    next\n" in report
    assert all(one.isprintable() or one in "\t\n" for one in report)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1251"])
def test_a_report_is_written_also_where_its_letters_cannot_be_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    for language in ("en", "zh-Hans", "ru"):
        done = subprocess.run(
            command("check", "metric.py", "--lang", language), capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (PASSED, b"")
        assert b"\\u2713" in done.stdout  # the check mark


def test_a_refusal_is_written_also_where_its_letters_cannot_be_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = started("check", "missing.py", "--lang", "ru")
    assert (done.returncode, done.stdout) == (REFUSED, "")
    assert done.stderr.startswith("skynet-stub: missing.py: \\u0442")


def test_a_feedback_with_half_a_character_can_be_shown(folder: Path) -> None:
    (folder / "metric.py").write_text(
        GOOD.replace('"Right."', r'"\ud800"').replace("return", "print('né'); return"),
        encoding="utf-8",
    )
    (folder / "cases.jsonl").write_text(
        '{"input": {}, "output": 0, "result": {"score": 1, "feedback": "no"}}', encoding="utf-8"
    )
    report = failed("metric.py")
    assert "\\ud800" in report
    assert "    né\n" in report


def test_a_check_that_the_user_stops_ends_at_once_and_ends_the_metric(folder: Path) -> None:
    (folder / "metric.py").write_text(
        """
import os, time
def score(input, output):
    started = os.open("started", os.O_WRONLY)
    os.write(started, b"started")
    try:
        time.sleep(600)
    except BaseException:
        time.sleep(600)
""",
        encoding="utf-8",
    )
    os.mkfifo("started")
    with subprocess.Popen(
        command("check", "metric.py"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        with Path("started").open("rb") as started:  # opens once the metric is running
            assert started.read(7) == b"started"
            process.send_signal(signal.SIGINT)
            assert started.read() == b""  # ends once the metric has ended
        output, errors = process.communicate()
    assert (process.returncode, output, errors) == (INTERRUPTED, "", "")
