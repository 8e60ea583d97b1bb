"""The worker: the process in which a metric is loaded and called (B4).

It reads one job from standard input, then writes one JSON document a line to the pipe that was
its standard output. What the metric prints goes to another pipe: it is never taken for a result.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from skynet_stub.cases import Case, Measured, Pin
from skynet_stub.helpers import Models
from skynet_stub.outcomes import Called, Job, Loading, to_wire
from skynet_stub.session import Session


def main() -> None:
    """Run the job on standard input: an empty document when ready, then each outcome."""
    job = _job(json.load(sys.stdin.buffer))
    results = _results_pipe()
    _empty_standard_input()
    os.chdir(job.metric.parent)
    _send(results, {})
    session = Session(job)
    with session.open():
        loading = session.load()
        _send_outcome(results, loading)
        if not loading.faults:
            for case in job.cases:
                _send_outcome(results, session.call(case))
        os._exit(0)  # threads and exit handlers of the metric have no say any more


def _results_pipe() -> BinaryIO:
    """Keep standard output for the results alone; let prints go where standard error goes."""
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return results


def _empty_standard_input() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # for good


def _send_outcome(results: BinaryIO, outcome: Loading | Called) -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue  # the metric closed it, or put something else in its place
    _send(results, to_wire(outcome))


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
