"""Ctrl-Z stops the check with all that the metric started, and `fg` has it go on (B4)."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from command_line import PASSED, command, small_folder
from skynet_stub import clock

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

CTRL_Z = b"\x1a"

# A shell: it gives the terminal to a command, says when that has stopped or ended, and gives the
# terminal to it again once it has read a line.
SHELL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
command = os.fork()
if command == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[2], sys.argv[2:])
while True:
    _, status = os.waitpid(command, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    os.write(1, b"stopped\\n")
    os.read(int(sys.argv[1]), 1)
    os.tcsetpgrp(0, command)
    os.killpg(command, signal.SIGCONT)
"""

METRIC = """
import os, subprocess
def score(input, output):
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    stopped = subprocess.Popen(["sleep", "600"])
    os.kill(stopped.pid, 19)
    os.waitid(os.P_PID, stopped.pid, os.WSTOPPED)
    with open("started", "w") as started:
        print(os.getppid(), os.getpid(), child.pid, stopped.pid, file=started)
    with open("go_on") as go_on:
        go_on.read()
    with open(f"/proc/{stopped.pid}/stat") as stat:
        return 1.0, {"feedback": "its own stays stopped: " + stat.read().split()[2]}
"""

STOPPING = """
import os
def score(input, output):
    with open(f"/proc/{{os.getppid()}}/stat") as keeper:
        os.kill(int(keeper.read().rpartition(")")[2].split()[1]), {})
    return 1.0, {{"feedback": "Right."}}
"""


def state(pid: int) -> str:
    """The letter that says what a process does."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2][0]


@contextmanager
def end_of(shell: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """Wait for its end, or hang up."""
    with shell:
        try:
            yield shell
        except BaseException:
            shell.kill()
            raise


@pytest.fixture
def waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a metric that says which processes there are, and waits to go on."""
    folder = small_folder(tmp_path, monkeypatch)
    (folder / "metric.py").write_text(METRIC, encoding="utf-8")
    for name in ("started", "go_on"):
        os.mkfifo(folder / name)
    return folder


def tree_of(waiting: Path) -> list[int]:
    """The keeper, the worker and the two processes that the metric starts, once it has."""
    return [int(pid) for pid in (waiting / "started").read_text(encoding="ascii").split()]


def test_ctrl_z_stops_all_and_fg_has_all_go_on(waiting: Path) -> None:
    terminal, end = pty.openpty()
    foreground, goes = os.pipe()
    checked = command("check", "metric.py", "--format", "json")
    with end_of(
        subprocess.Popen(
            [sys.executable, "-c", SHELL, str(foreground), *checked],
            stdin=end,
            stdout=subprocess.PIPE,
            pass_fds=[foreground],
            start_new_session=True,
            encoding="utf-8",
        )
    ) as shell:
        assert shell.stdout is not None
        tree = tree_of(waiting)
        os.write(terminal, CTRL_Z)
        assert shell.stdout.readline() == "stopped\n"
        assert [state(pid) for pid in tree] == ["T"] * 4
        os.write(goes, b"\n")
        (waiting / "go_on").write_text("", encoding="ascii")
        report = shell.stdout.read()
    for descriptor in (terminal, end, foreground, goes):
        os.close(descriptor)
    assert "its own stays stopped: T" in report
    assert shell.returncode == PASSED


def test_nothing_is_left_of_a_check_that_is_killed_while_it_is_stopped(waiting: Path) -> None:
    with subprocess.Popen(
        command("check", "metric.py"), stdout=subprocess.DEVNULL, process_group=0
    ) as checked:
        tree = tree_of(waiting)
        ends = [os.pidfd_open(pid) for pid in tree]
        checked.send_signal(signal.SIGTSTP)
        os.waitid(os.P_PID, checked.pid, os.WSTOPPED)
        checked.kill()
    for end in ends:
        assert select.select([end], [], [], 60)[0] == [end]
        os.close(end)


def test_a_metric_that_stops_the_command_does_not_hold_it_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_folder(tmp_path, monkeypatch)
    for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
        (folder / "metric.py").write_text(STOPPING.format(int(number)), encoding="utf-8")
        done = subprocess.run(
            command("check", "metric.py"), capture_output=True, timeout=60, process_group=0
        )
        assert (number, done.returncode) == (number, PASSED)


def test_no_time_passes_for_a_metric_while_the_user_has_the_check_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = [1000.0]

    def raise_signal(number: int) -> None:
        assert number == signal.SIGTSTP
        seconds[0] += 600

    monkeypatch.setattr("skynet_stub.clock.time.monotonic", lambda: seconds[0])
    monkeypatch.setattr("skynet_stub.clock.signal.raise_signal", raise_signal)
    monkeypatch.setattr("skynet_stub.clock.signal.pthread_sigmask", lambda *_: ())
    monkeypatch.setattr("skynet_stub.clock.process_tree.stop_descendants", lambda _: [])
    one = clock.Clock()
    one._stop()
    assert one.now() == 1000.0
    seconds[0] += 1
    assert one.now() == 1001.0
