"""One metric, loaded once and called case by case, in this process (B3, B4).

Both runners use it: the worker of the process runner, and the runner inside the process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from skynet_stub import calling, metric_file
from skynet_stub.cases import Case
from skynet_stub.helpers import Helpers
from skynet_stub.outcomes import Advice, Called, Job, Loading, Returned
from skynet_stub.reasons import Fault
from skynet_stub.return_value import Verdict, check_return_value


class Session:
    """A metric in this process: `load` it, then `call` it for each case."""

    def __init__(self, job: Job) -> None:
        self._path = job.metric
        self._helpers = Helpers(job.models)
        self._score: Callable[..., object] | None = None
        self._binding = calling.THREE_BY_POSITION
        self._kept: list[object] = []

    @contextmanager
    def open(self) -> Iterator[None]:
        """The surroundings of a metric: the `skynet` module, and its folder on the path."""
        with self._helpers.installed(), metric_file.folder_importable(self._path):
            yield

    def load(self) -> Loading:
        """Load the file, find and bind `score`, judge `REWARD_SPEC`: the first fault ends it."""
        try:
            module = metric_file.load_metric(self._path)
        except metric_file.CannotLoad as problem:
            return Loading((problem.fault,))
        score = metric_file.find_score(module)
        if isinstance(score, Fault):
            return Loading((score,))
        binding = calling.bind(score)
        if binding is None:
            signature = str(calling.readable_signature(score))
            return Loading((Fault("signature-does-not-bind", facts={"signature": signature}),))
        self._score, self._binding = score, binding
        self._helpers.reward_spec = module.__dict__.get(metric_file.SPEC_NAME)
        another_order = calling.names_in_another_order(score, binding)
        advice = (Advice("parameter-order"),) if another_order else ()
        return Loading(metric_file.reward_spec_faults(module), advice)

    def call(self, case: Case) -> Called:
        """Call the metric for one case, once, and judge what it returns."""
        assert self._score is not None, "load() reported a fault, or was not called"
        started = time.perf_counter()
        try:
            with self._helpers.running(case):
                value = self._binding.call(self._score, case)
        except BaseException as error:  # SystemExit and KeyboardInterrupt of the metric's too
            verdict = Verdict((metric_file.raised_fault("call-raised", error, self._path),))
        else:
            self._kept.append(value)  # what it holds may do anything when it is let go
            verdict = check_return_value(value)
        return Called(
            case=case.number,
            faults=verdict.faults,
            returned=_returned(verdict),
            advice=self._advice(case, verdict),
            model_calls=tuple(self._helpers.calls),
            ms=(time.perf_counter() - started) * 1000,
        )

    def _advice(self, case: Case, verdict: Verdict) -> tuple[Advice, ...]:
        advice = []
        if verdict.bool_score:
            advice.append(Advice("bool-score", case.number))
        if self._helpers.other_spec_used:
            advice.append(Advice("other-spec", case.number))
        return tuple(advice)


def _returned(verdict: Verdict) -> Returned | None:
    if verdict.score is None or verdict.feedback is None:
        return None
    return Returned(verdict.score, verdict.feedback, verdict.scores)
