"""What the command does on a terminal alone: colour, and a line of progress."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import PASSED, command, passed, small_folder
from skynet_stub.outcomes import Called, Job, Loading
from skynet_stub.terminal import with_progress

MARK = "\x1b[32m✓\x1b[0m"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the command: a good metric with its cases."""
    return small_folder(tmp_path, monkeypatch)


def read_all(terminal: int) -> str:
    """All that is written to a terminal until nobody has it open any more."""
    data = b""
    while True:
        try:
            data += os.read(terminal, 65536)
        except OSError:  # as Linux ends a terminal
            os.close(terminal)
            return data.decode()


def on_a_terminal(*arguments: str) -> str:
    """What a check writes to a terminal that is its standard output."""
    terminal, end = pty.openpty()
    with subprocess.Popen(command("check", *arguments), stdout=end, stderr=subprocess.PIPE) as run:
        os.close(end)
        text = read_all(terminal)
    assert run.returncode == PASSED
    return text


def test_a_report_is_in_colour_on_a_terminal_alone() -> None:
    assert MARK in on_a_terminal("metric.py")
    assert "\x1b" not in passed("metric.py")


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_can_be_kept_without_colour(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert "\x1b" not in on_a_terminal("metric.py")


def test_colour_can_be_forced_but_not_against_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert MARK in passed("metric.py")
    assert "\x1b" not in passed("metric.py", "--format", "json")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in passed("metric.py")
    monkeypatch.setenv("NO_COLOR", "")
    assert MARK in passed("metric.py")


def test_a_long_check_says_how_far_it_is_and_erases_it_at_the_end(folder: Path) -> None:
    os.mkfifo(folder / "go_on")
    source = """
def score(input, output):
    open("go_on").read()
    return 1, {"feedback": "Right."}
"""
    (folder / "metric.py").write_text(source, encoding="utf-8")
    terminal, end = pty.openpty()
    with subprocess.Popen(
        command("check", "metric.py"), stdout=subprocess.PIPE, stderr=end, encoding="utf-8"
    ) as run:
        os.close(end)
        shown = b""
        while "metric.py: case 1 of 1 …".encode() not in shown:
            shown += os.read(terminal, 65536)
        (folder / "go_on").write_text("", encoding="utf-8")
        rest = read_all(terminal)
        assert run.stdout is not None
        report = run.stdout.read()
    assert rest == "\r\x1b[K"
    assert report.endswith("\nThe metric keeps the contract.\n")


# --- Progress by a clock of our own --------------------------------------------------------------


class Terminal:
    """A terminal that remembers what was written."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None: ...


def written(monkeypatch: pytest.MonkeyPatch, seconds: list[float], language: str = "en") -> str:
    """What is written while a check of two cases ticks at these times, before each outcome."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    def supervise(job: Job, caller: object, tick: object) -> Iterator[Loading | Called]:
        assert callable(tick)
        outcomes: Iterator[Loading | Called] = iter((Loading(), Called(1), Called(2)))
        for second in seconds:
            now[0] = second
            tick()
            yield next(outcomes)

    job = Job(Path("metric.py"), [None, None], 60, None)  # type: ignore[list-item, arg-type]
    assert len(list(with_progress(supervise, language)(job))) == len(seconds)
    return terminal.text


def test_a_check_that_is_soon_done_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert written(monkeypatch, [0.3, 0.6, 0.9]) == ""


def test_each_step_is_written_over_the_last_and_not_too_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    erase = "\r\x1b[K"
    assert written(monkeypatch, [1.5, 2.0, 2.5]) == (
        f"{erase}metric.py: loading …{erase}metric.py: case 1 of 2 …"
        f"{erase}metric.py: case 2 of 2 …{erase}"
    )
    assert written(monkeypatch, [0.5, 2.0, 2.05]) == f"{erase}metric.py: case 1 of 2 …{erase}"
    assert written(monkeypatch, [2.0], "zh-Hans") == f"{erase}metric.py：正在加载……{erase}"


def test_a_dumb_terminal_shows_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert written(monkeypatch, [2.0, 3.0]) == ""
