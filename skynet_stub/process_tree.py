"""The processes that a metric starts: to see them, to measure them, and to end them all (B4).

On Linux that is every one of them, in whatever session, however often it forked: a process that
asked to adopt orphans stays their ancestor. Elsewhere (macOS) it is the process group of the
worker: what moved to a session of its own is not found, and no memory is measured.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

_LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")  # noqa: PTH110
"""Whether the kernel lists the children of a process; else all processes are looked at."""

END_SECONDS = 5.0
"""How long ending a tree may take, in seconds: what is still there then cannot be ended."""

TRACKER_SECONDS = 0.3
"""How long a resource tracker may take to remove what others left, in seconds.

Not counted is for how long it has waited for a processor, up to so many seconds: `DELAY_SECONDS`.
"""

DELAY_SECONDS = 3.0

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_PAUSE_SECONDS = 0.001
_LOOKS = 1000


def adopt_orphans() -> None:
    """Make this process the parent of every descendant that loses its own, where that goes."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with(parent: int) -> None:
    """Have this process killed when its parent ends, where that goes; at once if it did."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def go_on_without_parent() -> None:
    """Have this process go on when its parent ends, where that goes; it may be stopped then."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGCONT)


def _prctl(option: int, value: int) -> None:
    if sys.platform != "linux":
        return
    with suppress(ImportError, OSError, AttributeError):  # a Python without ctypes, say
        import ctypes

        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)


def children(pid: int) -> list[int]:
    """The children of a process; none where the system does not say."""
    found: list[int] = []
    if not _LISTS_CHILDREN:
        return [one for one, parent in _parents() if parent == pid]
    with suppress(OSError):  # it may end meanwhile
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  # no pathlib where it counts
            found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
    return found


def _parents() -> Iterator[tuple[int, int]]:
    """Every process with its parent."""
    with suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208
            if name.isdecimal() and (stat := _read(f"/proc/{name}/stat")):
                yield int(name), int(stat.rpartition(")")[2].split()[1])


def descendants(pid: int, spare: Collection[int] = ()) -> list[int]:
    """All descendants of a process, each after its parent, without the trees of `spare`."""
    found: list[int] = []
    todo = [pid]
    for one in todo:
        new = [child for child in children(one) if child not in spare]
        found += new
        todo += new
    return found


def end_descendants(spare: Collection[int] = (), group: int | None = None) -> None:
    """End every descendant of this process, which adopts orphans, but the trees of `spare`.

    `group` is the number of a process group that is ended first: all that can be done where
    there is no `/proc`. The resource tracker of `multiprocessing` removes what processes that are
    killed leave in shared memory, and then ends by itself: it gets a moment for that.
    """
    if group is not None and not any(map(_may_track, descendants(os.getpid(), spare))):
        _kill(-group)
    started = time.monotonic()
    while (passed := time.monotonic() - started) < END_SECONDS:
        # A descendant that has ended stays one until it is reaped: by its parent, or here.
        left = descendants(os.getpid(), spare)
        spared = [pid for pid in left if _may_track(pid) and passed < _moment(pid)]
        killed = [pid for pid in left if pid not in spared and _kill(pid)]
        if not killed and not spared:
            return
        time.sleep(_PAUSE_SECONDS)
        reap(spare)


def _moment(tracker: int) -> float:
    nanoseconds = _read(f"/proc/{tracker}/schedstat").split()[1:2]  # on a processor; waiting; …
    return TRACKER_SECONDS + min(int(*nanoseconds) / 1e9, DELAY_SECONDS)


def _may_track(pid: int) -> bool:
    """Whether it is a resource tracker: one that is about to run a program has no arguments yet."""
    arguments = _read(f"/proc/{pid}/cmdline")
    return not arguments or "multiprocessing.resource_tracker" in arguments


def stop_descendants(spare: Collection[int] = ()) -> list[int]:
    """Stop every descendant that is not stopped, but the trees of `spare`; which they were."""
    stopped: list[int] = []
    for _ in range(_LOOKS):
        running = [pid for pid in descendants(os.getpid(), spare) if _state(pid) not in "TZ"]
        if not running:
            break
        stopped += [pid for pid in running if pid not in stopped and _kill(pid, signal.SIGSTOP)]
        time.sleep(_PAUSE_SECONDS)  # a process stops a little later
    return stopped


def go_on(stopped: Iterable[int]) -> None:
    """Have processes go on that were stopped."""
    for pid in stopped:
        _kill(pid, signal.SIGCONT)


def is_there(pid: int) -> bool:
    """Whether there is a process of this number, which has not ended."""
    return _state(pid) not in "Z"


def _state(pid: int) -> str:
    """The letter that says what a process does, `""` where there is none."""
    return _read(f"/proc/{pid}/stat").rpartition(") ")[2][:1]


def reap(spare: Collection[int] = ()) -> dict[int, int]:
    """Reap the children that have ended: the status of each, by its number."""
    ended = {}
    candidates = (-1,) if not spare else [pid for pid in children(os.getpid()) if pid not in spare]
    for candidate in candidates:
        with suppress(ChildProcessError):
            while (found := os.waitpid(candidate, os.WNOHANG))[0]:
                ended[found[0]] = found[1]
    return ended


def _kill(pid: int, number: int = signal.SIGKILL) -> bool:
    """Kill a process, or a group (below 0), or send it another signal; whether there was one
    that could be sent it."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):  # ended by now, or another user's
        return False
    return True


def resident_bytes(pid: int) -> int:
    """The resident memory of the descendants of a process, in bytes; 0 where it is not known.

    What several of them share counts for each.
    """
    pages = (_read(f"/proc/{one}/statm").split() for one in descendants(pid))
    return sum(int(row[1]) for row in pages if row) * os.sysconf("SC_PAGE_SIZE")


def proportional_bytes(pid: int) -> int:
    """As `resident_bytes`, but what is shared counts once in all; slower."""
    lines = (_lines_of(one) for one in descendants(pid))
    return sum(int(line.split()[1]) * 1024 for found in lines for line in found)


def _lines_of(pid: int) -> Iterator[str]:
    rows = _read(f"/proc/{pid}/smaps_rollup").splitlines()
    return (row for row in rows if row.startswith("Pss:"))


def _read(path: str) -> str:
    """The text of a file of the system, nothing where there is none (any more)."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""
