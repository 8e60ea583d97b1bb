"""A runner that starts the metric in a process of its own, and ends it when time is up (B4)."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from skynet_stub.outcomes import Called, Job, Loading, called_from_wire, loading_from_wire, to_wire
from skynet_stub.reasons import Fault

PRINTED_BYTES = 64 * 1024
"""How much of what a case prints is kept, from its start and again from its end, in bytes (B4)."""

START_SECONDS = 60.0
"""How long the worker itself may take to start, in seconds; the metric's timeout comes after."""

_TICK_SECONDS = 0.05  # how soon an end of the process is seen where a child holds its pipes open

_BOOT = (
    "import sys; sys.path.insert(0, sys.argv.pop()); "
    "from skynet_stub.worker import main; del sys.path[0]; main()"
)


def run_in_a_process(job: Job) -> Iterator[Loading | Called]:
    """Run the job in a worker; after a timeout or an abnormal end, go on in a fresh one (B4)."""
    todo = list(job.cases)
    loading_reported = False
    while todo or not loading_reported:
        worker = _Worker(replace(job, cases=todo))
        try:
            loading = _load(worker, job)
            if not loading_reported:
                loading_reported = True
                yield loading
                if loading.faults:
                    return
            elif loading.faults:  # it loaded before: the calls that are left cannot be made
                yield from (Called(case.number, loading.faults) for case in todo)
                return
            while todo:
                case = todo.pop(0)
                worker.go_on()
                message = worker.receive(job.timeout)
                if isinstance(message, dict):
                    yield replace(called_from_wire(message), printed=worker.printed())
                    continue
                fault = _fault("call", message, job)
                yield Called(case.number, (fault,), ms=worker.waited_ms, printed=worker.printed())
                break
        finally:
            worker.end()


def _load(worker: _Worker, job: Job) -> Loading:
    message = worker.receive(START_SECONDS)
    if isinstance(message, dict):
        message = worker.receive(job.timeout)
        if isinstance(message, dict):
            return replace(loading_from_wire(message), printed=worker.printed())
    return Loading((_fault("loading", message, job),), printed=worker.printed())


class _TimedOut:
    """No message in time."""


def _fault(doing: str, ending: _TimedOut | int, job: Job) -> Fault:
    """The fault of a worker that sent no result: `ending` is its exit code, as Popen gives it."""
    if isinstance(ending, _TimedOut):
        return Fault(f"{doing}-timed-out", facts={"seconds": f"{job.timeout:g}"})
    if ending < 0:
        return Fault(f"{doing}-killed", facts={"signal": _signal_name(-ending)})
    return Fault(f"{doing}-exited", facts={"code": str(ending)})


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class _Worker:
    """A worker process, the pipe of its results and the pipe of what the metric prints."""

    def __init__(self, job: Job) -> None:
        package_folder = str(Path(__file__).resolve().parents[1])
        document = json.dumps(to_wire(job)).encode("ascii")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-u", "-c", _BOOT, package_folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._control, self._results, self._prints = _pipes(self._process)
        self._unread = bytearray()
        self._printed = _HeadAndTail()
        self.waited_ms = 0.0
        self._selector = selectors.DefaultSelector()
        for pipe in (self._results, self._prints):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)
        self._write(document)

    def go_on(self) -> None:
        """Let the worker call its next case: it waits, so that no case prints too early."""
        self._write(b"")

    def _write(self, line: bytes) -> None:
        with suppress(BrokenPipeError):  # it ended already: `receive` says how
            self._control.write(line + b"\n")
            self._control.flush()

    def receive(self, timeout: float) -> dict[str, Any] | _TimedOut | int:
        """The next message, or how the worker ended, or that the time (in seconds) is up."""
        started = time.monotonic()
        searched = 0
        while (end := self._unread.find(b"\n", searched)) < 0:
            searched = len(self._unread)
            self.waited_ms = (time.monotonic() - started) * 1000
            left = timeout - self.waited_ms / 1000
            if left <= 0:
                return _TimedOut()
            ended = self._has_ended()  # asked before reading: what it wrote is in the pipe by now
            for key, _ in self._selector.select(0 if ended else min(left, _TICK_SECONDS)):
                self._read(key.fd)
            if ended and b"\n" not in self._unread:
                return self._process.wait()
        message: dict[str, Any] = json.loads(self._unread[:end])
        del self._unread[: end + 1]
        return message

    def printed(self) -> str:
        """What was printed since the last call of this."""
        self._read(self._prints.fileno())  # once: something left over may print for ever
        printed, self._printed = self._printed.text(), _HeadAndTail()
        return printed

    def end(self) -> None:
        """End the process and its group, and close what was opened."""
        with suppress(ProcessLookupError, PermissionError):  # where nothing of the group is left
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        with suppress(BrokenPipeError):  # where it holds what the worker did not read
            self._control.close()
        self._results.close()
        self._prints.close()

    def _has_ended(self) -> bool:
        """Whether the process ended, without reaping it: its group keeps its number so."""
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._process.poll() is not None
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, options) is not None

    def _read(self, fd: int) -> None:
        """Read what is there: all of it, since no pipe holds more than this at once."""
        try:
            data = os.read(fd, 1 << 20)
        except BlockingIOError:
            return
        if not data:
            if fd in self._selector.get_map():  # else `select` returns at once, for ever
                self._selector.unregister(fd)
        elif fd == self._results.fileno():
            self._unread += data
        else:
            self._printed.add(data)


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    """The three pipes that were asked for."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


class _HeadAndTail:
    """The first and the last bytes of a stream, and how many between them were left out."""

    def __init__(self) -> None:
        self._head = self._tail = b""
        self._left_out = 0

    def add(self, data: bytes) -> None:
        room = PRINTED_BYTES - len(self._head)
        self._head += data[:room]
        tail = self._tail + data[room:]
        self._left_out += max(0, len(tail) - PRINTED_BYTES)
        self._tail = tail[-PRINTED_BYTES:]

    def text(self) -> str:
        gap = f"\n[… {self._left_out} bytes left out …]\n" if self._left_out else ""
        return (self._head + gap.encode() + self._tail).decode("utf-8", "replace")
