"""Fixtures: the site, built from a copy of the sources at the root of a host and below a path."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pytest

from built import AT_ROOT, BELOW_A_PATH, REPOSITORY, BuiltSite
from docs_build.faults import Refusal
from docs_build.project import Project, this_project
from docs_build.site import build_site
from docs_build.watch import FILES, FOLDERS


def copy_of_sources(folder: Path) -> Project:
    """A project that can be built and broken without touching the checkout."""
    real = this_project()
    for name in FOLDERS:
        source, ignored = real.root / name, shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, folder / name, ignore=ignored)
    for name in FILES:
        shutil.copy(real.root / name, folder)
    return Project(folder)


BUILT_SITE = "BUILT_SITE"
"""Names in the environment a site that was built for AT_ROOT, and is tested as it is."""

_NOT_BUILT = "-"
_WHY_SKIPPED = "the site cannot be built: the first test that needs it says why"
_failed = pytest.StashKey[bool]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let one test say why the site cannot be built, and the others say so in a word."""
    if item.config.stash.get(_failed, False) and "build" in getattr(item, "fixturenames", ()):
        pytest.skip(_WHY_SKIPPED)


@pytest.fixture(scope="session")
def build(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Callable[[str], BuiltSite]:
    """Builds the site for an address, once in a run: all its workers share what one has built."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    @cache
    def build_once(root_url: str) -> BuiltSite:
        if root_url == AT_ROOT and BUILT_SITE in os.environ:
            return BuiltSite(Path(os.environ[BUILT_SITE]), root_url)
        # The file says where the site is; whoever finds it empty builds, and the others wait.
        with (shared / f"site of {quote(root_url, safe='')}").open("a+", encoding="utf-8") as note:
            fcntl.flock(note, fcntl.LOCK_EX)
            note.seek(0)
            folder = note.read()
            if not folder:
                folder = _NOT_BUILT
                try:
                    folder = str(_built(tmp_path_factory.mktemp("project"), root_url))
                except Refusal as refusal:
                    raise pytest.fail.Exception(str(refusal), pytrace=False) from None
                finally:
                    pytestconfig.stash[_failed] = folder == _NOT_BUILT
                    note.write(folder)
                    note.flush()
        if folder == _NOT_BUILT:
            pytestconfig.stash[_failed] = True
            pytest.skip(_WHY_SKIPPED)
        return BuiltSite(Path(folder), root_url)

    return build_once


def _built(folder: Path, root_url: str) -> Path:
    project = copy_of_sources(folder)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("REPO_URL", REPOSITORY if root_url == BELOW_A_PATH else "")
        build_site(project, root_url)
    return project.site


@pytest.fixture(scope="session")
def site(build: Callable[[str], BuiltSite]) -> BuiltSite:
    """The site at the root of a host."""
    return build(AT_ROOT)


@pytest.fixture(scope="session", params=[AT_ROOT, BELOW_A_PATH])
def any_site(request: pytest.FixtureRequest, build: Callable[[str], BuiltSite]) -> BuiltSite:
    """The site at either address."""
    return build(request.param)
