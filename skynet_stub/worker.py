"""The worker: the process in which a metric is loaded and called (B4).

It is forked with all it needs, and writes one frame for each outcome. What the metric prints goes
to another pipe, on which the worker marks where each outcome ends. It never waits for an answer:
a further case costs little.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from select import select
from types import ModuleType
from typing import Any, NoReturn

from skynet_stub import spawned
from skynet_stub.display import show_exception
from skynet_stub.frames import BROKEN, RETURNED, frame
from skynet_stub.keeper import leave_open
from skynet_stub.outcomes import Called, Job, Loading, to_wire
from skynet_stub.reasons import Fault
from skynet_stub.record import Record
from skynet_stub.session import Session
from skynet_stub.shield import Shield
from skynet_stub.spawned import MODULE_NAME

_BROKEN_CODE = 70
"""The exit code of a worker in which the stub itself failed."""

_INODE_AND_DEVICE = slice(1, 3)  # of what `os.fstat` returns


class Pipe:
    """The writing end of a pipe, which the metric may close or fill, for it shares the process."""

    def __init__(self, writer: int, reader: int) -> None:
        """`reader` is the descriptor of the reading end in this process, before it is forked."""
        self.writer = writer
        self._again = f"/proc/{os.getpid()}/fd/{reader}"
        self._functions = os.fstat, os.open, os.write, select  # where no patch reaches them
        self._identity = os.fstat(writer)[_INODE_AND_DEVICE]

    def write(self, data: bytes | memoryview) -> None:
        """Write all of the data, through a descriptor opened anew where the first one is lost."""
        fstat, open_, write, wait = self._functions
        try:
            lost = fstat(self.writer)[_INODE_AND_DEVICE] != self._identity
        except OSError:
            lost = True
        if lost:
            self.writer = open_(self._again, os.O_WRONLY | os.O_CLOEXEC)
        while True:
            try:
                written = write(self.writer, data)
            except BlockingIOError:  # a child may set what it shares with us not to block
                wait((), (self.writer,), ())
                continue
            if written == len(data):
                return
            data = memoryview(data)[written:]


class Outlet(Record):
    """Where the outcomes of a worker go, and the secret that vouches for them."""

    results: Pipe
    prints: Pipe
    secret: bytes

    def send(self, number: int, content: Any) -> None:
        """Send the frame of this number; what was printed so far belongs to it."""
        self.prints.write(self.secret)
        self.results.write(frame(self.secret, number, content))


def work(job: Job, first: int, outlet: Outlet) -> NoReturn:
    """Run the cases of the job, from the one at index `first` on, in a process just forked."""
    end, code = os._exit, _BROKEN_CODE
    process, getpid = os.getpid(), os.getpid
    try:
        _set_up(job.metric, outlet)
        _run(job, first, outlet)
        code = 0
    except SystemExit as left:  # of a child that the metric forked
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException as error:
        with suppress(BaseException):
            sys.__excepthook__(*sys.exc_info())  # which needs no module, as `traceback` would
        if getpid() == process and not isinstance(error, MemoryError):  # the metric may take all
            with suppress(BaseException):
                outlet.results.write(frame(outlet.secret, BROKEN, _told(error)))
    finally:
        end(code & 0xFF)  # threads of the metric have no say any more


def _told(error: BaseException) -> str:
    """The exception, and where in the stub it was raised."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return show_exception(error)
    file = traceback.tb_frame.f_code.co_filename.rpartition("/")[2]
    return f"{show_exception(error)}, {file}:{traceback.tb_lineno}"


def _run(job: Job, first: int, outlet: Outlet) -> None:
    """Load the metric and call it. What the metric forks runs on in here: it sends nothing."""
    process, getpid = os.getpid(), os.getpid
    outlet.send(0, process)
    shield = Shield()

    def has_returned() -> None:
        if getpid() == process:
            outlet.results.write(frame(outlet.secret, RETURNED, True))

    session, flush = Session(job, shield, has_returned), _flusher(shield)
    with session.open():
        try:
            loading: Loading | Called = _enter(job) or session.load()
        finally:
            flush()
        if getpid() != process:
            return
        outlet.send(1, to_wire(loading))
        for index in range(first, 0 if loading.faults else len(job.cases)):
            try:
                called = session.call(job.cases[index])
            finally:
                flush()
            if getpid() != process:
                return
            outlet.send(2 + index - first, to_wire(called))
        with suppress(BaseException), shield:
            _end_as_python_does()


def _end_as_python_does() -> None:
    """Run what Python runs at its end, in its order: the metric's files may be removed by it."""
    loaded: Any = sys.modules.get
    if threading := loaded("threading"):
        threading._shutdown()
    atexit._run_exitfuncs()
    if metric := loaded(MODULE_NAME):
        metric.__dict__.clear()  # what it holds is let go
    if tracker := loaded("multiprocessing.resource_tracker"):
        tracker._resource_tracker._stop()  # it removes what else is left, when all let go of it


def _flusher(shield: Shield) -> Callable[[], None]:
    """A function that writes out what waits in buffers: of the streams (our own have none, unless
    they were reconfigured), of those that the metric put in their place, and of C."""
    streams = {name: sys.__dict__[name] for name in ("stdout", "stderr")}
    flush_own = io.TextIOWrapper.flush
    ctypes = sys.modules.get("ctypes")
    flush_all_of_c = ctypes.CDLL(None).fflush if ctypes else lambda _: None

    def flush() -> None:
        for name, own in streams.items():
            if not own.write_through:
                with suppress(BaseException):
                    flush_own(own)
            stream = sys.__dict__.get(name)
            if stream is not own:
                with suppress(BaseException), shield:
                    stream.flush()  # type: ignore[union-attr]
                shield.__exit__()  # where a handler of the metric's kept it from that
        flush_all_of_c(None)

    return flush


def _enter(job: Job) -> Loading | None:
    try:
        os.chdir(job.metric.parent)
    except OSError as error:
        return Loading((Fault("file-unreadable", facts={"problem": error.strerror or ""}),))
    return None


def _set_up(metric: Path, outlet: Outlet) -> None:
    """Make this a Python process like any other, that prints to the pipe and has no input."""
    prints = outlet.prints
    leave_open({outlet.results.writer, prints.writer})
    for number in (1, 2):
        os.dup2(prints.writer, number)
    nothing = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    standard: dict[str, Any] = {
        "stdin": nothing,
        "stdout": _unbuffered(1, "strict"),
        "stderr": _unbuffered(2, "backslashreplace"),
    }
    for name, stream in standard.items():
        sys.__dict__[name] = sys.__dict__[f"__{name}__"] = stream
    sys.argv[:] = [str(metric)]
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = spawned.__file__  # run first by children that `multiprocessing` starts anew
    with suppress(ImportError, OSError, ValueError):
        import resource

        # No file is left behind by a crash.
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    atexit._clear()  # what is to be done at the end of the command is not to be done here
    gc.enable()
    gc.freeze()  # what was there before the fork is shared: leave it alone


def _unbuffered(number: int, errors: str) -> Any:
    raw = open(number, "wb", buffering=0, closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, write_through=True)
