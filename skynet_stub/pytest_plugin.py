"""A plugin of pytest: each case of a metric is a test, which says what the check says of it.

`pytest --skynet-metric metric.py` needs no test file; in one, `test_metric =
metric_cases("metric.py")` does the same. The check is imported once there is a metric to run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from skynet_stub.cases import Case
    from skynet_stub.check import Report

__all__ = ["metric_cases"]

_ADVICE, _PRINTED = "metric advice", "metric output"
_SHOWN = 20


class _Target(NamedTuple):
    """A metric, and where its cases are: they make a check of their own."""

    metric: Path
    cases: Path
    timeout: float | None


_CHECKS = pytest.StashKey[dict[_Target, "Report"]]()


def metric_cases(
    metric: str | Path, cases: str | Path | None = None, *, timeout: float | None = None
) -> Callable[..., None]:
    """A test function that is run for each case of a metric; give it a name that begins with test.

    Paths are those from the folder of the test file. `cases` is the case file, by default
    `cases.jsonl` beside the metric; `timeout` is in seconds, by default that of the option
    `--skynet-timeout` (A7). What cannot be read is an error when the tests are collected (B5).
    """
    caller = sys._getframe(1)
    target = _target(Path(caller.f_code.co_filename).parent, metric, cases, timeout)
    read = _read(target, "en")
    if isinstance(read, str):
        pytest.fail(read, pytrace=False)
    numbers = [case.number for case in read]

    @pytest.mark.parametrize("skynet_case", numbers, ids=_id)
    def test(skynet_case: int, request: pytest.FixtureRequest) -> None:
        _run(request.node, target, skynet_case)

    # The test stands where it was asked for, so that reports name that place.
    place = {"co_filename": caller.f_code.co_filename, "co_firstlineno": caller.f_lineno}
    test.__code__ = test.__code__.replace(**place)  # type: ignore[arg-type]
    test.__dict__["skynet_target"] = target
    return staticmethod(test) if "__qualname__" in caller.f_locals else test  # in a class


def _read(target: _Target, language: str) -> tuple[Case, ...] | str:
    """The cases of a metric, or why they cannot be read."""
    from skynet_stub.cases import load_cases
    from skynet_stub.refused import Refused

    try:
        return load_cases(target.cases)
    except Refused as refused:
        return refused.text(language)


def _id(number: int) -> str:
    return f"case-{number}"


def _target(
    folder: Path, metric: str | Path, cases: str | Path | None, timeout: float | None
) -> _Target:
    path = folder / metric
    return _Target(path, folder / cases if cases else path.with_name("cases.jsonl"), timeout)


# --- Without a test file -------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("skynet", "metrics for Skynet")
    group.addoption(
        "--skynet-metric",
        action="append",
        default=[],
        metavar="FILE",
        help="make each case of this metric file a test (can be repeated)",
    )
    group.addoption(
        "--skynet-cases",
        metavar="FILE",
        help="its case file (default: cases.jsonl beside the metric)",
    )
    group.addoption(
        "--skynet-timeout",
        type=float,
        metavar="SECONDS",
        help="seconds for loading a metric, and for each call (default: 60)",
    )
    group.addoption(
        "--skynet-lang",
        default="en",
        metavar="LANGUAGE",
        help="the language of what is said of metrics: en, zh-Hans, ru (default: en)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Have the metrics collected that the options name."""
    option, folder = config.option, config.invocation_params.dir
    if option.skynet_lang != "en":
        from skynet_stub.messages import LANGUAGES

        if option.skynet_lang not in LANGUAGES:
            raise pytest.UsageError(f"--skynet-lang: choose one of {', '.join(LANGUAGES)}")
    if option.skynet_metric:  # absolute, so that workers of xdist find them too
        option.skynet_metric = [str(folder / metric) for metric in option.skynet_metric]
        option.skynet_cases = option.skynet_cases and str(folder / option.skynet_cases)
        there = {str(folder / argument.partition("::")[0]) for argument in config.args}
        config.args += [metric for metric in option.skynet_metric if metric not in there]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The collector of a metric that an option names."""
    if str(file_path) not in parent.config.option.skynet_metric:
        return None
    collector: pytest.Collector = _MetricFile.from_parent(parent, path=file_path)
    return collector


class _MetricFile(pytest.File):
    """A metric file: its cases are its tests."""

    def collect(self) -> Iterator[pytest.Item]:
        option = self.config.option
        target = _target(self.path.parent, self.path, option.skynet_cases, None)
        cases = _read(target, option.skynet_lang)
        if isinstance(cases, str):
            raise self.CollectError(cases)
        for case in cases:
            yield _MetricCase.from_parent(self, name=_id(case.number), target=target, case=case)


class _MetricCase(pytest.Item):
    """A case of a metric file."""

    def __init__(self, *, target: _Target, case: Case, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.skynet_target, self.skynet_case = target, case

    def runtest(self) -> None:
        _run(self, self.skynet_target, self.skynet_case.number)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.skynet_target.cases, self.skynet_case.line - 1, self.name


# --- Running -------------------------------------------------------------------------------------


def _run(item: pytest.Item, target: _Target, number: int) -> None:
    """Fail with what the check says of this case, if it fails it."""
    __tracebackhide__ = True
    from skynet_stub.display import visible
    from skynet_stub.messages import catalog
    from skynet_stub.report import advice_text, case_failure_lines, printed_text

    words = catalog(item.config.getoption("skynet_lang", "en"))
    report = _checked(item, target, number)
    if isinstance(report, str):
        pytest.fail(report, pytrace=False)
    printed = [report.loading.printed, *(one.printed for one in report.cases if one.case == number)]
    sections = {
        _PRINTED: [printed_text(one, words) for one in printed if one],
        _ADVICE: [advice_text(one, words) for one in report.advice if one.case in (None, number)],
    }
    for name, texts in sections.items():
        if texts:
            lines = "\n".join(texts).split("\n")
            item.add_report_section("call", name, "\n".join(map(visible, lines)))
    failures = "\n".join(case_failure_lines(report, number, words))
    if failures:
        pytest.fail(failures, pytrace=False)


def _checked(item: pytest.Item, target: _Target, number: int) -> Report | str:
    """The check of a metric on all its cases that are to be run, which is made once a session.

    Or why it could not be made.
    """
    from skynet_stub.check import check_metric
    from skynet_stub.limits import METRIC_TIMEOUT_SECONDS
    from skynet_stub.refused import Refused

    checks = item.session.stash.setdefault(_CHECKS, {})
    report = checks.get(target)
    if report is None or all(case.number != number for case in report.checked):
        numbers = {one[1] for one in map(_case_of, item.session.items) if one and one[0] == target}
        given = (target.timeout, item.config.getoption("skynet_timeout", None))
        try:
            report = checks[target] = check_metric(
                target.metric,
                target.cases,
                numbers={*numbers, number},
                timeout=next((one for one in given if one is not None), METRIC_TIMEOUT_SECONDS),
            )
        except Refused as refused:
            return refused.text(item.config.getoption("skynet_lang", "en"))
    return report


def _case_of(item: pytest.Item) -> tuple[_Target, int] | None:
    """The metric of a test, and the number of its case, where it is one of ours."""
    if isinstance(item, _MetricCase):
        return item.skynet_target, item.skynet_case.number
    if isinstance(item, pytest.Function) and "skynet_target" in vars(item.function):
        number = item.callspec.params["skynet_case"]
        assert isinstance(number, int)
        return item.function.skynet_target, number
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what advice there is for cases that passed; a failure shows its own."""
    lines = [
        f"{report.nodeid}: {line}"
        for report in terminalreporter.stats.get("passed", ())
        for name, text in report.sections
        if name == f"Captured {_ADVICE} call"
        for line in text.split("\n")
    ]
    if lines:
        terminalreporter.section(_ADVICE)
        for line in lines[:_SHOWN]:
            terminalreporter.line(line)
        if len(lines) > _SHOWN:
            terminalreporter.line(f"… and {len(lines) - _SHOWN} more")
