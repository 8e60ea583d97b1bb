"""A plugin of pytest: write down the first test that fails, for the drill to read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PLACE = "DRILL_NOTICED"
"""Names the file in the environment."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A fixture that fails is a test that fails: a site that stage refuses, say."""
    _note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file that cannot be loaded; whether that counts is for the drill to say."""
    _note(report)


def _note(report: pytest.TestReport | pytest.CollectReport) -> None:
    file = Path(os.environ[PLACE])
    if report.failed and not file.exists():
        file.write_text(report.nodeid, "utf-8")
