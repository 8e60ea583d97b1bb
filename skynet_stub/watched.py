"""A worker as its supervisor sees it: forked, waited for, measured, ended with its tree (B4)."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from skynet_stub import process_tree
from skynet_stub.cases import Case
from skynet_stub.clock import Clock
from skynet_stub.frames import SECRET_BYTES, Frames, PrintedParts, Room
from skynet_stub.keeper import STATUS_BYTES, keep
from skynet_stub.outcomes import Called, Job, Loading, Printed, called_from_wire, loading_from_wire
from skynet_stub.reasons import Fault
from skynet_stub.refused import Refused
from skynet_stub.worker import Outlet, Pipe, work

START_SECONDS = 60.0
"""How long the worker itself may take to start, in seconds; the metric's timeout comes after."""

FINISH_SECONDS = 1.0
"""How long the exit handlers of a metric may take, in seconds: nobody waits for their outcome."""

JUDGE_SECONDS = 60.0
"""How long it may take to judge a large value, in seconds: it is no time of the metric's."""

_SAMPLE_SECONDS = 0.05  # how often the memory is measured
_PAUSE_SECONDS = 0.002  # meanwhile a quick metric ends many calls, whose outcomes are read at once
_READ_BYTES = 1 << 20  # more than any pipe holds


class CallerGone(Exception):
    """The process that asked for the job is no more."""


class _Ending:
    """How a call or a loading ended that brought no result: the end of a reason code and facts."""

    def __init__(self, reason: str, **facts: str) -> None:
        self.reason, self.facts = reason, facts

    def fault(self, doing: str) -> Fault:
        return Fault(f"{doing}-{self.reason}", facts=self.facts)


