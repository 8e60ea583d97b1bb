"""The command `skynet-stub` as it is recorded: the same, but each call took the same time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from skynet_stub import supervisor
from skynet_stub.command import main
from skynet_stub.outcomes import Called, Job, Loading

MILLISECONDS = 0.1


def supervise(job: Job, caller: int | None, tick: Callable[[], None]) -> Iterator[Loading | Called]:
    """Run a metric as the command does, and give each call the same time."""
    for outcome in supervisor.supervise(job, caller, tick):
        yield outcome.replace(ms=MILLISECONDS) if isinstance(outcome, Called) else outcome


if __name__ == "__main__":
    sys.exit(main(supervise=supervise))
