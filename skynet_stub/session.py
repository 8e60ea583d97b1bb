"""One metric, loaded once and called case by case, in this process (B3, B4).

Both runners use it: the worker of the process runner, and the runner inside the process.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import repeat
from math import inf
from sys import platform
from types import NoneType
from typing import Any

from skynet_stub import calling, metric_file
from skynet_stub.cases import Case
from skynet_stub.display import show_exception, type_name
from skynet_stub.helpers import Helpers
from skynet_stub.outcomes import Advice, Called, Job, Loading, Returned
from skynet_stub.reasons import Fault
from skynet_stub.return_value import Verdict, check_return_value, is_a, is_exactly

_ROOM_MIB = 64
"""How much memory the calls may take, in MiB, before what they returned is let go."""

_LARGE = 1000
"""How many elements, or characters, are judged at once."""

_SIZED: tuple[Any, ...] = (str, dict, tuple, list)
_ATOMS = (float, int, bool, NoneType)


class Session:
    """A metric in this process: `load` it, then `call` it for each case."""

    def __init__(
        self,
        job: Job,
        around: AbstractContextManager[object] | None = None,
        has_returned: Callable[[], object] = lambda: None,
    ) -> None:
        """`around` is entered whenever the metric's own code runs, and left again. `has_returned`
        is called before a value is judged that is too large to be judged at once."""
        self._path = job.metric
        self._has_returned = has_returned
        self._around = around or nullcontext()
        self._helpers = Helpers(job.models)
        self._score: Callable[..., object] | None = None
        self._binding: calling.Binding  # which `load` finds
        self._kept: list[object] = []
        self._last_error: BaseException | None = None
        self._peak, self._room = _peak_mebibytes(), min(_ROOM_MIB, job.memory / 4)
        self._peak_of_loading: float
        self._process, self._this_process = os.getpid(), os.getpid
        self._now = time.perf_counter

    @contextmanager
    def open(self) -> Iterator[None]:
        """The surroundings of a metric: the `skynet` module, and its folder on the path."""
        with self._helpers.installed(), metric_file.folder_importable(self._path):
            yield

    def load(self) -> Loading:
        """Load the file, find and bind `score`, judge `REWARD_SPEC`: the first fault ends it."""
        try:
            return self._load()
        except metric_file.CannotLoad as problem:
            self._let_others_go(problem.__context__)
            return Loading((problem.fault,))
        except BaseException as error:  # what is asked of the metric's objects runs its code
            return Loading((self._raised("loading-raised", error),))

    def _load(self) -> Loading:
        module = metric_file.load_metric(self._path, self._around)
        score = metric_file.find_score(module)
        if isinstance(score, Fault):
            return Loading((score,))
        binding = calling.bind(score)
        assert binding is not None, "find_score gives nothing else"
        self._score, self._binding = score, binding
        self._peak_of_loading = self._peak()
        self._helpers.reward_spec = module.__dict__.get(metric_file.SPEC_NAME)
        another_order = calling.names_in_another_order(score, binding)
        advice = (Advice("parameter-order"),) if another_order else ()
        return Loading(metric_file.reward_spec_faults(module), advice)

    def call(self, case: Case) -> Called:
        """Call the metric for one case, once, and judge what it returns."""
        assert self._score is not None, "load() reported a fault, or was not called"
        call = self._binding.prepare(self._score, case)
        started = self._now()
        try:
            with self._helpers.running(case), self._around:
                self._last_error = None
                if self._kept and self._peak() > self._peak_of_loading + self._room:
                    self._kept.clear()  # in the time of this call
                value = call()
        except BaseException as error:  # SystemExit and KeyboardInterrupt of the metric's too
            ended = self._now()
            verdict = Verdict((self._raised("call-raised", error),))
        else:
            ended = self._now()
            verdict = self._judge(value)
        return Called(
            case.number,
            verdict.faults,
            _returned(verdict),
            self._advice(case, verdict),
            (*self._helpers.calls,),
            (ended - started) * 1000,
        )

    def _judge(self, value: object) -> Verdict:
        if not _is_small_and_plain(value):
            if _is_large(value):
                self._has_returned()
            self._kept.append(value)  # what it holds may do anything when it is let go
        try:
            return check_return_value(value)
        except BaseException as error:  # of the metric's own methods, where none was expected
            facts = {"type": type_name(value), "exception": show_exception(error)}
            return Verdict((Fault("unreadable-value", facts=facts),))

    def _raised(self, reason: str, error: BaseException) -> Fault:
        self._around.__exit__(None, None, None)  # where a handler that was due kept it from that
        self._let_others_go(error)
        self._last_error = error  # what its frames hold is let go in the time of the next call
        try:
            return metric_file.raised_fault(reason, error, self._path)
        except BaseException:  # what reads tracebacks was patched, say
            return Fault(reason, facts={"exception": show_exception(error)})

    def _let_others_go(self, error: BaseException | None) -> None:
        """Raise the error again in a process that the metric forked: it ends by it."""
        if error is not None and self._this_process() != self._process:
            raise error

    def _advice(self, case: Case, verdict: Verdict) -> tuple[Advice, ...]:
        advice: tuple[Advice, ...] = ()
        if verdict.bool_score:
            advice += (Advice("bool-score", case.number),)
        if self._helpers.other_spec_used:
            advice += (Advice("other-spec", case.number),)
        return advice


def _returned(verdict: Verdict) -> Returned | None:
    if verdict.score is None:
        return None
    assert verdict.feedback is not None, "a verdict has both, or neither"
    return Returned(verdict.score, verdict.feedback, verdict.scores)


def _peak_mebibytes() -> Callable[[], float]:
    """A function that says how much memory this process has held at most, in MiB."""
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:  # a browser, say: nothing is to be kept there
        return lambda: inf
    unit = (1 << 20) if platform == "darwin" else (1 << 10)
    return lambda: getrusage(RUSAGE_SELF).ru_maxrss / unit


def _is_small_and_plain(value: Any, levels: int = 4) -> bool:
    """Whether a value is judged at once, and runs no code of the metric when it is let go."""
    if is_exactly(value, _ATOMS):
        return True
    if not is_exactly(value, _SIZED) or len(value) > _LARGE:
        return False
    kind = type(value)
    if kind is str:
        return True
    parts = (*value, *value.values()) if kind is dict else value
    return levels > 0 and all(map(_is_small_and_plain, parts, repeat(levels - 1)))


def _is_large(value: Any, levels: int = 3) -> bool:
    """Whether a value, or a part of it, is so large that it takes its time to judge it."""
    kind = next((one for one in _SIZED if is_a(value, one)), None)
    if kind is None:
        return False
    length: int = kind.__len__(value)  # of a subclass too
    if kind is str or length > _LARGE:
        return length > _LARGE
    parts = kind.values(value) if kind is dict else kind.__iter__(value)
    return levels > 0 and any(map(_is_large, parts, repeat(levels - 1)))
