"""The `skynet` module that a metric imports: llm, reward, observation, service_cost (B6)."""

from __future__ import annotations

import sys
from _thread import RLock
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from skynet_stub import reward as reward_rules
from skynet_stub.cases import Case, Measured
from skynet_stub.reasons import Hint
from skynet_stub.record import Record
from skynet_stub.return_value import is_a, plain_str

DEFAULT_REFLECTION_MODEL = "stub-reflection-model"
"""The stub's name for the reflection model, where the user gives none (B6)."""


class Models(Record):
    """The names of the models of a run; `None` is a model that was not chosen (A5, B6)."""

    metric: str | None = None
    reflection: str | None = DEFAULT_REFLECTION_MODEL

    @property
    def for_metric(self) -> str | None:
        """The model that a call from a metric goes to: the metric model, else the other one."""
        return self.metric or self.reflection


class ModelCall(Record):
    """One recorded call of `llm()`: the model, the messages, and the scripted reply."""

    model: str
    messages: tuple[Mapping[str, str], ...]
    reply: str


_OUTSIDE = Hint("hint.only-in-a-case")


def _error(problem: str, hint: Hint) -> RuntimeError:
    """The error of a helper; the hint says what to do, in the language of the report."""
    error = RuntimeError(problem)
    error.__dict__["hint"] = hint
    return error


class Helpers:
    """What stands behind the `skynet` module while one metric is loaded and run.

    `case` is the case in hand, `None` while the file is loading and between cases.
    `reward_spec` is the module's `REWARD_SPEC` once it is loaded.
    """

    def __init__(
        self,
        models: Models = Models(),  # noqa: B008  # frozen
        reward_spec: object = None,
    ) -> None:
        self.models = models
        self.case: Case | None = None
        self.reward_spec = reward_spec
        self.calls: list[ModelCall] = []
        self.other_spec_used = False
        self._one_at_a_time = RLock()  # a metric may call from many threads

    def running(self, case: Case) -> Helpers:
        """Have a case in hand, up to the end of a `with` statement: its scripted replies and
        measurements hold meanwhile."""
        self.case = case
        self.calls = []
        self.other_spec_used = False
        return self

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        self.case = None

    def llm(self, prompt: str, input: str | None = None) -> str:
        """Answer with the next scripted reply of the case, and record the call."""
        for name, text in (("prompt", prompt), ("input", input)):
            if not is_a(text, str) and not (name == "input" and text is None):
                raise TypeError(f"llm() takes {name} as a string, not {type(text).__name__}")
        with self._one_at_a_time:
            return self._next_reply(plain_str(prompt), None if input is None else plain_str(input))

    def _next_reply(self, prompt: str, input: str | None) -> str:
        if self.case is None:
            raise _error("llm() was called outside a running case", _OUTSIDE)
        place = f"case {self.case.number}, llm() call {len(self.calls) + 1}"
        model = self.models.for_metric
        if model is None:
            problem = f"{place}: there is neither a metric model nor a reflection model"
            raise _error(problem, Hint("hint.no-model"))
        if len(self.calls) == len(self.case.llm):
            hint = Hint("hint.one-more-reply", {"n": str(len(self.case.llm))})
            raise _error(f"{place}: no scripted reply is left", hint)
        messages: tuple[dict[str, str], ...] = ({"role": "user", "content": prompt},)
        if input is not None:
            system = {"role": "system", "content": prompt}
            messages = (system, {"role": "user", "content": input})
        reply = self.case.llm[len(self.calls)]
        self.calls.append(ModelCall(model, messages, reply))
        return reply

    def reward(
        self, spec: Mapping[str, Any], accuracy: float, feedback: str
    ) -> tuple[float, dict[str, Any]]:
        """Combine accuracy with the measurements of the case in hand: see `reward.reward`."""
        measured = self.case.measured if self.case else Measured()
        value = reward_rules.reward(spec, accuracy, feedback, measured)
        self.other_spec_used |= spec != self.reward_spec  # whose values are numbers: it was valid
        return value

    def observation(self) -> Measured:
        """What was measured of the case in hand: `.ms` and `.usd`, each a float or `None`."""
        return self._case("observation").measured

    def service_cost(self) -> float | None:
        """The measured model cost of the case in hand in US dollars, or `None`."""
        return self._case("service_cost").measured.usd

    def _case(self, name: str) -> Case:
        if self.case is None:
            raise _error(f"{name}() was called outside a running case", _OUTSIDE)
        return self.case

    def module(self) -> ModuleType:
        """A fresh `skynet` module with the four helpers."""
        module = ModuleType("skynet", "What Skynet offers to a metric; here, the local stub's.")
        module.__spec__ = ModuleSpec("skynet", None)  # for `importlib.util.find_spec`
        for helper in (self.llm, self.reward, self.observation, self.service_cost):
            setattr(module, helper.__name__, helper)
        module.__dict__["__all__"] = ["llm", "observation", "reward", "service_cost"]
        return module

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Make `import skynet` find the module, before anything on the path, for a while."""
        earlier = sys.modules.get("skynet")
        sys.modules["skynet"] = self.module()
        try:
            yield
        finally:
            del sys.modules["skynet"]
            if earlier is not None:
                sys.modules["skynet"] = earlier
