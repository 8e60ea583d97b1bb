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
from typing import Any

import pytest

_DONE = None  # the last message of a process


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
            report = hook.pytest_report_from_serializable(config=session.config, data=message)
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
        terminal: Any = plugins.getplugin("terminalreporter")
        with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
            terminal._tw._file = nowhere
            capturing.start_global_capturing()
            plugins.register(_Told(session.config, told))
            items = _items(scopes, queue)
            item = next(items, None)
            while item is not None:
                following = next(items, None)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                item = following
        told.send(_DONE)
        code = 0
    finally:
        os._exit(code)


def _items(scopes: list[list[pytest.Item]], queue: int) -> Iterator[pytest.Item]:
    """The tests of the scopes that this process takes, one scope after the other."""
    while number := os.read(queue, 2):
        yield from scopes[int.from_bytes(number, "big")]


class _Told:
    """Tells the process that began the run of each report."""

    def __init__(self, config: pytest.Config, told: Connection) -> None:
        self._config, self._told = config, told

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._told.send(data)
