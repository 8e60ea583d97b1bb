"""Each example of a reason code fails with that reason alone, and fills in what the page shows."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docs_build.project import this_project
from docs_build.reason_examples import CASE, ReasonExample, read_reason_examples
from skynet_stub.check import Report, check_metric
from skynet_stub.in_process import run_in_process
from supervised import supervisor

EXAMPLES = read_reason_examples(this_project().snippets)
NOBODY = 65534


def seconds_and_mebibytes(options: str) -> tuple[float, float]:
    words = shlex.split(options)
    given = dict(zip(words[::2], words[1::2], strict=True))
    timeout, memory = float(given.pop("--timeout", "60")), float(given.pop("--memory", "1024"))
    assert not given, "an option that this test does not know"
    return timeout, memory


def report_of(example: ReasonExample, folder: Path) -> Report:
    (folder / "metric.py").write_text(example.source, encoding="utf-8")
    (folder / "cases.jsonl").write_text(f"{example.case or CASE}\n", encoding="utf-8")
    timeout, memory = seconds_and_mebibytes(example.options)
    (folder / "metric.py").chmod(int(example.mode, 8))
    if example.mode == "644":
        runner = supervisor("ctypes").run
        return check_metric(folder / "metric.py", timeout=timeout, memory=memory, runner=runner)
    with not_as_root():  # who may read everything
        return check_metric(folder / "metric.py", runner=run_in_process)


@contextmanager
def not_as_root() -> Iterator[None]:
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_fails_with_its_reason_alone(code: str) -> None:
    example = EXAMPLES[code]
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        report = report_of(example, Path(name))
    (failure,) = [failure for item in report.items for failure in item.failures]
    assert failure.fault.reason == code
    facts = dict(failure.fault.facts)
    if "version" in facts:  # of the Python that runs this
        facts["version"] = example.facts["version"]
    assert facts == example.facts
    assert report.advice == ()
