"""A Python that has imported what many runs need, and forks for each: its start is paid once.

A run is `python -m MODULE ARGUMENTS`, in the folder and with the environment that it is given. Of
what Python reads there as it starts, it heeds PYTHONPATH and PYTHONDONTWRITEBYTECODE alone.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any


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
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with NamedTemporaryFile() as output, NamedTemporaryFile() as errors:
            asked = {
                "argv": [module, *arguments],
                "folder": str(folder),
                "environment": dict(environment),
                "streams": [output.name, output.name if merged else errors.name],
            }
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
            said = self._process.stdout.readline()
            if not said:  # it could not import what it should; its errors say why
                raise RuntimeError(f"docs_build.warm ended with code {self._process.wait()}")
            code = int(said)
            return subprocess.CompletedProcess(
                (module, *arguments), code, _all_of(output), "" if merged else _all_of(errors)
            )

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
    """Import the modules; fork for each line that is read, and write how the fork ended."""
    for module in modules:
        __import__(module)
    gc.freeze()  # what is shared with the forks is left alone, so that it stays shared
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            become(json.loads(line))
            return
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}\n")
        sys.stdout.flush()


def become(asked: dict[str, Any]) -> None:
    """Be the program that was asked for, in a process just forked."""
    output, errors = (os.open(path, os.O_WRONLY | os.O_APPEND) for path in asked["streams"])
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
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    module, *sys.argv[1:] = asked["argv"]
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:1] = [asked["folder"], *(path for path in named if path and path not in sys.path)]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _stream(number: int, errors: str, line_buffering: bool = False) -> io.TextIOWrapper:
    raw = open(number, "wb", closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=line_buffering)


if __name__ == "__main__":
    main(sys.argv[1:])
