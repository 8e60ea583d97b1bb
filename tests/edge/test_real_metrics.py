"""Metrics as people really write them: the right item fails, for the right cases, and no other.

Each line of `real_metrics.jsonl` is one: its source, the `encoding` of its file (UTF-8 where it
names none), its cases, the `item` that must fail (`null`: none) and the numbers of the `failing`
cases (none where loading fails), the packages that it `needs`, and `files` beside it, by name.
"""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import pytest

from skynet_stub.check import Report, check_metric
from skynet_stub.items import TIMEOUT
from supervised import supervisor

METRICS: dict[str, dict[str, Any]] = {
    row["id"]: row
    for row in map(
        json.loads,
        Path(__file__).with_name("real_metrics.jsonl").read_text(encoding="utf-8").splitlines(),
    )
}

HANGS, ENDS = 0.5, 60
"""Timeouts in seconds: of what never ends, and of what ends in time on a slow machine too."""


def require(packages: list[str]) -> None:
    """Skip the test where a package is missing; under CI, which installs them, fail it."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            lack = f"{package} is not installed: `make test` installs it"
            pytest.fail(lack) if os.environ.get("CI") else pytest.skip(lack)


def check(folder: Path, row: dict[str, Any]) -> Report:
    """Check the metric of a row, in a folder of its own."""
    for name, text in row.get("files", {}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    metric = folder / "metric.py"
    metric.write_bytes(row["metric"].encode(row.get("encoding", "utf-8"), "surrogatepass"))
    cases = "".join(json.dumps(case) + "\n" for case in row["cases"])
    (folder / "cases.jsonl").write_text(cases, encoding="utf-8")
    return check_metric(
        metric,
        timeout=HANGS if row["item"] == TIMEOUT else ENDS,
        runner=supervisor("ctypes", *row.get("needs", [])).run,
    )


@pytest.mark.parametrize("name", METRICS)
def test_a_real_metric_fails_the_right_item_for_the_right_cases(tmp_path: Path, name: str) -> None:
    row = METRICS[name]
    require(row.get("needs", []))
    files = {"metric.py", "cases.jsonl", *row.get("files", {})}
    report = check(tmp_path, row)
    failed = {item.id: item.failures for item in report.items if item.passed is False}
    assert list(failed) == ([row["item"]] if row["item"] else [])
    for failures in failed.values():
        numbers = [failure.case for failure in failures if failure.case is not None]
        assert sorted(set(numbers)) == row["failing"]
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == files