class Watched:
    """A worker with its keeper, and the pipes that they write to.

    `ended` says that it has ended, or is to be, and that no outcome of it is left.
    """

    def __init__(
        self,
        job: Job,
        first: int,
        room: Room,
        caller: int | None,
        not_ours: Collection[int],
        clock: Clock,
    ) -> None:
        self._clock = clock
        self._job, self._caller, self._not_ours = job, caller, not_ours
        secret = os.urandom(SECRET_BYTES)
        self._frames, self._printed = Frames(secret), PrintedParts(secret, room)
        self._number = 0
        self.ended = False
        self._ending: _Ending | None = None
        self.waited_ms = 0.0
        self._sampled = time.monotonic()
        self._worker: int | None = None
        (self._results, results), (self._prints, prints), *others = _pipes(4)
        (self._status, status), (life, self._life) = others
        outlet = Outlet(Pipe(results, self._results), Pipe(prints, self._prints), secret)
        self._keeper = os.fork()
        if self._keeper == 0:
            os.close(self._life)
            clock.leave()
            keep(lambda: work(job, first, outlet), status, life)
        for descriptor in (results, prints, status, life):
            os.close(descriptor)
        self._all, self._ends = select.poll(), select.poll()
        for descriptor in (self._results, self._prints):
            os.set_blocking(descriptor, False)
            self._all.register(descriptor, select.POLLIN)
        for descriptor in (self._status, *(() if caller is None else (caller,))):
            for poll in (self._all, self._ends):
                poll.register(descriptor, select.POLLIN)

    def load(self) -> Loading:
        """Wait for the worker to start, and then for the metric to be loaded.

        Raises `Refused` where the worker ended before it began with the metric.
        """
        message = self._receive(START_SECONDS)
        if isinstance(message, int):
            self._worker = message
            self._what_was_printed(True)
            message = self._receive(self._job.timeout)
            if not isinstance(message, _Ending):
                return loading_from_wire(message).replace(printed=self._what_was_printed(True))
        elif message.reason == "exited":
            raise Refused("not-started", problem=os.strerror(int(message.facts["code"])))
        printed = self._what_was_printed(False)
        return Loading((message.fault("loading"),), printed=printed)

    def called(self, case: Case) -> Called:
        """Wait for the call of this case, the next one."""
        message = self._receive(self._job.timeout)
        if not isinstance(message, _Ending):
            return called_from_wire(message, self._what_was_printed(True))
        printed = self._what_was_printed(False)
        return Called(case.number, (message.fault("call"),), ms=self.waited_ms, printed=printed)

    def finish(self) -> None:
        """Let the worker end by itself, if it does so soon: exit handlers of the metric may remove
        its files. What they do or print counts no more. A worker that was ended has run none."""
        if not self.ended:
            self._wait_for_frame(FINISH_SECONDS)

    def _receive(self, timeout: float) -> Any:
        """The content of the next frame, or the `_Ending` of a worker that sent none.

        Raises `Refused` where the stub itself failed in the worker.
        """
        content = self._frames.take(self._number)
        if content is None:
            content = self._wait_for_frame(timeout)
        while content is True:
            content = self._wait_for_frame(JUDGE_SECONDS)
        if type(content) is str:
            if self._worker is None:
                raise Refused("not-started", problem=content)
            raise Refused("stub-failed", problem=content)
        self._number += 1
        return content

    def _wait_for_frame(self, timeout: float) -> Any:
        started = self._clock.now()
        if self._ending is None:
            self._wait(self._ends, min(timeout, _PAUSE_SECONDS))
        over = False
        while (content := self._frames.take(self._number)) is None:
            if self._ending is None:
                self._ending = self._cut_short(over)
            waited = self._clock.now() - started
            if self._ending is not None:
                self.ended, self.waited_ms = True, waited * 1000
                return self._ending
            self._wait(self._all, min(timeout - waited, _SAMPLE_SECONDS))
            over = waited >= timeout  # as it was before the last look
        return content

    def _cut_short(self, over: bool) -> _Ending | None:
        """Why the worker must not go on, if it must not."""
        if over:
            return _Ending("timed-out", seconds=f"{self._job.timeout:g}")
        if time.monotonic() - self._sampled > _SAMPLE_SECONDS:
            self._sampled = time.monotonic()
            if self._holds_too_much():
                return _Ending("out-of-memory", limit=f"{self._job.memory:g}")
        return None

    def _wait(self, poll: select.poll, seconds: float) -> None:
        """Wait for something to read, at most so many seconds, and read it."""
        self._clock.tick()
        for descriptor, _ in poll.poll(max(0.0, seconds) * 1000):
            if descriptor == self._status:
                self._ending = self._how_it_ended()
                self._read(self._results)  # what it wrote before is in the pipe by now
            elif descriptor == self._caller:
                raise CallerGone
            else:
                self._read(descriptor)

    def _read(self, descriptor: int) -> bool:
        """Read what is there; whether there was anything."""
        try:
            data = os.read(descriptor, _READ_BYTES)
        except BlockingIOError:
            return False
        if not data:
            with suppress(KeyError):  # else `poll` returns at once, for ever
                self._all.unregister(descriptor)
        elif descriptor == self._results:
            self._frames.add(data)
        else:
            self._printed.add(data)
        return bool(data)

    def _what_was_printed(self, marked: bool) -> Printed:
        """What was printed up to the frame in hand; up to now where the worker sent none."""
        if marked:
            while not self._printed.part_ended() and self._read(self._prints):
                pass
        else:
            self._read(self._prints)  # once: something left over may print for ever
        return self._printed.part()

    def _how_it_ended(self) -> _Ending:
        status = os.read(self._status, STATUS_BYTES)
        if status:
            code = os.waitstatus_to_exitcode(int.from_bytes(status, "big"))
        else:  # the keeper was killed, and the worker with it
            code = os.waitstatus_to_exitcode(os.waitpid(self._keeper, 0)[1])
            self._keeper = 0
        if code < 0:
            return _Ending("killed", signal=signal_name(-code))
        return _Ending("exited", code=str(code))

    def _holds_too_much(self) -> bool:
        limit = self._job.memory * (1 << 20)
        return (
            process_tree.resident_bytes(self._keeper) > limit
            and process_tree.proportional_bytes(self._keeper) > limit
        )

    def end(self) -> None:
        """End the worker and all that it started, and close what was opened."""
        os.close(self._life)
        if not self._keeper_ended():
            process_tree.end_descendants(self._not_ours, group=self._worker)
        for descriptor in (self._results, self._prints, self._status):
            os.close(descriptor)

    def _keeper_ended(self) -> bool:
        """Let the keeper end all; whether it did."""
        if not self._keeper:
            return False
        with suppress(ProcessLookupError):
            os.kill(self._keeper, signal.SIGCONT)  # the metric may have stopped it
        deadline = time.monotonic() + process_tree.END_SECONDS + 1
        ends = select.poll()
        ends.register(self._status, select.POLLIN)
        while ends.poll(max(0.0, deadline - time.monotonic()) * 1000):
            if not os.read(self._status, STATUS_BYTES):
                return os.waitpid(self._keeper, 0)[1] == 0
        return False


def _pipes(count: int) -> list[tuple[int, int]]:
    """So many pipes, or none where there is no room for all: the refusal needs some itself."""
    pipes: list[tuple[int, int]] = []
    try:
        while len(pipes) < count:
            pipes.append(os.pipe())
    except OSError:
        for end in sum(pipes, ()):
            os.close(end)
        raise
    return pipes


def signal_name(number: int) -> str:
    """The name of a signal, such as SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
