"""The keeper: the process between the supervisor and the worker (B4).

It adopts what the worker leaves behind and ends all of it, once the worker has ended or the
supervisor has closed its end of a pipe, also by being killed. And it is the parent of the worker,
so that a metric that kills its parent does not end the check.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Collection
from contextlib import suppress
from select import select
from typing import NoReturn

from skynet_stub import process_tree

STATUS_BYTES = 4
"""The length of a worker's status, as `os.waitpid` gives it."""


def keep(work: Callable[[], NoReturn], status: int, life: int) -> NoReturn:
    """Be the keeper, in a process just forked: fork a worker that does `work`.

    Its status is written to the descriptor `status` when it has ended. `life` ends for its
    reader when the supervisor wants all to end.
    """
    code = 1
    try:
        os.setsid()  # what reaches the group of the command (Ctrl-C) does not reach this
        process_tree.adopt_orphans()
        process_tree.go_on_without_parent()
        woken, wakes = os.pipe()
        for end in (woken, wakes):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        # Both need as many files as `leave_open` opens: where there is no room, this one tells.
        for file in [os.open(os.devnull, os.O_RDWR) for _ in range(2)]:
            os.close(file)
        keeper = os.getpid()
        worker = os.fork()
        if worker == 0:
            _become_worker(keeper)
            work()
        leave_open({status, life, woken, wakes})
        _wait(worker, status, life, woken)
        process_tree.end_descendants(group=worker)
        code = 0
    except OSError as error:  # the supervisor tells by it why nothing was started
        code = error.errno or code
    finally:
        os._exit(code)


def _become_worker(keeper: int) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    process_tree.die_with(keeper)
    os.setsid()


def _wait(worker: int, status: int, life: int, woken: int) -> None:
    while True:
        ended = process_tree.reap()
        if worker in ended:
            with suppress(BrokenPipeError):
                os.write(status, ended[worker].to_bytes(STATUS_BYTES, "big"))
            return
        if life in select([life, woken], [], [])[0]:
            return
        os.read(woken, 4096)


def leave_open(kept: Collection[int]) -> None:
    """Close all descriptors but these, and have nothing at 0, 1 and 2."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    for name in os.listdir("/dev/fd"):  # noqa: PTH208  # pathlib makes objects of them
        if (number := int(name)) > 2 and number not in kept:
            with suppress(OSError):  # the one that lists them
                os.close(number)
