"""Run the command `skynet-stub` as a user does, and read how it ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs_build.warm import warm

GOOD = 'def score(input, output, expected=None):\n    return 1.0, {"feedback": "Right."}\n'
BAD = "def score(input, output, expected=None):\n    return 0.8\n"
CASE = '{"input": {}, "output": 0}\n'
ROOT = Path(__file__).parents[2]

PASSED, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


def small_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make it the working directory, with a good metric and its cases, under a plain Python."""
    for name in ("PYTHONUNBUFFERED", "PYTHONIOENCODING", "LANGUAGE", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (folder / "metric.py").write_text(GOOD, encoding="utf-8")
    (folder / "cases.jsonl").write_text(CASE, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "skynet_stub", *arguments]


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command with these arguments, in a Python of its own."""
    return subprocess.run(command(*arguments), capture_output=True, encoding="utf-8", check=False)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command with these arguments, in a fork of a Python that has imported it."""
    imported = warm("skynet_stub.command", "skynet_stub.supervisor", "ctypes")
    return imported.run("skynet_stub", *arguments, folder=Path.cwd(), environment=os.environ)


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run("check", *arguments)


def passed(*arguments: str) -> str:
    """The report of a check that passes."""
    done = check(*arguments)
    assert (done.returncode, done.stderr) == (PASSED, ""), done
    return done.stdout


def failed(*arguments: str) -> str:
    """The report of a check that fails."""
    done = check(*arguments)
    assert (done.returncode, done.stderr) == (FAILED, ""), done
    return done.stdout


def refused(*arguments: str) -> str:
    """The one line on standard error with which a check is refused."""
    done = check(*arguments)
    assert (done.returncode, done.stdout) == (REFUSED, ""), done
    (line,) = done.stderr.splitlines()
    return line
