"""Run the tests of a module on each of its mutants, in forks of a process that is ready to.

Each fork imports the mutated module, and all that imports it, anew; everything else was imported
before. It draws the same Hypothesis examples each time, so a survivor survives the next run too.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, ModuleType

import pytest
from hypothesis import Phase, settings

from drill.kinds import DrillError
from drill.mutants import Change, mutants

_MEMORY = 4 << 30
"""How much a fork may map, in bytes: a mutant may never stop to gather."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module: its dotted name, its file, and its tests, of which the likely killers are first."""

    name: str
    file: str
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """All changes that were tried in a module, and those that no test noticed."""

    module: Module
    changes: tuple[Change, ...]
    survivors: tuple[Change, ...]


def try_module(root: Path, module: Module, tell: Callable[[Change], None]) -> Tried:
    """Try all mutants of a module of a work tree; `tell` hears of each survivor.

    Raises `DrillError` where the tests fail without a change.
    """
    file = str(root / module.file)
    all_mutants = mutants(Path(file).read_text("utf-8"), file)
    survivors = []
    with tempfile.TemporaryDirectory(prefix="deep-") as folder:
        seconds = _get_ready(root, module, Path(folder))
        for mutant in all_mutants:
            code = mutant.compile()
            if _run(root, module, Path(folder), 2 + 5 * seconds, code).passed:
                survivors.append(mutant.change)
                tell(mutant.change)
    return Tried(module, tuple(mutant.change for mutant in all_mutants), tuple(survivors))


def _get_ready(root: Path, module: Module, folder: Path) -> float:
    """Import all that the tests import, the work tree's own modules apart; the seconds of CPU that
    the tests take without a change."""
    os.environ |= {"CI": "true", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    phases = (Phase.explicit, Phase.generate)  # that a test fails is enough
    settings.register_profile("deep", settings.get_profile("ci"), phases=phases)
    settings.load_profile("deep")
    names = folder / "modules.json"
    ended = _run(root, module, folder, 600, None, names)
    if not ended.passed:
        said = " ".join((*_PYTEST, *module.tests))
        raise DrillError(f"{module.name}: its tests fail without a change. See: pytest {said}")
    for name in json.loads(names.read_text("utf-8")):
        with suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # or each fork copies what the collector marks
    return ended.seconds


@dataclass(frozen=True, slots=True)
class _Ended:
    """Whether the tests of a fork passed, and the seconds of CPU that they took."""

    passed: bool
    seconds: float


def _run(
    root: Path,
    module: Module,
    folder: Path,
    seconds: float,
    code: CodeType | None,
    names: Path | None = None,
) -> _Ended:
    """Run the tests in a fork, with other code for the module where it is given. The fork ends
    after so many seconds of CPU, or ten times as many of waiting, and writes down the names of
    what it imported."""
    sys.stdout.flush()
    fork = os.fork()
    if fork == 0:
        _be_the_fork(root, module, folder, seconds, code, names)
    try:
        _, status, used = os.wait4(fork, 0)
    except BaseException:
        os.kill(fork, signal.SIGKILL)
        os.waitpid(fork, 0)
        raise
    return _Ended(status == 0, used.ru_utime + used.ru_stime)


_PYTEST = ("-x", "-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider")


def _be_the_fork(
    root: Path,
    module: Module,
    folder: Path,
    seconds: float,
    code: CodeType | None,
    names: Path | None,
) -> None:
    status = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        signal.signal(signal.SIGALRM, _end)
        signal.alarm(int(10 * seconds))
        if code is not None:
            sys.meta_path.insert(0, _Finder(module, root, code))
        os.chdir(root)
        sys.path.insert(0, str(root))
        for test in module.tests:  # most mutants are noticed by the first, so only that is read
            status = int(pytest.main([*_PYTEST, f"--basetemp={folder}/tmp", str(root / test)]))
            if status:
                break
        if names is not None:
            names.write_text(json.dumps(_imported(root)), "utf-8")
    finally:
        os._exit(status)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(1)


def _imported(root: Path) -> list[str]:
    """What was imported from elsewhere than the work tree."""
    own = [
        name.partition(".")[0]
        for name, module in sys.modules.items()
        if (file := getattr(module, "__file__", None))
        and Path(file).is_relative_to(root)
        and "site-packages" not in Path(file).parts
    ]
    return [name for name in sys.modules if name.partition(".")[0] not in (*own, "__main__")]


class _Finder:
    """Finds one module, with other code than that of its file."""

    def __init__(self, module: Module, root: Path, code: CodeType) -> None:
        self._name = module.name
        self._file = str(root / module.file)
        self._code = code

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if name != self._name:
            return None
        return spec_from_file_location(
            name, self._file, loader=_Loader(name, self._file, self._code)
        )


class _Loader(SourceFileLoader):
    def __init__(self, name: str, file: str, code: CodeType) -> None:
        super().__init__(name, file)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code
