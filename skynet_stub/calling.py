"""Find out how a metric's `score` wants to be called, and call it so (A2, B3)."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from types import FunctionType, NoneType
from typing import TYPE_CHECKING, Any

from skynet_stub.cases import Case
from skynet_stub.raised import dspy_hints
from skynet_stub.reasons import Fault, Hint
from skynet_stub.record import Record

if TYPE_CHECKING:
    from inspect import Parameter, Signature

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


_UNCHANGING = {str, int, float, bool, NoneType}


def _copy(value: Any) -> Any:
    """A deep copy; of what JSON gives, it is made faster than `deepcopy` does."""
    kind = type(value)
    if kind in _UNCHANGING:
        return value
    if kind is dict:
        return {key: _copy(part) for key, part in value.items()}
    if kind is list:
        return [_copy(part) for part in value]
    return deepcopy(value)


THREE_BY_POSITION = Binding(ARGUMENTS)
TWO_BY_POSITION = Binding(ARGUMENTS[:2])
EXPECTED_BY_NAME = Binding(ARGUMENTS[:2], ("expected",))


class _Parameters(Record):
    """What of a signature decides how it can be called.

    The first `required` of the `positional` ones have no default; the first `nameless` cannot be
    given by name.
    """

    positional: tuple[str, ...]
    required: int
    nameless: int
    keyword_only: tuple[str, ...]
    required_by_name: frozenset[str]
    any_position: bool
    any_name: bool


def bind(score: Callable[..., object]) -> Binding | None:
    """The first way of calling that the signature takes, or `None` where it takes none (B3).

    A decorator's function that takes `*args` hands them on: then what it wraps must take them too.
    """
    parameters = _parameters(score)
    if parameters is None:
        return THREE_BY_POSITION
    called = _of_what_is_called(score) or parameters
    for binding in (
        THREE_BY_POSITION,
        EXPECTED_BY_NAME,
        _keyword_only_by_name(parameters),
        TWO_BY_POSITION,
    ):
        if _binds(parameters, binding) and _binds(called, binding):
            return binding
    return None


def unbound_fault(score: Callable[..., object]) -> Fault:
    """The fault of a callable that `bind` finds no way of calling."""
    parameters = _parameters(score)
    names = frozenset(parameters.positional) if parameters else frozenset()
    hints = [*dspy_hints(names)]
    if isinstance(score, type):
        hints.append(Hint("hint.score-is-a-class"))
    elif "self" in names:
        hints.append(Hint("hint.method-without-object"))
    facts = {"signature": str(readable_signature(score))}
    return Fault("signature-does-not-bind", facts=facts, hints=tuple(hints))


def names_in_another_order(score: Callable[..., object], binding: Binding) -> bool:
    """Whether a parameter that is named like one argument is given another one (B8)."""
    parameters = _parameters(score)
    if parameters is None:
        return False
    given = zip(parameters.positional, binding.by_position, strict=False)
    return any(name in ARGUMENTS and name != argument for name, argument in given)


def readable_signature(score: Callable[..., object], wrapped: bool = True) -> Signature | None:
    """The signature of a callable, or `None` where Python can read none (a C function, say).

    Of a function that takes `*args` it is that of the function which it wraps, if any and if
    `wrapped`: what it is given goes on to that one.
    """
    try:
        import inspect  # takes long to import: see `_parameters`

        found = inspect.signature(score, follow_wrapped=False)
        if wrapped and any(one.kind is one.VAR_POSITIONAL for one in found.parameters.values()):
            if isinstance(score, FunctionType) and "__wrapped__" in score.__dict__:
                return readable_signature(score.__dict__["__wrapped__"])
            return inspect.signature(score)
        return found
    except BaseException:  # `__signature__` and its like are the metric's
        return None


def _of_what_is_called(score: Callable[..., object]) -> _Parameters | None:
    """The parameters of the function that is called itself, whatever it wraps."""
    if isinstance(score, FunctionType) and not score.__dict__:
        return None
    signature = readable_signature(score, wrapped=False)
    return None if signature is None else _of_signature(signature)


def _parameters(score: Callable[..., object]) -> _Parameters | None:
    """The parameters of a callable, or `None` where Python can read none.

    Those of a function that nothing was done to are read here, so that most metrics need no
    module for it.
    """
    if isinstance(score, FunctionType) and not score.__dict__:
        return _of_function(score)
    signature = readable_signature(score)
    return None if signature is None else _of_signature(signature)


def _of_function(function: FunctionType) -> _Parameters:
    code = function.__code__
    count, last = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    keyword_only = code.co_varnames[count:last]
    return _Parameters(
        positional=code.co_varnames[:count],
        required=count - len(function.__defaults__ or ()),
        nameless=code.co_posonlyargcount,
        keyword_only=keyword_only,
        required_by_name=frozenset(keyword_only).difference(function.__kwdefaults__ or ()),
        any_position=code.co_flags & _VARARGS != 0,
        any_name=code.co_flags & _VARKEYWORDS != 0,
    )


_VARARGS, _VARKEYWORDS = 4, 8
"""Flags of a code object, as `inspect` documents them."""


def _of_signature(signature: Signature) -> _Parameters:
    kinds: dict[int, list[Parameter]] = {kind: [] for kind in range(5)}
    for parameter in signature.parameters.values():
        kinds[parameter.kind].append(parameter)
    nameless, either, any_position, keyword_only, any_name = kinds.values()
    positional = [*nameless, *either]
    return _Parameters(
        positional=tuple(one.name for one in positional),
        required=sum(one.default is one.empty for one in positional),
        nameless=len(nameless),
        keyword_only=tuple(one.name for one in keyword_only),
        required_by_name=frozenset(one.name for one in keyword_only if one.default is one.empty),
        any_position=any_position != [],
        any_name=any_name != [],
    )


def _keyword_only_by_name(parameters: _Parameters) -> Binding:
    by_name = tuple(name for name in parameters.keyword_only if name in ARGUMENTS)
    by_position = tuple(name for name in ARGUMENTS if name not in by_name)
    return Binding(by_position, by_name)


def _binds(parameters: _Parameters, binding: Binding) -> bool:
    """Whether a call with these arguments reaches each parameter once, and misses none."""
    count, by_name = len(binding.by_position), frozenset(binding.by_name)
    positional = parameters.positional
    has_room = count <= len(positional) or parameters.any_position
    nameable = {*positional[max(count, parameters.nameless) :], *parameters.keyword_only}
    taken = frozenset(positional[parameters.nameless : count])
    has_names = parameters.any_name or by_name <= nameable
    needed = parameters.required_by_name.union(positional[count : parameters.required])
    return has_room and has_names and not by_name & taken and needed <= by_name & nameable
