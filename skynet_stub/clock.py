"""The supervisor's clock: it goes on whatever a metric sends to it, and stops for the user (B4).

A metric may send SIGSTOP to the process of the command. On Linux a timer of the kernel's then has
it go on, so that the time of the metric runs out. Ctrl-Z still stops it, and all that the metric
started too; until it goes on no time passes for the metric.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from skynet_stub import process_tree

STOPPED_SECONDS = 0.25
"""How long the supervisor stays stopped, in seconds, where its user did not stop it."""

_CLOCK_MONOTONIC = 1
_SI_USER = 0  # a process sent it, if it is not more


def _nothing(*_: object) -> None:
    pass


class Clock:
    """The time that a metric has had. What waits for a metric calls `tick` all the time."""

    def __init__(self, not_ours: Collection[int] = (), tick: Callable[[], None] | None = None):
        """`not_ours` are children of this process that are not to be stopped. `tick` is called
        at each tick."""
        self._not_ours, self._tick = not_ours, tick
        self._stopped = 0.0
        self._rearm: Callable[..., object] = _nothing
        self._mask: Collection[int] = ()
        self._handler: Any = None

    def now(self) -> float:
        """The time in seconds, without that for which the user had the check stopped."""
        return time.monotonic() - self._stopped

    @contextmanager
    def going(self) -> Iterator[None]:
        """Take the signals that stop this process, and have it go on where it is stopped."""
        if sys.platform != "linux":
            yield
            return
        # SIGTTOU, so that a line of progress may be written from the background.
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTSTP, signal.SIGTTOU))
        # A signal that is ignored would not be sent again.
        self._handler = signal.signal(signal.SIGCONT, _nothing)
        try:
            with _continued() as self._rearm:
                yield
        finally:
            self._obey()  # no process of the metric's is left to send more
            signal.sigtimedwait((signal.SIGTTOU,), 0)  # of the metric's: a terminal sends none now
            self._rearm = _nothing
            self.leave()

    def leave(self) -> None:
        """Take no signals any more, in a process that was forked too."""
        if sys.platform == "linux":
            signal.signal(signal.SIGCONT, self._handler or signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def tick(self) -> None:
        """Say that this process goes on, and stop where the user wants it to."""
        self._rearm()
        self._obey()
        if self._tick is not None:
            self._tick()

    def _obey(self) -> None:
        """Stop where the user wants it to."""
        if self._rearm is not _nothing and self._user_stops():
            self._stop()

    def _user_stops(self) -> bool:
        """Whether the terminal sent SIGTSTP, or a process that is there and none of ours."""
        if sys.platform != "linux" or signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL:
            return False
        sent = signal.sigtimedwait((signal.SIGTSTP,), 0)
        if sent is None or sent.si_code > _SI_USER:
            return sent is not None
        ours = process_tree.descendants(os.getpid(), self._not_ours)
        return sent.si_pid not in ours and process_tree.is_there(sent.si_pid)

    def _stop(self) -> None:
        """Stop as if nothing had been set, with all that was started; then go on with it."""
        started = time.monotonic()
        stopped = process_tree.stop_descendants(self._not_ours)
        self._rearm(0)
        signal.raise_signal(signal.SIGTSTP)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTSTP,))  # here it stops
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTSTP,))
        process_tree.go_on(stopped)
        self._stopped += time.monotonic() - started
        self._rearm()


@contextmanager
def _continued() -> Iterator[Callable[..., object]]:
    """Have the kernel send SIGCONT to this process, unless the function that this gives is called
    more often than every `STOPPED_SECONDS`; it sends none after a call with 0."""
    try:
        import ctypes

        system = ctypes.CDLL(None)
        create, settime, delete = system.timer_create, system.timer_settime, system.timer_delete
    except (ImportError, OSError, AttributeError):  # a Python without ctypes, say
        yield _nothing
        return
    event = (ctypes.c_int * 16)()  # a value of the size of a pointer, then the signal
    event[ctypes.sizeof(ctypes.c_void_p) // 4] = signal.SIGCONT
    timer = ctypes.c_void_p()
    if create(_CLOCK_MONOTONIC, event, ctypes.byref(timer)) != 0:
        yield _nothing
        return
    intervals = {  # seconds and nanoseconds, twice: to the first time, and between others
        seconds: (ctypes.c_long * 4)(0, int(seconds * 1e9), 0, int(seconds * 1e9))
        for seconds in (0, STOPPED_SECONDS)
    }

    def rearm(seconds: float = STOPPED_SECONDS) -> None:
        settime(timer, 0, intervals[seconds], None)

    try:
        rearm()
        yield rearm
    finally:
        delete(timer)
