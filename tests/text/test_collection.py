"""Every test that is written is one that is run."""

from __future__ import annotations

import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


def test_no_folder_of_tests_is_left_out(pytestconfig: pytest.Config) -> None:
    patterns = pytestconfig.getini("norecursedirs")
    folders = {path.parent for path in TESTS.rglob("test_*.py")}
    assert TESTS / "build" in folders
    left_out = [
        folder.name
        for folder in folders
        if any(fnmatch.fnmatch(folder.name, pattern) for pattern in patterns)
    ]
    assert left_out == []
