"""A Python that has imported what many runs need, and forks for each: its start is paid once.

That Python is a process of its own, since one with threads must not fork; or it is the program that
asks, where that says that it has none. A run is `python -m MODULE ARGUMENTS`, in the folder and
with the environment that it is given. Of what Python reads there as it starts, it heeds PYTHONPATH
and PYTHONDONTWRITEBYTECODE alone.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import runpy
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, NoReturn

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_alone = False


def fork_here() -> None:
    """Say that this process has one thread as long as it lives: `run_all` may fork it."""
    global _alone
    _alone = True


@dataclass(frozen=True, slots=True)
class Run:
    """What is to be run: `argv` is a module and its arguments, `streams` the files (there already)
    that its output and its errors are written to."""

    argv: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    streams: Sequence[str]


def run_all(modules: tuple[str, ...], runs: Sequence[Run]) -> list[int]:
    """Run them side by side, where these modules are imported; their exit codes.

    Whatever ends the wait, such as Ctrl-C, ends them too.
    """
    if not _alone:
        return warm(*modules).run_all(runs)
    for module in modules:
        __import__(module)
    return _forked(runs)


class Warm:
    """A process that has imported modules, and waits to be told what to run."""

    def __init__(self, modules: tuple[str, ...], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            (sys.executable, "-m", "docs_build.warm", *modules),
            cwd=Path(__file__).parents[1],
            env={**environment, "PYTHONPATH": str(Path(__file__).parents[1])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="ascii",
        )

    def run(
        self,
        module: str,
        *arguments: str,
        folder: Path,
        environment: Mapping[str, str],
        merged: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Run a module as the main program; `merged` sends its errors where its output goes."""
        with NamedTemporaryFile() as output, NamedTemporaryFile() as errors:
            streams = (output.name, output.name if merged else errors.name)
            run = Run((module, *arguments), str(folder), dict(environment), streams)
            (code,) = self.run_all([run])
            return subprocess.CompletedProcess(
                run.argv, code, _all_of(output), "" if merged else _all_of(errors)
            )

    def run_all(self, runs: Sequence[Run]) -> list[int]:
        """Run them side by side; their exit codes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps([asdict(run) for run in runs]) + "\n")
            self._process.stdin.flush()
            said = self._process.stdout.readline()
        except BaseException:  # nobody would hear their codes, and another asker would take them
            warm.cache_clear()
            self._process.terminate()
            self._process.wait()
            raise
        if not said:  # it could not import what it should; its errors say why
            raise RuntimeError(f"docs_build.warm ended with code {self._process.wait()}")
        codes: list[int] = json.loads(said)
        return codes

    def end(self) -> None:
        """End the process, which runs nothing now."""
        self._process.communicate()


@cache
def warm(*modules: str) -> Warm:
    """The one process of this one that has imported these modules, with a plain environment."""
    plain = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    made = Warm(modules, plain)
    atexit.register(made.end)
    return made


def _all_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8")


def main(modules: list[str]) -> None:
    """Import the modules; fork for each run of a line that is read, and write how they ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks is interrupted, and ends this
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    for module in modules:
        __import__(module)
    gc.freeze()  # what is shared with the forks is left alone, so that it stays shared
    for line in sys.stdin:
        codes = _forked([Run(**asked) for asked in json.loads(line)])
        sys.stdout.write(f"{json.dumps(codes)}\n")
        sys.stdout.flush()


def _forked(runs: Sequence[Run]) -> list[int]:
    sys.stdout.flush()
    sys.stderr.flush()
    running: list[int] = []
    codes: list[int] = []
    try:
        for run in runs:
            before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # known, or itself, by then
            if pid := os.fork():
                running.append(pid)
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            else:
                _be(run)
        while running:
            status = os.waitpid(running[0], 0)[1]
            del running[0]
            codes.append(os.waitstatus_to_exitcode(status))
    finally:
        for pid in running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return codes


def _be(run: Run) -> NoReturn:
    """Be the program that was asked for, to its end, in a process just forked."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        code = _become(run)
        threading._shutdown()  # type: ignore[attr-defined]  # waits for its threads, as Python does
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        os._exit(code)


def _become(run: Run) -> int:
    """Run the program that was asked for; its exit code."""
    output, errors = (os.open(path, os.O_WRONLY | os.O_APPEND) for path in run.streams)
    for number, descriptor in enumerate((os.open(os.devnull, os.O_RDONLY), output, errors)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    streams: dict[str, io.TextIOWrapper] = {
        "stdin": open(0, encoding="utf-8", closefd=False),  # noqa: SIM115
        "stdout": _stream(1, "strict"),
        "stderr": _stream(2, "backslashreplace", line_buffering=True),
    }
    for name, stream in streams.items():
        sys.__dict__[name] = sys.__dict__[f"__{name}__"] = stream
    os.chdir(run.folder)
    os.environ.clear()
    os.environ.update(run.environment)
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    module, *sys.argv[1:] = run.argv
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:1] = [run.folder, *(path for path in named if path and path not in sys.path)]
    # The program may have a package of that name of its own, which is another one than this.
    for name in [name for name in sys.modules if name.partition(".")[0] == "docs_build"]:
        del sys.modules[name]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return int(end.code or 0)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _stream(number: int, errors: str, line_buffering: bool = False) -> io.TextIOWrapper:
    raw = open(number, "wb", closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=line_buffering)


if __name__ == "__main__":
    main(sys.argv[1:])
