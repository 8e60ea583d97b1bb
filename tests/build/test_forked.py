"""Tests that are run in forked processes are reported as tests of one process are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from small_sources import write

TESTS = Path(__file__).parents[1]
CONFTEST = """\
from forked import Forked

def pytest_configure(config):
    config.pluginmanager.register(Forked(2, lambda nodeid: nodeid.partition("::")[0]))
"""
GOOD = """\
import pytest

@pytest.mark.parametrize("number", range(20))
def test_good(number, tmp_path):
    (tmp_path / "file").touch(exist_ok=False)
"""
MIXED = """\
import os
import pytest

def test_bad():
    print("said by the test")
    assert 1 == 2

def test_skipped():
    pytest.skip("why it is")

@pytest.fixture
def broken():
    raise ValueError("broken")

def test_without(broken): ...

@pytest.fixture(scope="session", autouse=True)
def process():
    yield
    with open("ended", "a") as file:
        print(os.getpid(), file=file)
"""


def run(folder: Path, **files: str) -> tuple[int, str]:
    """The exit code and the output of pytest for these files, in two processes."""
    write(folder, {"conftest.py": CONFTEST, "pytest.ini": "[pytest]\n"})
    write(folder, {f"test_{name}.py": text for name, text in files.items()})
    done = subprocess.run(
        (sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider"),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(TESTS), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.returncode, done.stdout


def test_each_test_is_run_once_and_reported_with_its_outcome(tmp_path: Path) -> None:
    code, output = run(tmp_path, one=GOOD, two=MIXED, three=GOOD)
    assert code == 1
    assert re.search(r"= 1 failed, 40 passed, 1 skipped, 1 error in ", output)
    assert "assert 1 == 2" in output
    assert "said by the test" in output
    assert "ValueError: broken" in output
    assert "why it is" in output


def test_what_a_process_has_set_up_is_torn_down_once_at_its_end(tmp_path: Path) -> None:
    run(tmp_path, two=MIXED)
    assert len((tmp_path / "ended").read_text().split()) == 1


def test_a_process_that_ends_amid_its_tests_fails_the_run(tmp_path: Path) -> None:
    code, output = run(tmp_path, one=GOOD, two="import os\ndef test_end(): os._exit(3)\n")
    assert code == 3
    assert "a process ended with 3 amid its tests" in output
