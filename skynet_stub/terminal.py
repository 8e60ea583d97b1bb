"""What a report does on a terminal alone: colour, and a line of progress while a check lasts."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TextIO

from skynet_stub.messages import catalog
from skynet_stub.outcomes import Called, Job, Loading, Runner

PROGRESS_SECONDS = 1.0
"""How long a check lasts, in seconds, before it says how far it is."""

_BETWEEN_SECONDS = 0.1
_ERASE = "\r\x1b[K"

Supervise = Callable[[Job, int | None, Callable[[], None]], Iterator[Loading | Called]]
"""A runner that is also told what to do each time that it has waited a little."""


def has_colour(stream: TextIO) -> bool:
    """Whether to write in colour: on a terminal, unless `NO_COLOR` or `TERM=dumb` say otherwise.

    `FORCE_COLOR` asks for it everywhere else.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or _is_terminal(stream)


def with_progress(supervise: Supervise, language: str) -> Runner:
    """A runner that says on standard error how far it is, where that is a terminal."""
    return _Progress(supervise, language).run


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


class _Progress:
    """One line, written over and over, and erased at the end."""

    def __init__(self, supervise: Supervise, language: str) -> None:
        self._supervise, self._language = supervise, language
        self._stream = sys.stderr if _is_terminal(sys.stderr) else None
        self._due = 0.0
        self._facts: dict[str, object] = {}
        self._shown = ""

    def run(self, job: Job) -> Iterator[Loading | Called]:
        """Run the job; each outcome moves the line on."""
        self._due = time.monotonic() + PROGRESS_SECONDS
        self._facts = {"metric": job.metric.name, "count": len(job.cases)}
        try:
            for running, outcome in enumerate(self._supervise(job, None, self._tick), 1):
                self._facts["running"] = running
                yield outcome
        finally:
            self._write("")

    def _tick(self) -> None:
        now = time.monotonic()
        if self._stream is not None and now >= self._due:
            self._due = now + _BETWEEN_SECONDS
            key = "report.running" if "running" in self._facts else "report.loading"
            self._write(catalog(self._language).text(key, **self._facts))

    def _write(self, text: str) -> None:
        if self._stream is not None and text != self._shown:
            self._shown = text
            with suppress(OSError):
                self._stream.write(f"{_ERASE}{text}")
                self._stream.flush()
