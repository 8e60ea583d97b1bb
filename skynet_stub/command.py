"""The command `skynet-stub`: check a metric from a terminal or a build server."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from math import nan
from typing import NoReturn, TextIO

from skynet_stub import __version__
from skynet_stub.check import Report, check_metric, refuse_bad_memory, refuse_bad_timeout
from skynet_stub.display import shown_name, visible
from skynet_stub.helpers import DEFAULT_REFLECTION_MODEL, Models
from skynet_stub.limits import METRIC_MEMORY_MIB, METRIC_TIMEOUT_SECONDS
from skynet_stub.messages import LANGUAGES
from skynet_stub.options import FORMATS, Asked, help_lines, language_of, read_arguments
from skynet_stub.refused import Refused
from skynet_stub.report import report_lines
from skynet_stub.terminal import Supervise, has_colour, with_progress

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
        return main(supervise=supervisor.supervise)
    except supervisor.Stopped as stopped:
        supervisor.end_by(stopped)


def main(arguments: Sequence[str] | None = None, supervise: Supervise | None = None) -> int:
    """Run the command with its arguments (`sys.argv` by default), and return its exit code.

    `supervise` runs the metric: where none is given, a process of its own does.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a report may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    language = LANGUAGES[0]
    try:
        language = language_of(given)
        return _do(given, language, supervise)
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


def _do(arguments: Sequence[str], language: str, supervise: Supervise | None) -> int:
    asked = read_arguments(arguments)
    if sys.stdout is None:  # closed: what is opened next would take its place
        raise Refused("output-closed")
    if "--help" in asked.options:
        _report(help_lines(asked.command, language))
    elif "--version" in asked.options:
        _report([f"skynet-stub {__version__}"])
    elif asked.command is None:
        raise Refused("no-command")
    elif asked.command.name == "init":
        from skynet_stub.first_steps import begin

        _report(begin(asked.argument or ".", language))
    else:
        return _check(asked, language, supervise)
    return PASSED


def _check(asked: Asked, language: str, supervise: Supervise | None) -> int:
    options = asked.options
    if asked.argument is None:
        raise Refused("no-metric")
    form = options.get("--format", FORMATS[0])
    if form not in FORMATS:
        raise Refused("format", found=shown_name(form), known=", ".join(FORMATS))
    report = check_metric(
        asked.argument,
        options.get("--cases"),
        all_cases="--all" in options,
        numbers=_numbers(options.get("--case")),
        timeout=_seconds(options.get("--timeout")),
        memory=_mebibytes(options.get("--memory")),
        models=Models(
            options.get("--metric-model") or None,
            options.get("--reflection-model", DEFAULT_REFLECTION_MODEL) or None,
        ),
        runner=supervise and with_progress(supervise, language),
    )
    pinned: list[str] = []
    if "--pin" in options:
        from skynet_stub.pinning import pin

        report, pinned = pin(report, language)
    strict = "--strict" in options
    _report(_lines_of(report, form, language, strict))
    _say(pinned, sys.stdout if form == "text" else sys.stderr)
    return FAILED if not report.passed or (strict and report.advice) else PASSED


def _lines_of(report: Report, form: str, language: str, strict: bool) -> Iterable[str]:
    if form == "json":
        from skynet_stub.report_json import report_json

        return [report_json(report, language, strict=strict)]
    if form == "github":
        from skynet_stub.annotations import annotation_lines

        return annotation_lines(report, language, strict=strict)
    return report_lines(report, language, strict=strict, colour=has_colour(sys.stdout))


def _numbers(text: str | None) -> list[int]:
    """The numbers of cases, as in `2,5`; none where the option was not given."""
    if text is None:
        return []
    if not re.fullmatch(r" *[0-9]{1,4000} *(, *[0-9]{1,4000} *)*", text):
        raise Refused("case-number", found=shown_name(text))
    return [int(number) for number in text.split(",")]


def _seconds(text: str | None) -> float:
    if text is None:
        return METRIC_TIMEOUT_SECONDS
    try:
        seconds = float(text) if text.isascii() and "_" not in text else nan
    except ValueError:
        seconds = nan
    refuse_bad_timeout(seconds, shown_name(text))
    return seconds


def _mebibytes(text: str | None) -> float:
    if text is None:
        return METRIC_MEMORY_MIB
    parts = re.fullmatch(r"(\d+(?:\.\d+)?) ?(MiB|GiB)?", text, re.IGNORECASE | re.ASCII)
    if parts is None:
        raise Refused("memory", found=shown_name(text))
    memory = float(parts[1]) * (1024 if (parts[2] or "").lower() == "gib" else 1)
    refuse_bad_memory(memory, shown_name(text))
    return memory


def _report(lines: Iterable[str]) -> None:
    _say(lines, sys.stdout)


def _say(lines: Iterable[str], stream: TextIO) -> None:
    problem = _write(lines, stream)
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
