"""The tests of the stub also pass on the Python of Pyodide, newer than the one that runs this."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs_build.warm import warm

ROOT = Path(__file__).parents[2]
HARNESS = ROOT / "tests" / "pyodide" / "run.mjs"
PACKAGES = Path(sys.prefix) / "pyodide"
OLDEST_NODE = 20
# What these plugins of pytest do around every test is of no use to a test of the stub.
UNUSED = [f"-pno:{name}" for name in ("debugging", "doctest", "junitxml", "logging", "unittest")]
# Rewriting every assertion takes Pyodide as long as running half of the tests. It is slow to turn
# descriptors elsewhere too, and what writes to them is not tested there.
CHEAP = ("--color=no", "--assert=plain", "--capture=sys")


def missing() -> str | None:
    """Say what this machine lacks to run Pyodide, and what to do; nothing where it can."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return "Node and npm are not on PATH: install them, then run `make test`"
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.lstrip("v").split(".")[0]) < OLDEST_NODE:
        return f"Node is {version.strip()}: install Node {OLDEST_NODE} or newer"
    for folder in (ROOT / "node_modules" / "pyodide", PACKAGES):
        if not folder.is_dir():
            return f"{folder} is missing: `make test` installs it"
    return None


def outcomes(output: str) -> dict[str, int]:
    """Read pytest's closing line: {"passed": 12, "skipped": 1}."""
    closing = output.rstrip().rpartition("\n")[2]
    return {word: int(count) for count, word in re.findall(r"(\d+) ([a-z]+)", closing)}


def test_the_stub_tests_all_pass_on_the_python_of_pyodide() -> None:
    lack = missing()
    if lack is not None and os.environ.get("CI"):
        pytest.fail(lack)
    if lack is not None:
        pytest.skip(lack)
    collected = (
        warm("pytest", "hypothesis", "hypothesis.strategies")
        .run(
            *("pytest", "-p", "no:cacheprovider", "--collect-only", "tests/stub"),
            folder=ROOT,
            environment=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )
        .stdout
    )
    here = sum("::" in line for line in collected.splitlines())

    run = subprocess.run(
        ["node", HARNESS, PACKAGES, *CHEAP, *UNUSED, "tests/stub"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )

    report = "\n".join((run.stdout + run.stderr).splitlines()[-100:])
    assert run.returncode == 0, report
    assert here > 0
    passed = outcomes(run.stdout).get("passed")
    assert passed == here, report
