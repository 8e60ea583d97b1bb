"""What a runner reports to the check: plain facts, which also cross a pipe as JSON (B4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from skynet_stub.cases import Case, Measured, Pin
from skynet_stub.helpers import ModelCall, Models
from skynet_stub.limits import METRIC_MEMORY_MIB
from skynet_stub.reasons import NO_FACTS, Fault, Hint
from skynet_stub.record import Record, fields_set


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


NOTHING_PRINTED = Printed()


class Loading(Record):
    """How loading the metric file ended: no fault means that the cases can be run."""

    faults: tuple[Fault, ...] = ()
    advice: tuple[Advice, ...] = ()
    printed: Printed = NOTHING_PRINTED


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
    printed: Printed = NOTHING_PRINTED


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
    """A tree of these records as plain dicts and lists, a path as its text.

    A field that holds its default is left out: most do, and each costs time.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Record):
        wire = fields_set(value)
        for name, field in wire.items():
            if type(field) not in _PLAIN:
                wire[name] = to_wire(field)
        return wire
    if isinstance(value, tuple | list):
        return [to_wire(element) for element in value]
    if isinstance(value, Mapping):
        return {key: to_wire(element) for key, element in value.items()}
    return str(value) if isinstance(value, Path) else value


def job_from_wire(row: dict[str, Any]) -> Job:
    """The `Job` that `to_wire` made this dict of."""
    cases = [_case(case) for case in row["cases"]]
    models = Models(**row["models"])
    memory = row.get("memory", METRIC_MEMORY_MIB)
    return Job(Path(row["metric"]), cases, row["timeout"], models, memory)


def loading_from_wire(row: dict[str, Any]) -> Loading:
    """The `Loading` that `to_wire` made this dict of."""
    return Loading(_faults(row), _advice(row), _printed(row))


def called_from_wire(row: dict[str, Any], printed: Printed | None = None) -> Called:
    """The `Called` that `to_wire` made this dict of, with what was printed where it is given."""
    return Called(
        row["case"],
        _faults(row),
        _returned(row),
        _advice(row),
        tuple(map(_model_call, row.get("model_calls", ()))),
        row.get("ms", 0.0),
        _printed(row) if printed is None else printed,
    )


def _case(row: dict[str, Any]) -> Case:
    parts = {
        "llm": tuple(row.get("llm", ())),
        "measured": Measured(**row.get("measured", {})),
        "result": Pin(**row["result"]) if "result" in row else None,
    }
    return Case(**row | parts)


def _faults(row: dict[str, Any]) -> tuple[Fault, ...]:
    return tuple(map(_fault, row.get("faults", ())))


def _fault(row: dict[str, Any]) -> Fault:
    return Fault(**row | {"hints": tuple(Hint(**hint) for hint in row.get("hints", ()))})


def _returned(row: dict[str, Any]) -> Returned | None:
    if "returned" not in row:
        return None
    returned = row["returned"]
    return Returned(returned["score"], returned["feedback"], returned.get("scores"))


def _advice(row: dict[str, Any]) -> tuple[Advice, ...]:
    return tuple(Advice(**advice) for advice in row["advice"]) if "advice" in row else ()


def _model_call(row: dict[str, Any]) -> ModelCall:
    return ModelCall(row["model"], tuple(row["messages"]), row["reply"])


def _printed(row: dict[str, Any]) -> Printed:
    return Printed(**row["printed"]) if "printed" in row else NOTHING_PRINTED
