"""A runner inside this process, for places that have no other (a browser); no timeout (B4)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO

from skynet_stub.outcomes import Called, Job, Loading
from skynet_stub.session import Session


def run_in_process(job: Job) -> Iterator[Loading | Called]:
    """Run the job here. The timeout of the job is not kept: nothing here could end the metric."""
    session = Session(job)
    with session.open():
        with _printed() as printed:
            loading = session.load()
        yield loading.replace(printed=printed.getvalue())
        if loading.faults:
            return
        for case in job.cases:
            with _printed() as printed:
                called = session.call(case)
            yield called.replace(printed=printed.getvalue())


@contextmanager
def _printed() -> Iterator[StringIO]:
    """Capture what Python code prints to standard output and error."""
    text = StringIO()
    with redirect_stdout(text), redirect_stderr(text):
        yield text
