"""Run the tests in processes that are forked once all tests are collected: `--forks=N`.

pytest-xdist starts each worker anew: each imports and collects everything for itself, and tells of
each test five times. Where tests are many and short, that takes as long as the tests.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, Pipe, wait
from time import monotonic
from typing import Any

import pytest

_DONE = None  # the last message of a process; any other is a list of reports
_SOON = 0.2  # seconds


class Forked:
    """Hands out the tests, those of a scope together, to whichever process is free."""

    def __init__(self, count: int, scope: Callable[[str], str]) -> None:
        self._count, self._scope = count, scope
        gc.disable()  # what is imported and collected stays until the end

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests of a session; `None`, for pytest itself, where there is nothing to run."""
        if session.testsfailed or session.config.option.collectonly:
            return None
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # for all
        by_scope: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            by_scope.setdefault(self._scope(item.nodeid), []).append(item)
        scopes = list(by_scope.values())
        queue, handed_out = os.pipe()
        with os.fdopen(handed_out, "wb") as numbers:
            numbers.write(b"".join(number.to_bytes(2, "big") for number in range(len(scopes))))
        running: dict[Connection, int] = {}
        gc.freeze()
        gc.enable()
        try:
            for _ in range(self._count):
                there, here = Pipe(duplex=False)
                if pid := os.fork():
                    here.close()
                    running[there] = pid
                else:
                    _be_a_process(session, scopes, queue, here)
            _follow(session, running)
        finally:
            os.close(queue)
            for pid in running.values():
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        return True


def _follow(session: pytest.Session, running: dict[Connection, int]) -> None:
    """Report what the processes report, until all are done."""
    hook = session.config.hook
    while running:
        for told in wait(list(running)):
            assert isinstance(told, Connection)
            try:
                message = told.recv()
            except EOFError:
                _, status = os.waitpid(running.pop(told), 0)
                problem = f"a process ended with {os.waitstatus_to_exitcode(status)} amid its tests"
                raise RuntimeError(problem) from None
            if message is _DONE:
                os.waitpid(running.pop(told), 0)
                continue
            for data in message:
                report = hook.pytest_report_from_serializable(config=session.config, data=data)
                hook.pytest_runtest_logreport(report=report)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)


def _be_a_process(
    session: pytest.Session, scopes: list[list[pytest.Item]], queue: int, told: Connection
) -> None:
    """Run tests in this process, which ends with them."""
    code = 1
    try:
        plugins = session.config.pluginmanager
        capturing: Any = plugins.getplugin("capturemanager")
        capturing.stop_global_capturing()  # what was opened before the fork is not ours alone
        plugins.unregister(name="terminalreporter")
        capturing.start_global_capturing()
        teller = _Told(session.config, told)
        plugins.register(teller)
        items = _items(scopes, queue)
        item = next(items, None)
        while item is not None:
            following = next(items, None)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            item = following
        teller.tell()
        told.send(_DONE)
        code = 0
    finally:
        os._exit(code)


def _items(scopes: list[list[pytest.Item]], queue: int) -> Iterator[pytest.Item]:
    """The tests of the scopes that this process takes, one scope after the other."""
    while number := os.read(queue, 2):
        yield from scopes[int.from_bytes(number, "big")]


class _Told:
    """Tells the process that began the run of each report: of many at once, for that process to
    be woken seldom, but of each soon."""

    def __init__(self, config: pytest.Config, told: Connection) -> None:
        self._config, self._told = config, told
        self._reports: list[Any] = []
        self._last = monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._reports.append(data)
        if report.failed or monotonic() - self._last > _SOON:
            self.tell()

    def tell(self) -> None:
        self._told.send(self._reports)
        self._reports = []
        self._last = monotonic()
