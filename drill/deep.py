"""Run the tests on mutants of what holds the contract: `python -m drill.deep [--module NAME]`.

Ends with 0 where each survivor is listed with its reason, 1 where one is not, or where an entry of
the list is out of date, and 2 where the tests fail without a change. `deep.toml` names the modules.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from drill.forked import Module, Tried, try_module
from drill.kinds import DrillError
from drill.mutants import Change
from drill.survivors import problems, read_survivors

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Row:
    """What came of a module: its mutants, how many a test noticed, how many others are listed."""

    mutants: int
    killed: int
    listed: int


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Try the mutants of one module, or of all, and write the table; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m drill.deep")
    parser.add_argument("--module", help="try this one module")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        modules = read_modules(root / "drill" / "deep.toml")
        wanted = _chosen(modules, options.module or None)
        known = read_survivors(root / "drill" / "survivors.toml")
        names = [module.name for module in modules]
        found = [
            f"There is no module {one.module} in deep.toml: remove its entry"
            for one in known
            if one.module not in names
        ]
        table = root / "drill" / "mutants.md"
        for module in wanted:
            started = time.monotonic()
            tried = try_module(root, module, _dot)
            row = row_of(tried, [one.change for one in known if one.module == module.name])
            rows = read_rows(table.read_text("utf-8")) if table.exists() else {}
            table.write_text(written(names, rows | {module.name: row}), "utf-8")
            seconds = time.monotonic() - started
            print(f"{module.name}: {said(row)} in {seconds:.0f} s", flush=True)
            found += problems(tried, known)
    except DrillError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    for problem in found:
        print(f"\n{problem}")
    return 1 if found else 0


def read_modules(file: Path = ROOT / "drill" / "deep.toml") -> list[Module]:
    """The modules to try, in order. Raises `DrillError` for one that has no tests."""
    read = []
    for row in tomllib.loads(file.read_text("utf-8"))["module"]:
        if row.keys() != {"name", "tests"} or not row["tests"]:
            raise DrillError(f"{file.name}: a module has a name, and tests. Found: {row}")
        path = f"{row['name'].replace('.', '/')}.py"
        read.append(Module(row["name"], path, tuple(row["tests"])))
    return read


def _chosen(modules: Sequence[Module], name: str | None) -> Sequence[Module]:
    chosen = [one for one in modules if name in (None, one.name, one.name.rpartition(".")[2])]
    if not chosen:
        known = ", ".join(module.name for module in modules)
        raise DrillError(f"There is no module {name}. Modules: {known}.")
    return chosen


def _dot(survivor: Change) -> None:
    print(f"  survived: {survivor.function}: {survivor.before} -> {survivor.after}", flush=True)


# --- The table -----------------------------------------------------------------------------------

_ROW = re.compile(r"^\| (\S+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)


def row_of(tried: Tried, listed: Sequence[Change]) -> Row:
    """The row of a module that was tried."""
    survivors = tried.survivors
    known = sum(change in listed for change in survivors)
    return Row(len(tried.changes), len(tried.changes) - len(survivors), known)


def read_rows(text: str) -> dict[str, Row]:
    """The rows of a table, by module."""
    return {
        name: Row(int(tried), int(killed), int(listed))
        for name, tried, killed, listed in _ROW.findall(text)
    }


def said(row: Row) -> str:
    """A row in words."""
    words = f"{row.mutants:,} mutants, {row.killed:,} killed, {row.listed:,} listed"
    unknown = row.mutants - row.killed - row.listed
    return f"{words}, {unknown:,} NOT LISTED" if unknown else words


def total(rows: Mapping[str, Row]) -> Row:
    """The sums of all rows."""
    return Row(
        sum(row.mutants for row in rows.values()),
        sum(row.killed for row in rows.values()),
        sum(row.listed for row in rows.values()),
    )


def written(names: Sequence[str], rows: Mapping[str, Row]) -> str:
    """The table as Markdown: each module, also one that was never tried."""
    rows = {name: rows[name] for name in names if name in rows}
    lines = [
        "# Mutants of the modules that hold the contract",
        "",
        "`make drill-deep` writes this table. `survivors.toml` lists the survivors, with reasons.",
        "",
        "| Module | Mutants | Killed by a test | Survivors listed |",
        "| --- | --: | --: | --: |",
    ]
    for name in names:
        row = rows.get(name)
        cells = (row.mutants, row.killed, row.listed) if row else ("not yet run", "", "")
        lines.append(f"| {name} | {' | '.join(map(str, cells))} |")
    return "\n".join([*lines, "", f"{totals(names, rows)}.", ""])


def totals(names: Sequence[str], rows: Mapping[str, Row]) -> str:
    """The last line of the table, which the README repeats."""
    missing = [name for name in names if name not in rows]
    words = said(total(rows))
    return f"{words}; {len(missing)} of {len(names)} modules not yet run" if missing else words


if __name__ == "__main__":
    sys.exit(main())
