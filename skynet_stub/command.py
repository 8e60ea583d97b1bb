"""The command `skynet-stub`: check a metric from a terminal or a build server."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import NoReturn, TextIO

from skynet_stub.check import check_metric
from skynet_stub.display import shown_name, visible
from skynet_stub.helpers import DEFAULT_REFLECTION_MODEL, Models
from skynet_stub.limits import (
    METRIC_MEMORY_MIB,
    METRIC_TIMEOUT_MAX_SECONDS,
    METRIC_TIMEOUT_SECONDS,
)
from skynet_stub.messages import LANGUAGES
from skynet_stub.options import help_lines, language_of, read_options, the_metric
from skynet_stub.outcomes import Runner
from skynet_stub.refused import Refused
from skynet_stub.report import report_lines

PASSED, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: passed, failed, could not be run, stopped by the user."""


def be_the_command() -> NoReturn:
    """Run the command with the arguments of this process, and end it with the exit code."""
    os._exit(run())  # all is written; Python takes a tenth of the check to take itself apart


def run() -> int:
    """Run the command; this process becomes the metric's supervisor."""
    if not hasattr(os, "fork"):
        return main()  # which says what it needs
    from skynet_stub import supervisor

    supervisor.stop_on_signals()
    try:
        return main(runner=supervisor.supervise)
    except supervisor.Stopped as stopped:
        supervisor.end_by(stopped)


def main(arguments: Sequence[str] | None = None, runner: Runner | None = None) -> int:
    """Run the command with its arguments (`sys.argv` by default), and return its exit code.

    `runner` runs the metric: in a process of its own where none is given.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a report may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    language = LANGUAGES[0]
    try:
        language = language_of(given)
        return _check(given, language, runner)
    except Refused as refused:
        return _could_not_run(refused.text(language))
    except FileNotFoundError as problem:  # the catalogs are not compiled
        return _could_not_run(str(problem))
    except KeyboardInterrupt:
        return INTERRUPTED


def _could_not_run(problem: str) -> int:
    if sys.stderr is not None:
        _write([f"skynet-stub: {visible(problem)}"], sys.stderr)
    return REFUSED


def _check(arguments: Sequence[str], language: str, runner: Runner | None) -> int:
    plain, options = read_options(arguments)
    if sys.stdout is None:  # closed: what is opened next would take its place
        raise Refused("output-closed")
    if "--help" in options:
        _report(help_lines(language))
        return PASSED
    report = check_metric(
        the_metric(plain),
        options.get("--cases"),
        all_cases="--all" in options,
        timeout=_seconds(options.get("--timeout")),
        memory=_mebibytes(options.get("--memory")),
        models=Models(
            options.get("--metric-model") or None,
            options.get("--reflection-model", DEFAULT_REFLECTION_MODEL) or None,
        ),
        runner=runner,
    )
    strict = "--strict" in options
    _report(report_lines(report, language, strict=strict))
    return FAILED if not report.passed or (strict and report.advice) else PASSED


def _seconds(text: str | None) -> float:
    try:
        return METRIC_TIMEOUT_SECONDS if text is None else float(text)
    except ValueError:
        found = shown_name(text or "")
        raise Refused("timeout", found=found, maximum=METRIC_TIMEOUT_MAX_SECONDS) from None


def _mebibytes(text: str | None) -> float:
    if text is None:
        return METRIC_MEMORY_MIB
    parts = re.fullmatch(r"(\d+(?:\.\d+)?) ?(MiB|GiB)?", text, re.IGNORECASE | re.ASCII)
    if parts is None:
        raise Refused("memory", found=shown_name(text))
    return float(parts[1]) * (1024 if (parts[2] or "").lower() == "gib" else 1)


def _report(lines: Iterable[str]) -> None:
    problem = _write(lines, sys.stdout)
    if problem is not None and not isinstance(problem, BrokenPipeError):  # it has read enough
        raise Refused("report-not-written", problem=problem.strerror)


def _write(lines: Iterable[str], stream: TextIO) -> OSError | None:
    """Write the lines; where that fails, return why, and let Python not try once more."""
    try:
        for line in lines:
            stream.write(f"{line}\n")
        stream.flush()
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return problem
    return None
