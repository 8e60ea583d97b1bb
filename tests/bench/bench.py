"""Measure the speed of the check, print the table that the README shows, and hold it to its bars.

All is measured in one run, several times over, and the best of each counts: what else a machine
does only ever adds to a time. `make bench` fails past a bar; else `--write` puts the table into
the README.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
START, END = "<!-- bench -->\n", "<!-- /bench -->\n"

# A Python that keeps no bytecode would compile the package anew in each round, as no user's does.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

ROUNDS = 7
MANY = 10_000

METRIC = 'def score(input, output, expected=None):\n    return 1.0, {"feedback": output}\n'
HANGING = "def score(input, output):\n    while True: pass\n"
TIMEOUT = 0.5

PEAK = """
import os, sys
silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
print(os.wait4(pid, 0)[2].ru_maxrss)
"""
"""Prints how much the command in its arguments held. A small process asks: a new process counts
what the one that started it held."""


@dataclass(frozen=True)
class Measurement:
    """One line of the table: what, how much of which unit, and the bar that it must keep below."""

    what: str
    value: float
    unit: str
    bar: float

    @property
    def kept(self) -> bool:
        """Whether it keeps its bar."""
        return self.value <= self.bar

    def row(self) -> str:
        """The line as a row of a table."""
        return f"| {self.what} | {self.value:.3g} {self.unit} | {self.bar:g} {self.unit} |"


def table(measurements: list[Measurement]) -> str:
    """The table in Markdown."""
    rows = (one.row() for one in measurements)
    return "\n".join(["| What | Measured | At most |", "| --- | --- | --- |", *rows, ""])


def best(run: Callable[[], object]) -> float:
    """The shortest time of several runs, in seconds."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return min(times)


@contextmanager
def metric(source: str, cases: int) -> Iterator[str]:
    """A metric file with so many cases beside it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "metric.py")
        path.write_text(source, encoding="utf-8")
        lines = (json.dumps({"input": {}, "output": f"out {n}"}) + "\n" for n in range(cases))
        path.with_name("cases.jsonl").write_text("".join(lines), encoding="utf-8")
        yield str(path)


def check(path: str, *options: str) -> None:
    """Run the whole command, as a terminal does."""
    subprocess.run(
        [sys.executable, "-m", "skynet_stub", "check", path, *options],
        stdout=subprocess.DEVNULL,
        cwd=ROOT,
        check=False,
    )


def bare_python() -> None:
    """Start Python and do nothing."""
    subprocess.run([sys.executable, "-I", "-c", "pass"], check=True)


def call_itself() -> float:
    """The time of one call of the metric without a check, in seconds."""
    names: dict[str, Callable[..., object]] = {}
    exec(METRIC, names)
    score = names["score"]
    return best(lambda: [score({}, "out", None) for _ in range(MANY)]) / MANY


def own_memory_mib(path: str) -> float:
    """The most resident memory that one process of a check held, above that of a bare Python."""

    def peak(*arguments: str) -> int:
        command = [sys.executable, "-I", "-c", PEAK, sys.executable, *arguments]
        return int(subprocess.run(command, capture_output=True, check=True).stdout)

    largest = peak("-m", "skynet_stub", "check", path, "--all") - peak("-I", "-c", "pass")
    return largest / (1024**2 if sys.platform == "darwin" else 1024)


def measure() -> list[Measurement]:
    """All measurements, in the order of the table."""
    with metric(METRIC, 3) as few, metric(METRIC, MANY) as many, metric(HANGING, 1) as hanging:
        check(few)  # what is compiled once is compiled now
        whole, bare = best(lambda: check(few)), best(bare_python)
        all_cases = best(lambda: check(many, "--all"))
        further = (all_cases - whole) / (MANY - 3) - call_itself()
        late = best(lambda: check(hanging, "--timeout", str(TIMEOUT))) - TIMEOUT
        memory = own_memory_mib(many)
    return [
        Measurement("The whole command, three cases, to a bare Python", whole / bare, "times", 6),
        Measurement("A further case, above the call itself", further * 1000, "ms", 0.1),
        Measurement("10,000 cases", all_cases, "s", 2),
        Measurement("10,000 cases, memory of the check itself", memory, "MiB", 80),
        Measurement("From the timeout to the end of the command", late, "s", 0.5),
    ]


def main() -> int:
    """Measure, print, and say whether all bars were kept."""
    os.chdir(ROOT)
    measurements = measure()
    shown = table(measurements)
    print(shown, end="")
    past = [one for one in measurements if not one.kept]
    for one in past:
        print(f"{one.what}: {one.value:.3g} {one.unit}, above {one.bar:g}", file=sys.stderr)
    if "--write" in sys.argv[1:] and not past:
        before, _, rest = README.read_text(encoding="utf-8").partition(START)
        README.write_text(before + START + shown + END + rest.partition(END)[2], encoding="utf-8")
    return 1 if past else 0


if __name__ == "__main__":
    sys.exit(main())
