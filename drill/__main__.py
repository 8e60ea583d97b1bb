"""Run the drill: `python -m drill [--kind ID] [--family NAME] [--jobs N]`.

Ends with 0 where every kind was caught, 1 where one was missed, and 2 where the drill itself is
wrong: an edit that no longer applies, or tests that fail without a change.
"""

from __future__ import annotations

import argparse
import queue
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

from drill.kinds import DrillError, Kind, changes, chosen, read_kinds
from drill.scratch import copy_tree, docs_build
from drill.table import FILE, read_rows, rows_of, short, table, total
from drill.trial import Tests, Trial

ROOT = Path(__file__).resolve().parents[1]
_SITE_URL = "http://127.0.0.1:8000/"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the drill; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m drill")
    parser.add_argument("--kind", help="try this one kind")
    parser.add_argument("--family", help="try the kinds of this family")
    parser.add_argument("--jobs", type=int, default=2, help="how many to try at once")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    # Where the drill itself was started to ignore Ctrl-C, in the background, the tests must not.
    signal.signal(signal.SIGINT, _interrupt)
    try:
        kinds = chosen(read_kinds(), options.kind or None, options.family or None)
        trials = drill(ROOT, kinds, options.jobs)
    except DrillError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    caught = sum(trial.caught_by is not None for trial in trials)
    known = read_rows(FILE.read_text("utf-8")) if FILE.exists() else {}
    tried = dict.fromkeys(kind.id for kind in kinds)
    rows = {id_: row for id_, row in known.items() if id_ not in tried} | rows_of(trials)
    FILE.write_text(table(read_kinds(), rows), "utf-8")
    print(total(caught, len(trials)))
    return 0 if caught == len(trials) else 1


def drill(root: Path, kinds: Sequence[Kind], jobs: int) -> list[Trial]:
    """Try kinds in copies of a work tree, and tell of each as it ends. Raises `DrillError`."""
    with tempfile.TemporaryDirectory(prefix="drill-") as folder, _tests() as tests:
        copies = _copies(root, Path(folder), kinds, jobs)
        tests.demand_green(kinds, copies[0])
        free: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for copy in copies:
            free.put(copy)

        def attempt(kind: Kind) -> Trial:
            copy = free.get()
            try:
                return tests.try_kind(kind, copy)
            finally:
                free.put(copy)

        with ThreadPoolExecutor(len(copies)) as pool:
            futures = [pool.submit(attempt, kind) for kind in kinds]
            try:
                for future in as_completed(futures):
                    _tell(future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                tests.end()
                raise
        return [future.result() for future in futures]


def _copies(root: Path, folder: Path, kinds: Sequence[Kind], jobs: int) -> list[Path]:
    """As many copies as jobs, each ready to be tested, once it is known that all edits apply."""
    first = folder / "0"
    first.mkdir()
    copy_tree(root, first)
    docs_build(first, "catalogs")
    if any(kind.needs_site for kind in kinds):
        docs_build(first, "site", SITE_URL=_SITE_URL)
    for kind in kinds:
        changes(kind, first)
    others = [folder / str(number) for number in range(1, min(jobs, len(kinds)))]
    for other in others:
        shutil.copytree(first, other, symlinks=True)
    return [first, *others]


@contextmanager
def _tests() -> Iterator[Tests]:
    """The tests, none of which goes on after a failure or Ctrl-C."""
    tests = Tests()
    try:
        yield tests
    finally:
        tests.end()


def _tell(trial: Trial) -> None:
    """Say what came of a kind, on a line."""
    what = f"caught by {short(trial.caught_by)}" if trial.caught_by else "MISSED"
    print(f"{trial.kind.id}: {what} in {trial.seconds:.1f} s", flush=True)
    if trial.problem:
        print(trial.problem, flush=True)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
