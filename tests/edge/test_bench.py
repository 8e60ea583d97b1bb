"""The README shows the table of the last `make bench`, and its bars are those of the bench."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
BARS = ["6 times", "0.1 ms", "2 s", "80 MiB", "0.5 s"]


def rows() -> list[list[str]]:
    """The rows of the table in the README, without its head."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("<!-- bench -->\n")[2].partition("<!-- /bench -->")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()][
        2:
    ]


def test_the_readme_names_each_bar() -> None:
    assert [bar for _, _, bar in rows()] == BARS


def test_what_the_readme_shows_keeps_its_bars() -> None:
    for what, measured, bar in rows():
        (value, unit), (most, unit_of_bar) = measured.split(), bar.split()
        assert unit == unit_of_bar, what
        assert float(value) <= float(most), what


def test_the_bars_are_those_of_the_bench() -> None:
    source = (ROOT / "tests" / "bench" / "bench.py").read_text(encoding="utf-8")
    measurements = re.findall(r'Measurement\("(.+)", .+, "(.+)", ([\d.]+)\)', source)
    assert [(what, f"{bar} {unit}") for what, unit, bar in measurements] == [
        (what, bar) for what, _, bar in rows()
    ]
