"""Keep what a metric did to Python away from our own code, which runs between its calls (B4)."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` would make an enum of each number
import _thread
import builtins
import sys
from typing import Any

_HANDLED = (
    *("INT", "ALRM", "VTALRM", "PROF", "USR1", "USR2", "CHLD", "IO", "TERM", "HUP", "QUIT"),
    *("WINCH", "CONT", "TSTP", "URG"),
)
"""Signals that programs commonly handle. There are many more, and each costs time."""


def _nothing(*_: object) -> None:
    pass


class Shield:
    """Entered while the metric's code runs, left while our own does, in the main thread.

    While our own runs the built-ins are Python's own, the recursion limit is too, nothing traces
    or profiles, and no handler is called of the signals that programs commonly handle. What it
    needs for that it holds from the start, where no patch reaches it.
    """

    def __init__(self) -> None:
        self._mask = _signal.pthread_sigmask
        self._handled = [getattr(_signal, f"SIG{name}") for name in _HANDLED]
        self._none, self._all = self._mask(_signal.SIG_BLOCK, ()), frozenset(self._handled)
        self._set = _signal.SIG_SETMASK
        self._handle, self._handler_of = _signal.signal, _signal.getsignal
        self._threads, self._interrupt = _thread._count, [_signal.SIGINT]
        self._none_handles = _signal.SIG_DFL, _signal.SIG_IGN
        self._handlers: dict[int, Any] = {}
        self._builtins, self._own = builtins.__dict__, dict(builtins.__dict__)
        self._copy, self._update, self._values = dict, dict.update, dict.values
        self._own_values = [*self._own.values()]
        self._limit, self._set_limit = sys.getrecursionlimit, sys.setrecursionlimit
        self._own_limit = self._limit()
        self._trace, self._set_trace = sys.gettrace, sys.settrace
        self._profile, self._set_profile = sys.getprofile, sys.setprofile
        self._metrics: tuple[Any, int, Any, Any] = (None, self._own_limit, None, None)
        self._is_up = True

    def __enter__(self) -> None:
        try:
            self._down()
        except BaseException:  # of a handler of the metric's that was due
            self._up()
            raise

    def __exit__(self, *_: object) -> None:
        self._up()

    def _up(self) -> None:
        """Never raises, also where a handler that was due does."""
        while not self._is_up:
            try:
                self._mask(self._set, self._all)  # handlers that are due run here: never again then
                self._take_handlers()
                trace, profile = self._trace(), self._profile()
                self._metrics = (self._patched(), self._limit(), trace, profile)
                if trace is not None:  # an audit hook may forbid to set it
                    self._set_trace(None)
                if profile is not None:
                    self._set_profile(None)
                self._set_limit(self._own_limit)
                self._is_up = True
            except BaseException:
                continue

    def _down(self) -> None:
        """All is as the metric left it."""
        self._is_up = False
        patched, limit, trace, profile = self._metrics
        self._set_limit(limit)
        if patched is not None:
            self._update(self._builtins, patched)
        if trace is not None:
            self._set_trace(trace)
        if profile is not None:
            self._set_profile(profile)
        for number, handler in self._handlers.items():
            self._handle(number, handler)
        self._handlers.clear()
        self._mask(self._set, self._none)

    def _take_handlers(self) -> None:
        """Have no handler called: a signal passes the mask where another thread takes it, and
        `interrupt_main` by any thread passes it too."""
        default, ignored = self._none_handles
        for number in self._handled if self._threads() else self._interrupt:
            handler = self._handler_of(number)
            if handler is not default and handler is not ignored and handler is not _nothing:
                self._handlers[number] = handler
                self._handle(number, _nothing)

    def _patched(self) -> dict[str, Any] | None:
        """The built-ins as the metric patched them, which are undone; `None` where it did not."""
        try:
            if [*self._values(self._builtins)] == self._own_values:
                return None
        except BaseException:  # what stands there now compares by methods of the metric
            pass
        patched = self._copy(self._builtins)
        self._update(self._builtins, self._own)
        return patched
