"""A run of all tests fails where a test that proves a statement of the guide was not run.

That each such test is written is a test of its own (tests/text/test_statements.py). That it passed
is known only at the end, and only where nothing was left out on purpose: with a file, `-k` and the
like, nothing is asked. (What a machine lacks skips no test that proves a statement.)
"""

from __future__ import annotations

import pytest

_LEAVES_OUT = (
    "keyword",
    "markexpr",
    "deselect",
    "ignore",
    "ignore_glob",
    "lf",
    "collectonly",
    "fast",
)


class Proofs:
    """Knows which tests passed, and asks at the end for those that prove statements."""

    def __init__(self, needed: frozenset[str]) -> None:
        self._needed = needed
        self._passed: set[str] = set()
        self._failed: set[str] = set()
        self._missing: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Under xdist, the reports of all workers come to the one that began the run."""
        name = report.nodeid.partition("[")[0]
        if report.when == "call" and report.passed:
            self._passed.add(name)
        elif not report.passed:
            self._failed.add(name)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.exitstatus == pytest.ExitCode.OK:
            self._missing = sorted(self._needed - (self._passed - self._failed))
        if self._missing:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for name in self._missing:
            terminalreporter.write_line(
                f"NOT RUN {name}: it proves a statement of drill/statements.toml"
            )


def wanted(config: pytest.Config) -> bool:
    """Whether all tests are to be run, and this is the process that began the run."""
    all_tests = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    left_out = any(getattr(config.option, name, None) for name in _LEAVES_OUT)
    return all_tests and not left_out and not hasattr(config, "workerinput")
