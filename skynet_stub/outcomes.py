"""What a runner reports to the check: plain facts, which also cross a pipe as JSON (B4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from skynet_stub.cases import Case, Measured, Pin
from skynet_stub.helpers import ModelCall, Models
from skynet_stub.limits import METRIC_MEMORY_MIB
from skynet_stub.reasons import NO_FACTS, Fault, Hint
from skynet_stub.record import Record


class Advice(Record):
    """Something worth saying that fails nothing (B8): the catalog's `advice.<id>`.

    `case` is the number of the case, or `None` where it is about the metric as a whole.
    """

    id: str
    case: int | None = None
    facts: Mapping[str, str] = NO_FACTS


class Printed(Record):
    """What a metric printed: all of it in `head`; of much, the first and the last 64 KiB in `head`
    and `tail`, and in `left_out` how many bytes there were between them (B4)."""

    head: str = ""
    left_out: int = 0
    tail: str = ""

    def __bool__(self) -> bool:
        return bool(self.head or self.left_out)


_NOTHING_PRINTED = Printed()


class Loading(Record):
    """How loading the metric file ended: no fault means that the cases can be run."""

    faults: tuple[Fault, ...] = ()
    advice: tuple[Advice, ...] = ()
    printed: Printed = _NOTHING_PRINTED


class Returned(Record):
    """A valid return value, plainly typed: all of it that crosses back to the check (B4)."""

    score: float
    feedback: str
    scores: Mapping[str, float] | None = None


class Called(Record):
    """How the call for one case ended.

    `returned` is the value where it was valid; else `faults` say why not. `ms` is the time of
    the call in milliseconds, `printed` what the metric printed meanwhile.
    """

    case: int
    faults: tuple[Fault, ...] = ()
    returned: Returned | None = None
    advice: tuple[Advice, ...] = ()
    model_calls: tuple[ModelCall, ...] = ()
    ms: float = 0.0
    printed: Printed = _NOTHING_PRINTED


class Job(Record):
    """What a runner is asked to do: load this file, then call it with these cases, in order.

    `timeout` is in seconds, and holds for loading and for each call (B4). `memory` is how much
    the metric and all that it starts may hold, in MiB of resident memory.
    """

    metric: Path
    cases: Sequence[Case]
    timeout: float
    models: Models
    memory: float = METRIC_MEMORY_MIB


class Runner(Protocol):
    """Runs a metric: one `Loading`, then, where that has no fault, one `Called` a case."""

    def __call__(self, job: Job, /) -> Iterator[Loading | Called]: ...


_PLAIN = frozenset({str, int, float, bool, type(None)})


def to_wire(value: Any) -> Any:
    """A tree of these records as plain dicts and lists, a path as its text."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [to_wire(element) for element in value] if value else []
    if isinstance(value, Record):
        wire = {}
        for name in value.__match_args__:
            field = getattr(value, name)
            wire[name] = field if type(field) in _PLAIN else to_wire(field)
        return wire
    if isinstance(value, tuple | list):
        return [to_wire(element) for element in value]
    if isinstance(value, Mapping):
        return {key: to_wire(element) for key, element in value.items()}
    return str(value) if isinstance(value, Path) else value


def job_from_wire(row: dict[str, Any]) -> Job:
    """The `Job` that `to_wire` made this dict of."""
    cases = [_case(case) for case in row["cases"]]
    return Job(Path(row["metric"]), cases, row["timeout"], Models(**row["models"]), row["memory"])


def loading_from_wire(row: dict[str, Any]) -> Loading:
    """The `Loading` that `to_wire` made this dict of."""
    return Loading(_faults(row), _advice(row), Printed(**row["printed"]))


def called_from_wire(row: dict[str, Any], printed: Printed | None = None) -> Called:
    """The `Called` that `to_wire` made this dict of, with what was printed where it is given."""
    return Called(
        case=row["case"],
        faults=_faults(row),
        returned=Returned(**row["returned"]) if row["returned"] else None,
        advice=_advice(row),
        model_calls=tuple(
            ModelCall(call["model"], tuple(call["messages"]), call["reply"])
            for call in row["model_calls"]
        ),
        ms=row["ms"],
        printed=Printed(**row["printed"]) if printed is None else printed,
    )


def _case(row: dict[str, Any]) -> Case:
    parts = {
        "llm": tuple(row["llm"]),
        "measured": Measured(**row["measured"]),
        "result": Pin(**row["result"]) if row["result"] else None,
    }
    return Case(**row | parts)


def _faults(row: dict[str, Any]) -> tuple[Fault, ...]:
    return tuple(
        Fault(**fault | {"hints": tuple(Hint(**hint) for hint in fault["hints"])})
        for fault in row["faults"]
    )


def _advice(row: dict[str, Any]) -> tuple[Advice, ...]:
    return tuple(Advice(**advice) for advice in row["advice"])
