"""Try one kind: change the copy, run the tests that must notice, and say whether one did."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from drill.kinds import BUILT, DrillError, Kind, changes
from drill.noticed import PLACE
from drill.scratch import changed

PATIENCE = 300
"""How long tests may take before they count as hanging, in seconds."""


_PYTEST = [sys.executable, "-m", "pytest", "-x", "-q"]
_PYTEST += ["-p", "drill.noticed", "-p", "no:cacheprovider"]


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a kind: the test that caught it, or `None` where it was missed; why, where the
    tests said neither; and the seconds that it took."""

    kind: Kind
    caught_by: str | None
    seconds: float
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a run of pytest ended: its exit code, the first failed test, and what it said."""

    code: int
    first: str | None
    said: str


class Tests:
    """Runs tests in copies, and can end all that are running."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()

    def try_kind(self, kind: Kind, folder: Path) -> Trial:
        """Try a kind in a copy, which is as before afterwards."""
        started = time.monotonic()
        with changed(folder, changes(kind, folder)):
            ended = self._run(folder, kind.tests, site=kind.needs_site)
        return judged(kind, ended.code, ended.first, ended.said, time.monotonic() - started)

    def demand_green(self, kinds: Iterable[Kind], folder: Path) -> None:
        """Run all tests of these kinds without a change. Raises `DrillError` where one fails."""
        kinds = list(kinds)
        for site in (False, True):
            of_kinds = [kind.tests for kind in kinds if kind.needs_site is site]
            tests = dict.fromkeys(test for tests in of_kinds for test in tests)
            if tests:
                ended = self._run(folder, tests, site=site)
                if ended.code:
                    raise DrillError(f"Without a change, not all is green:\n{ended.said}")

    def end(self) -> None:
        """End all tests that are running."""
        for process in list(self._running):
            _end(process)

    def _run(self, folder: Path, tests: Iterable[str], *, site: bool) -> _Ended:
        with tempfile.TemporaryDirectory() as apart:
            first = Path(apart) / "first"
            process = subprocess.Popen(
                [*_PYTEST, "--basetemp", f"{apart}/temp", *tests],
                cwd=folder,
                env=_environment(folder, first, site=site),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
            self._running.add(process)
            try:
                said, _ = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                said = f"The tests took longer than {PATIENCE} seconds."
            finally:
                _end(process)
                self._running.discard(process)
            noticed = first.read_text("utf-8") if first.exists() else None
            return _Ended(process.returncode, noticed, said)


def judged(kind: Kind, code: int, first: str | None, said: str, seconds: float) -> Trial:
    """What came of a kind, by how pytest ended: only a failed test has caught it.

    Tests that cannot be collected, are not there or are interrupted have caught nothing; that a
    file cannot be loaded counts only where the kind says so.
    """
    if code == pytest.ExitCode.OK:
        return Trial(kind, None, seconds)
    counts = code == pytest.ExitCode.TESTS_FAILED
    counts |= kind.loading_fails and code == pytest.ExitCode.INTERRUPTED
    if counts and first is not None:
        return Trial(kind, first, seconds)
    return Trial(kind, None, seconds, f"pytest ended with {code}:\n{said}")


def _environment(folder: Path, first: Path, *, site: bool) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environment |= {PLACE: str(first), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment |= {"HYPOTHESIS_STORAGE_DIRECTORY": str(first.parent / "h")}
    if site:
        environment["BUILT_SITE"] = str(folder / BUILT)
    return environment


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
