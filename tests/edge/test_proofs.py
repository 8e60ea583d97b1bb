"""A test that proves a statement of the guide must have run, where all tests are run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs_build.warm import warm

PROOFS = Path(__file__).resolve().parents[1] / "proofs.py"
CONFTEST = """\
from proofs import Proofs, wanted

def pytest_configure(config):
    if wanted(config):
        config.pluginmanager.register(Proofs(frozenset({"test_a.py::test_proof"})))
"""
TWICE = "import pytest\n\n@pytest.mark.parametrize('n', [1, 2])\n"
PASSES = f"{TWICE}def test_proof(n): pass\n"
SKIPS_ONE = f"{TWICE}def test_proof(n):\n    n == 1 or pytest.skip('x')\n"
GONE = ""


def run(folder: Path, source: str, *arguments: str) -> tuple[int, str]:
    other = "\ndef test_other(): pass\n"
    (folder / "test_a.py").write_text(source + other, "utf-8")
    (folder / "conftest.py").write_text(CONFTEST, "utf-8")
    (folder / "pytest.toml").write_text('[pytest]\ntestpaths = ["."]\n', "utf-8")
    ended = warm("pytest").run(
        *("pytest", "-q", "-p", "no:cacheprovider", *arguments),
        folder=folder,
        environment=os.environ
        | {"PYTHONPATH": str(PROOFS.parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    return ended.returncode, ended.stdout


WORKER = ("-p", "xdist", "-n", "1")


def test_a_run_passes_where_every_proof_has_run(tmp_path: Path) -> None:
    code, said = run(tmp_path, PASSES, *WORKER)
    assert code == 0
    assert "3 passed" in said


@pytest.mark.parametrize(
    ("source", "arguments"),
    [(GONE, ()), (SKIPS_ONE, WORKER)],
    ids=["gone", "skipped in part, in a worker"],
)
def test_a_run_fails_where_a_proof_has_not_run(
    tmp_path: Path, source: str, arguments: tuple[str, ...]
) -> None:
    code, said = run(tmp_path, source, *arguments)
    assert code == 1
    assert "NOT RUN test_a.py::test_proof: it proves a statement" in said


@pytest.mark.parametrize("arguments", [("-k", "other"), ("test_a.py::test_other",)])
def test_where_tests_are_left_out_on_purpose_no_proof_is_asked_for(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    code, said = run(tmp_path, PASSES, *arguments)
    assert code == 0
    assert "NOT RUN" not in said
