"""A change is a difference of contents, and whatever may bring one rings the bell."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from watchdog.events import (
    FileClosedEvent,
    FileClosedNoWriteEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileOpenedEvent,
    FileSystemEvent,
)

from docs_build.project import Project
from docs_build.watch import Bell, changed, is_source, snapshot, watching
from small_sources import write

PATIENCE = 20.0


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folders = ("docs/en", "snippets", "skynet_stub", "theme", "docs_build", "site", "build")
    files = {f"{folder}/file.txt": "one" for folder in folders}
    return Project(write(tmp_path, files | {"mkdocs.yml": "one", "README.md": "one"}))


@pytest.mark.parametrize(
    "name",
    ["docs/en/a.md", "theme/assets/a b.css", "skynet_stub/locale/ru.po", "docs_build/a.py"],
)
def test_a_source(name: str) -> None:
    assert is_source(PurePosixPath(name))


@pytest.mark.parametrize(
    "name",
    [
        "skynet_stub/locale/ru.mo",
        "skynet_stub/locale/.ru.mo.x1y2",
        "docs_build/__pycache__/a.cpython-311.pyc",
        "docs/en/.a.md.swp",
        "docs/en/a.md~",
        "docs/en/#a.md#",
        "docs/en/.#a.md",
        "docs/en/a.md___jb_tmp___",
        "docs/.git/HEAD",
    ],
)
def test_what_builds_and_editors_make_is_no_source(name: str) -> None:
    assert not is_source(PurePosixPath(name))


def test_a_snapshot_holds_the_sources_alone(project: Project) -> None:
    assert sorted(snapshot(project)) == [
        "README.md",
        "docs/en/file.txt",
        "docs_build/file.txt",
        "mkdocs.yml",
        "skynet_stub/file.txt",
        "snippets/file.txt",
        "theme/file.txt",
    ]


def test_what_is_new_other_or_gone_has_changed(project: Project) -> None:
    before = snapshot(project)
    write(project.root, {"docs/en/new.md": "", "mkdocs.yml": "two", "site/file.txt": "two"})
    (project.root / "theme/file.txt").unlink()
    after = snapshot(project)
    assert changed(before, after) == ("docs/en/new.md", "mkdocs.yml", "theme/file.txt")


def test_a_save_without_a_change_and_a_touch_are_none(project: Project) -> None:
    before = snapshot(project)
    write(project.root, {"docs/en/file.txt": "one", "docs/en/.file.txt.swp": "x"})
    (project.root / "mkdocs.yml").touch()
    assert changed(before, snapshot(project)) == ()


def save_in_place(path: Path) -> None:
    path.write_text("two", "utf-8")


def save_atomically(path: Path) -> None:
    temporary = path.with_name(".temporary")
    temporary.write_text("two", "utf-8")
    temporary.replace(path)


@pytest.mark.parametrize("save", [save_in_place, save_atomically, Path.unlink])
@pytest.mark.parametrize("name", ["docs/en/file.txt", "mkdocs.yml", "theme/file.txt"])
def test_a_change_rings(project: Project, name: str, save: Callable[[Path], None]) -> None:
    rang = threading.Event()
    with watching(project, rang.set):
        save(project.root / name)
        assert rang.wait(PATIENCE)


@pytest.mark.parametrize(
    ("event", "rings"),
    [
        (FileModifiedEvent("a"), True),
        (FileClosedEvent("a"), True),
        (FileMovedEvent("a", "b"), True),
        (FileOpenedEvent("a"), False),
        (FileClosedNoWriteEvent("a"), False),
    ],
)
def test_reading_does_not_ring(event: FileSystemEvent, rings: bool) -> None:
    rang = threading.Event()
    Bell(rang.set).on_any_event(event)
    assert rang.is_set() == rings


def test_a_folder_that_was_replaced_is_followed(project: Project) -> None:
    """As `git checkout` may do it: the folder goes, and another one comes."""
    rang = threading.Event()
    with watching(project, rang.set) as watch:
        shutil.rmtree(project.root / "theme")
        write(project.root, {"theme/new.txt": "one"})
        for number in range(9):  # of which the first may have rung for the folder itself
            assert rang.wait(PATIENCE)
            watch.follow()
            rang.clear()
            (project.root / "theme/new.txt").write_text(f"{number}", "utf-8")


def test_nothing_rings_once_the_watch_has_ended(project: Project) -> None:
    before = threading.active_count()
    with watching(project, lambda: None):
        assert threading.active_count() > before
    assert threading.active_count() == before
