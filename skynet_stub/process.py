"""A runner for Python callers: it starts the supervisor, and changes nothing in this process (B4).

The system must be one that can fork (Linux, macOS).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from skynet_stub.outcomes import Called, Job, Loading, called_from_wire, loading_from_wire, to_wire
from skynet_stub.reasons import Fault
from skynet_stub.refused import Refused, refused_from_wire

END_SECONDS = 10.0
"""How long the supervisor may take to end what it started, in seconds."""

_BOOT = (
    "import sys; sys.path.insert(0, sys.argv.pop()); "
    "from skynet_stub.supervisor import main; del sys.path[0]; main()"
)


def run_in_a_process(job: Job) -> Iterator[Loading | Called]:
    """Run the job in a process of its own, which ends all that the metric starts (B4).

    Raises `Refused` where it cannot be started, and where the stub itself failed in it.
    """
    refuse_system_without_fork()
    asked = json.dumps(to_wire(job)).encode("ascii") + b"\n"
    supervisor = _started()
    assert supervisor.stdin is not None
    assert supervisor.stdout is not None
    loading, done = None, 0
    try:
        with suppress(BrokenPipeError):  # it has ended, as is seen next
            supervisor.stdin.write(asked)
            supervisor.stdin.flush()
        for line in supervisor.stdout:
            told = json.loads(line)
            if isinstance(told, list):
                raise refused_from_wire(*told)
            if loading is None:
                loading = loading_from_wire(told)
                yield loading
            else:
                done += 1
                yield called_from_wire(told)
        if loading is None:
            yield Loading((_ended(supervisor, "loading"),))
        elif not loading.faults and done < len(job.cases):
            fault = _ended(supervisor, "call")
            yield from (Called(case.number, (fault,)) for case in job.cases[done:])
    finally:
        _end(supervisor)


def _started() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-c", _BOOT, str(Path(__file__).resolve().parents[1])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is the caller's to handle
        )
    except OSError as error:  # too many processes or open files
        raise Refused("not-started", problem=error.strerror) from None


def refuse_system_without_fork() -> None:
    """Raise `Refused` on a system where a metric cannot be kept in a process of its own."""
    if not hasattr(os, "fork"):
        raise Refused("system", system=sys.platform)


def _ended(supervisor: subprocess.Popen[bytes], doing: str) -> Fault:
    """The fault of a metric that killed the supervisor, which is out of its way, but in reach."""
    code = supervisor.wait()
    if code < 0:
        from skynet_stub.watched import signal_name

        return Fault(f"{doing}-killed", facts={"signal": signal_name(-code)})
    return Fault(f"{doing}-exited", facts={"code": str(code)})


def _end(supervisor: subprocess.Popen[bytes]) -> None:
    """Close the pipes, at whose end the supervisor ends all, and wait for it."""
    assert supervisor.stdin is not None
    assert supervisor.stdout is not None
    with suppress(BrokenPipeError):
        supervisor.stdin.close()
    try:
        supervisor.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        supervisor.kill()
        supervisor.wait()
    supervisor.stdout.close()
