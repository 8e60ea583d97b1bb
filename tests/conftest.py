"""What holds for every test: how Hypothesis draws, and in which order and by whom tests are run."""

from __future__ import annotations

import os
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from proofs import Proofs, wanted

# The tests of most files share what is costly to make, or are short, so one worker runs all of a
# file. The tests of this folder are long, and go each to whichever worker is free, but for those
# files of it that share much. (pytest-xdist 3.8 has marks for it, which do nothing under
# pytest 9.2.)
ONE_BY_ONE = ("tests/edge/",)
YET_TOGETHER = ("tests/edge/test_package.py",)

# These share the staged pages, so one worker runs them all.
_OF_STAGED_PAGES = re.compile(r"tests/text/test_(?:drill_kinds|pages|statements)\.py")

# These are about what was seen at one look at every page: what is known of one is not judged again
# of another, so one worker looks at all.
_OF_A_LOOK = re.compile(r"tests/browser/.*\[(?:at the root|below a path), [\w-]+\]$")

# All tests of this folder are one worker's, which so reads each built page once; but for those
# files that build sites of their own.
ONE_WORKER = "tests/site/"
BUILDS_ITS_OWN = ("tests/site/test_built_translations.py", "tests/site/test_failed_build.py")

# These begin first, the longest before the others, so that no worker is left alone with one.
LONG = (
    "tests/edge/test_serve_trees.py",
    "tests/edge/test_pyodide.py",
    "tests/site/",
    "tests/browser/test_every_page.py",
    "tests/browser/test_typed_searches.py",
)

# What `--fast` leaves out: these folders, and the files that start programs, by themselves or (the
# first two) by what they test.
_SLOW = (
    "tests/build/test_pin.py",
    "tests/build/test_search_index.py",
    *("tests/browser", "tests/edge", "tests/site"),
)
_STARTS_PROGRAMS = re.compile(r"^import subprocess", re.MULTILINE)

# A shared machine is slow at times, so no example has a deadline. (Under CI=true Hypothesis takes
# its own profile "ci", which draws the same examples each time and keeps no database.)
settings.register_profile("patient", deadline=None)

# How many examples Hypothesis draws under `--fast` and in Pyodide, where it draws 100 otherwise.
_FEW_EXAMPLES = 20

# Where its short-lived files are written, if there is such a folder: it is in memory.
_FAST_FILES = "/dev/shm"

if sys.platform == "emscripten":
    settings.register_profile("few", settings.get_profile("ci"), max_examples=_FEW_EXAMPLES)
    settings.load_profile("few")
elif settings.get_current_profile_name() == "default":
    settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--seed` repeats the order of an earlier run; `--fast` leaves out what takes long.

    `--forks` is for many short tests what `-n` of xdist is for long ones.
    """
    parser.addoption("--seed", type=int, help="the order of the tests, as an earlier run named it")
    parser.addoption(
        "--fast", action="store_true", help="only what needs no browser, site, server or process"
    )
    parser.addoption("--forks", type=int, default=0, help="how many processes run the tests")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Under `--fast`, do not even read what it leaves out."""
    if not config.option.fast:
        return None
    place = collection_path.relative_to(config.rootpath).as_posix()
    if place in _SLOW:
        return True
    starts = collection_path.match("test_*.py") and _STARTS_PROGRAMS.search(
        collection_path.read_text("utf-8")
    )
    return True if starts else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the files, and the tests of each: what is set up for a file is set up once."""
    order = random.Random(config.option.seed)
    order.shuffle(items)
    files = {path: order.random() for path in sorted({item.path for item in items})}
    items.sort(key=lambda item: (_rank(item.nodeid), files[item.path]))


def _scope(nodeid: str) -> str:
    """What is equal for tests that one worker runs, one after the other."""
    if nodeid.startswith(ONE_WORKER) and not nodeid.startswith(BUILDS_ITS_OWN):
        return ONE_WORKER
    if _OF_STAGED_PAGES.match(nodeid):
        return "the staged pages"
    if _OF_A_LOOK.match(nodeid):
        return "the look at every page"
    alone = nodeid.startswith(ONE_BY_ONE) and not nodeid.startswith(YET_TOGETHER)
    return nodeid if alone else nodeid.partition("::")[0]


def _rank(nodeid: str) -> int:
    return next((rank for rank, long in enumerate(LONG) if nodeid.startswith(long)), len(LONG))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how to run the tests in the same order again."""
    terminalreporter.write_line(f"The order of the tests was that of --seed={config.option.seed}")


def pytest_configure(config: pytest.Config) -> None:
    """Choose an order, which the workers are told.

    Where all tests are run, those that prove a statement of the guide must be among them.
    """
    if config.option.seed is None:
        drawn = random.SystemRandom().randrange(10**6)
        config.option.seed = getattr(config, "workerinput", {}).get("seed", drawn)
    if config.option.fast:
        _compile_catalogs()
        settings.register_profile("fast", settings(), max_examples=_FEW_EXAMPLES)
        settings.load_profile("fast")
        if os.access(_FAST_FILES, os.W_OK):
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", _FAST_FILES)
    if config.option.forks:
        from forked import Forked

        config.pluginmanager.register(Forked(config.option.forks, _scope))
    if wanted(config):
        from drill.statements import read_statements, tests_to_run

        config.pluginmanager.register(Proofs(tests_to_run(read_statements())))


def _compile_catalogs() -> None:
    """Do what `make catalogs` does, where a Python of its own for it would take too long."""
    from docs_build.catalogs import compile_catalogs
    from docs_build.faults import Refusal
    from docs_build.project import this_project
    from skynet_stub.messages import LANGUAGES

    try:
        compile_catalogs(this_project().catalogs, LANGUAGES)
    except Refusal as refusal:
        raise pytest.UsageError(str(refusal)) from None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give a worker the seed, so that all agree on the order."""
    node.workerinput["seed"] = node.config.option.seed


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Hand out the tests, file by file but for ONE_BY_ONE."""
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return _scope(nodeid)

    config.option.loadscopereorder = False  # the order is ours
    return Scheduling(config, log)
