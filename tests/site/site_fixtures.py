"""Fixtures: the site, built from a copy of the sources at the root of a host and below a path."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from built import AT_ROOT, BELOW_A_PATH, REPOSITORY, BuiltSite
from docs_build.project import Project, this_project
from docs_build.site import build_site


def copy_of_sources(folder: Path) -> Project:
    """A project that can be built and broken without touching the checkout."""
    real = this_project()
    for source in (real.docs, real.snippets, real.catalogs, real.root / "theme"):
        place = folder / source.relative_to(real.root)
        shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(real.configuration, folder)
    return Project(folder)


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], BuiltSite]:
    """Builds the site for an address, once in a run."""
    built: dict[str, BuiltSite] = {}

    def build_once(root_url: str) -> BuiltSite:
        if root_url not in built:
            project = copy_of_sources(tmp_path_factory.mktemp("project"))
            with pytest.MonkeyPatch.context() as environment:
                environment.setenv("REPO_URL", REPOSITORY if root_url == BELOW_A_PATH else "")
                build_site(project, root_url)
            built[root_url] = BuiltSite(project.site, root_url)
        return built[root_url]

    return build_once


@pytest.fixture(scope="session")
def site(build: Callable[[str], BuiltSite]) -> BuiltSite:
    """The site at the root of a host."""
    return build(AT_ROOT)


@pytest.fixture(scope="session", params=[AT_ROOT, BELOW_A_PATH])
def any_site(request: pytest.FixtureRequest, build: Callable[[str], BuiltSite]) -> BuiltSite:
    """The site at either address."""
    return build(request.param)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A copy of the sources to break."""
    return copy_of_sources(tmp_path)
