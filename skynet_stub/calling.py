"""Find out how a metric's `score` wants to be called, and call it so (A2, B3)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

from skynet_stub.cases import Case
from skynet_stub.raised import dspy_hints
from skynet_stub.reasons import Fault, Hint
from skynet_stub.record import Record

ARGUMENTS = ("input", "output", "expected")
"""The arguments of a metric, in the order of the contract (A2)."""


class Binding(Record):
    """Which arguments a metric takes by position, and which by name."""

    by_position: tuple[str, ...]
    by_name: tuple[str, ...] = ()

    def prepare(self, score: Callable[..., object], case: Case) -> Callable[[], object]:
        """The call of the metric, with fresh deep copies of the case's values (B3)."""
        values = {name: _copy(getattr(case, name)) for name in ARGUMENTS}
        positional = [values[name] for name in self.by_position]
        return partial(score, *positional, **{name: values[name] for name in self.by_name})


def _copy(value: Any) -> Any:
    """A deep copy; of what JSON gives, it is made faster than `deepcopy` does."""
    kind = type(value)
    if kind is str or value is None:
        return value
    if kind is dict:
        return {key: _copy(part) for key, part in value.items()}
    if kind is list:
        return [_copy(part) for part in value]
    return deepcopy(value)


THREE_BY_POSITION = Binding(ARGUMENTS)
TWO_BY_POSITION = Binding(ARGUMENTS[:2])
EXPECTED_BY_NAME = Binding(ARGUMENTS[:2], ("expected",))


def bind(score: Callable[..., object]) -> Binding | None:
    """The first way of calling that the signature takes, or `None` where it takes none (B3)."""
    signature = readable_signature(score)
    if signature is None:
        return THREE_BY_POSITION
    for binding in (
        THREE_BY_POSITION,
        EXPECTED_BY_NAME,
        _keyword_only_by_name(signature),
        TWO_BY_POSITION,
    ):
        if _binds(signature, binding):
            return binding
    return None


def unbound_fault(score: Callable[..., object]) -> Fault:
    """The fault of a callable that `bind` finds no way of calling."""
    signature = readable_signature(score)
    names = frozenset(signature.parameters) if signature else frozenset()
    hints = [*dspy_hints(names)]
    if isinstance(score, type):
        hints.append(Hint("hint.score-is-a-class"))
    elif "self" in names:
        hints.append(Hint("hint.method-without-object"))
    return Fault("signature-does-not-bind", facts={"signature": str(signature)}, hints=tuple(hints))


def readable_signature(score: Callable[..., object]) -> inspect.Signature | None:
    """The signature of a callable, or `None` where Python can read none (a C function, say)."""
    try:
        return inspect.signature(score)
    except BaseException:  # `__signature__` and its like are the metric's
        return None


def names_in_another_order(score: Callable[..., object], binding: Binding) -> bool:
    """Whether a parameter that is named like one argument is given another one (B8)."""
    signature = readable_signature(score)
    if signature is None:
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [name for name, parameter in signature.parameters.items() if parameter.kind in kinds]
    given = zip(names, binding.by_position, strict=False)
    return any(name in ARGUMENTS and name != argument for name, argument in given)


def _keyword_only_by_name(signature: inspect.Signature) -> Binding:
    by_name = tuple(
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name in ARGUMENTS
    )
    by_position = tuple(name for name in ARGUMENTS if name not in by_name)
    return Binding(by_position, by_name)


def _binds(signature: inspect.Signature, binding: Binding) -> bool:
    positional: list[Any] = [None] * len(binding.by_position)
    try:
        signature.bind(*positional, **dict.fromkeys(binding.by_name))
    except TypeError:
        return False
    return True
