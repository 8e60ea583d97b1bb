"""The worker: the process in which a metric is loaded and called (B4).

It reads one job from the pipe that was its standard input, then a blank line before each call,
and writes one JSON document a line to the pipe that was its standard output. What the metric
prints goes to another pipe: it is never taken for a result.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, BinaryIO

from skynet_stub.cases import Case, Measured, Pin
from skynet_stub.helpers import Models
from skynet_stub.outcomes import Job, to_wire
from skynet_stub.session import Session


def main() -> None:
    """Run the job: an empty document when ready, then each outcome."""
    control, results = _own_pipes()
    job = _job(json.loads(control.readline()))
    os.chdir(job.metric.parent)
    _send(results, {})
    session = Session(job)
    with session.open():
        loading = session.load()
        _send(results, to_wire(loading))
        if not loading.faults:
            for case in job.cases:
                control.readline()
                _send(results, to_wire(session.call(case)))
        os._exit(0)  # threads and exit handlers of the metric have no say any more


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep standard input and output for the check alone.

    The metric reads nothing from them, and prints to where standard error goes.
    """
    control, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return control, results


def _send(results: BinaryIO, document: dict[str, Any]) -> None:
    results.write(json.dumps(document).encode("ascii") + b"\n")
    results.flush()


def _job(row: dict[str, Any]) -> Job:
    """The job that `to_wire` made this dict of."""
    cases = [_case(case) for case in row["cases"]]
    return Job(Path(row["metric"]), cases, row["timeout"], Models(**row["models"]))


def _case(row: dict[str, Any]) -> Case:
    parts = {
        "llm": tuple(row["llm"]),
        "measured": Measured(**row["measured"]),
        "result": Pin(**row["result"]) if row["result"] else None,
    }
    return Case(**row | parts)
