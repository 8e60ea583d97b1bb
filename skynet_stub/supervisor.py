"""The supervisor: runs a metric in workers, and ends all that they started (B4).

It is the process of the command itself, so it may adopt orphans and reap them; Python callers
start it by `process.py`. Between it and each worker stands a keeper, so that all is ended also
where the supervisor is killed.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from skynet_stub import process_tree
from skynet_stub.clock import Clock
from skynet_stub.frames import Room
from skynet_stub.outcomes import Called, Job, Loading, job_from_wire, to_wire
from skynet_stub.refused import Refused
from skynet_stub.watched import CallerGone, Watched


class Stopped(BaseException):
    """This process was asked to end, by the signal `number`."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


def stop_on_signals() -> None:
    """Have the signals that end this process raise `Stopped`, so that what it started goes first.

    One that is ignored (`nohup`) stays so.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _stop(number: int, frame: FrameType | None) -> None:
    raise Stopped(number)


def end_by(stopped: Stopped) -> NoReturn:
    """End this process by the signal itself, as if nothing had been set."""
    signal.signal(stopped.number, signal.SIG_DFL)
    signal.raise_signal(stopped.number)
    os._exit(1)  # it is blocked


def supervise(
    job: Job, caller: int | None = None, tick: Callable[[], None] | None = None
) -> Iterator[Loading | Called]:
    """Run the job in a worker; after a timeout or an abnormal end, go on in a fresh one (B4).

    `caller` is a descriptor at whose end `CallerGone` is raised. `tick` is called now and then
    while the metric is waited for.

    Raises `Refused` where no worker can be started, and where the stub itself failed in one.
    """
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # then no status of a child is kept
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    process_tree.adopt_orphans()
    not_ours = process_tree.children(os.getpid())  # of a shell that became this command
    clock = Clock(not_ours, tick)
    with _no_new_cache_in(job.metric.parent), clock.going():
        yield from _supervise(job, caller, not_ours, clock)


def _supervise(
    job: Job, caller: int | None, not_ours: Collection[int], clock: Clock
) -> Iterator[Loading | Called]:
    room = Room()
    done, loaded = 0, False
    while done < len(job.cases) or not loaded:
        worker = _started(job, done, room, caller, not_ours, clock)
        try:
            loading = worker.load()
            if not loaded:
                loaded = True
                yield loading
            elif loading.faults:  # it loaded before: the calls that are left cannot be made
                yield from (Called(case.number, loading.faults) for case in job.cases[done:])
            while not loading.faults and done < len(job.cases) and not worker.ended:
                called = worker.called(job.cases[done])
                done += 1
                yield called
            worker.finish()
            if loading.faults:
                return
        finally:
            worker.end()


@contextmanager
def _no_new_cache_in(folder: Path) -> Iterator[None]:
    """Remove what a child in Python compiled there, where nothing was: `spawn` imports the file."""
    cache = os.path.join(folder, "__pycache__")  # noqa: PTH118
    there = os.path.lexists(cache)
    try:
        yield
    finally:
        if not there and os.path.lexists(cache):
            with suppress(OSError):
                for name in os.listdir(cache):  # noqa: PTH208
                    if name.endswith(".pyc"):
                        os.unlink(os.path.join(cache, name))  # noqa: PTH108, PTH118
                os.rmdir(cache)  # noqa: PTH106


def _started(job: Job, *more: Any) -> Watched:
    try:
        return Watched(job, *more)
    except OSError as error:  # too many processes or open files
        raise Refused("not-started", problem=error.strerror) from None


def main() -> None:
    """Run the job that stands on standard input, write each outcome as a line, end with it.

    A refusal is the last line, a list of its key and its facts.
    """
    stop_on_signals()
    with os.fdopen(0, "rb", closefd=False) as asked:
        job = job_from_wire(json.loads(asked.readline()))
    results = os.fdopen(os.dup(1), "wb")
    try:
        for line in _lines(job):
            results.write(json.dumps(line).encode("ascii") + b"\n")
            results.flush()
    except Stopped as stopped:
        end_by(stopped)
    except (CallerGone, BrokenPipeError, KeyboardInterrupt):
        pass
    os._exit(0)


def _lines(job: Job) -> Iterator[Any]:
    try:
        yield from map(to_wire, supervise(job, caller=0))
    except Refused as refused:
        yield [refused.key, refused.facts]
