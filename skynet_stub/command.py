"""The command `skynet-stub`: check a metric from a terminal or a build server."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import NoReturn

from skynet_stub.check import check_metric
from skynet_stub.helpers import DEFAULT_REFLECTION_MODEL, Models
from skynet_stub.limits import (
    CONTRACT_CHECK_CASES,
    METRIC_MEMORY_MIB,
    METRIC_TIMEOUT_MAX_SECONDS,
    METRIC_TIMEOUT_SECONDS,
)
from skynet_stub.messages import LANGUAGES, catalog
from skynet_stub.outcomes import Runner
from skynet_stub.refused import Refused
from skynet_stub.report import report_lines

PASSED, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: passed, failed, could not be run, stopped by the user."""


def run() -> int:
    """Be the command, with the arguments of this process: it becomes the metric's supervisor."""
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
        language = _language(given)
        return _check(_parser(language).parse_args(given), language, runner)
    except Refused as refused:
        return _could_not_run(refused.text(language))
    except FileNotFoundError as problem:  # the catalogs are not compiled
        return _could_not_run(str(problem))
    except KeyboardInterrupt:
        return INTERRUPTED


def _could_not_run(problem: str) -> int:
    print(f"skynet-stub: {problem}", file=sys.stderr)
    return REFUSED


def _check(options: argparse.Namespace, language: str, runner: Runner | None) -> int:
    report = check_metric(
        options.metric,
        options.cases,
        all_cases=options.all,
        timeout=_seconds(options.timeout),
        memory=_mebibytes(options.memory),
        models=Models(options.metric_model or None, options.reflection_model or None),
        runner=runner,
    )
    try:
        for line in report_lines(report, language):
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains later
    return PASSED if report.passed else FAILED


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Refused("timeout", found=text, maximum=METRIC_TIMEOUT_MAX_SECONDS) from None


def _mebibytes(text: str) -> float:
    parts = re.fullmatch(r"(\d+(?:\.\d+)?) ?(MiB|GiB)?", text, re.IGNORECASE | re.ASCII)
    if parts is None:
        raise Refused("memory", found=text)
    return float(parts[1]) * (1024 if (parts[2] or "").lower() == "gib" else 1)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(REFUSED, f"{self.prog}: {message}; {self.prog} --help shows what it takes\n")


def _language(arguments: Sequence[str]) -> str:
    """The language of the report, which is that of the help and of refusals too."""
    parser = _Parser(prog="skynet-stub", add_help=False)
    parser.add_argument("--lang", default=LANGUAGES[0])
    language: str = parser.parse_known_args(arguments)[0].lang
    if language not in LANGUAGES:
        raise Refused("language", found=language, known=", ".join(LANGUAGES))
    return language


def _parser(language: str) -> argparse.ArgumentParser:
    words = catalog(language)
    parser = _Parser(prog="skynet-stub", description=words.text("command.description"))
    commands = parser.add_subparsers(required=True, metavar="check")
    about = words.text("command.check")
    check = commands.add_parser("check", help=about, description=about)
    check.add_argument("metric", metavar="metric.py", help=words.text("command.metric"))
    check.add_argument("--cases", metavar="FILE", help=words.text("command.cases"))
    check.add_argument(
        "--all", action="store_true", help=words.text("command.all", count=CONTRACT_CHECK_CASES)
    )
    check.add_argument(
        "--timeout",
        metavar="SECONDS",
        default=str(METRIC_TIMEOUT_SECONDS),
        help=words.text(
            "command.timeout", default=METRIC_TIMEOUT_SECONDS, maximum=METRIC_TIMEOUT_MAX_SECONDS
        ),
    )
    check.add_argument(
        "--memory",
        metavar="SIZE",
        default=str(METRIC_MEMORY_MIB),
        help=words.text("command.memory", default=METRIC_MEMORY_MIB),
    )
    check.add_argument("--metric-model", metavar="NAME", help=words.text("command.metric-model"))
    check.add_argument(
        "--reflection-model",
        metavar="NAME",
        default=DEFAULT_REFLECTION_MODEL,
        help=words.text("command.reflection-model", default=DEFAULT_REFLECTION_MODEL),
    )
    check.add_argument(
        "--lang", metavar="LANGUAGE", help=words.text("command.lang", known=", ".join(LANGUAGES))
    )
    return parser
