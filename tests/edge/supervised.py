"""A process that supervises the metrics of many tests, one after the other, as the command does."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from skynet_stub.outcomes import Called, Job, Loading, called_from_wire, loading_from_wire, to_wire

PACKAGE = Path(__file__).parents[2]

SUPERVISOR = """
import json, os, sys
from skynet_stub import process_tree
from skynet_stub.outcomes import job_from_wire, to_wire
from skynet_stub.supervisor import supervise
for name in sys.argv[1:]:  # for all metrics, by the fork
    __import__(name)
for line in sys.stdin:
    outcomes = [to_wire(outcome) for outcome in supervise(job_from_wire(json.loads(line)))]
    print(json.dumps([outcomes, process_tree.children(os.getpid())]), flush=True)
"""


@dataclass(frozen=True)
class Supervisor:
    """The process of `SUPERVISOR`, and the mark of all that it starts."""

    process: subprocess.Popen[str]
    mark: str

    def run(self, job: Job) -> Iterator[Loading | Called]:
        """The outcomes of a job, after which the process has no child."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(to_wire(job)) + "\n")
        self.process.stdin.flush()
        (loading, *called), left = json.loads(self.process.stdout.readline())
        assert left == []
        yield loading_from_wire(loading)
        yield from map(called_from_wire, called)


@cache
def supervisor(*modules: str) -> Supervisor:
    """The one whose metrics find these modules imported, with a plain environment."""
    mark = new_mark()
    plain = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    process = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, *modules],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=plain | {"HOSTILE_MARK": mark, "PYTHONPATH": str(PACKAGE)},
        encoding="ascii",
    )
    atexit.register(process.communicate)
    return Supervisor(process, mark)


def new_mark() -> str:
    """What the processes of a metric are known by."""
    return str(uuid.uuid4().int)[:20]
