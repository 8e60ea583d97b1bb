"""Notice changes of the sources: a bell that rings, and snapshots that say what is different.

The system's events only ring the bell. What changed is found by comparing contents, so an editor's
temporary files, a `touch` and a save without a change are no changes, and nothing is missed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePath
from queue import SimpleQueue

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from docs_build.faults import refuse, shown
from docs_build.files import digest
from docs_build.project import Project

FOLDERS = ("docs", "snippets", "skynet_stub", "theme", "docs_build", "translation")
"""The folders that a site is made from. mkdocs.yml is the one file beside them."""

_CHANGES = frozenset({"created", "modified", "moved", "deleted", "closed"})
_MADE = frozenset({".mo", ".pyc"})  # by the build itself
_TEMPORARY = ("~", ".swp", ".swx", ".tmp", "___jb_tmp___", "___jb_old___")


def is_source(path: PurePath) -> bool:
    """Whether a file's name is that of a source, and not one that a build or an editor makes."""
    hidden = any(part.startswith((".", "#")) or part == "__pycache__" for part in path.parts)
    return not hidden and path.suffix not in _MADE and not path.name.endswith(_TEMPORARY)


def snapshot(project: Project) -> dict[str, str]:
    """The digest of every source, by its path within the project."""
    found = {}
    for path in _sources(project):
        name = path.relative_to(project.root)
        if is_source(name):
            try:
                found[name.as_posix()] = digest(path.read_bytes())
            except OSError:  # gone, replaced by a folder, or not readable (yet)
                continue
    return found


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """The sources that differ between two snapshots, sorted: new, changed and removed ones."""
    return tuple(
        sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    )


class Bell(FileSystemEventHandler):
    """Rings at each event that may be a change, and remembers which watched folders it concerns:
    one that came, went or moved is not the one that is watched any more."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self.moved: SimpleQueue[Path] = SimpleQueue()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take an event, in the thread that observes."""
        if event.event_type not in _CHANGES:  # that a file was read is none
            return
        if event.is_directory and event.event_type != "modified":
            for path in (event.src_path, event.dest_path):
                self.moved.put(Path(os.fsdecode(path)))
        self._ring()


class Watch:
    """Rings whenever anything happens to the sources of a project."""

    def __init__(self, project: Project, ring: Callable[[], None], observer: BaseObserver) -> None:
        self._root = project.root
        self._bell = Bell(ring)
        self._observer = observer
        self._watched: dict[Path, ObservedWatch] = {}

    def follow(self) -> None:
        """Watch the folders that are there now: one may have been replaced, by a checkout.

        Raises `Refusal` where the system allows no more watches.
        """
        while not self._bell.moved.empty():
            earlier = self._watched.pop(self._bell.moved.get(), None)
            if earlier:
                self._observer.unschedule(earlier)
        for folder in (self._root, *(self._root / name for name in FOLDERS)):
            if folder not in self._watched and folder.is_dir():
                self._watch(folder)

    def _watch(self, folder: Path) -> None:
        try:
            self._watched[folder] = self._observer.schedule(
                self._bell, str(folder), recursive=folder != self._root
            )
        except FileNotFoundError:
            return  # gone again; its coming back will ring
        except OSError as error:
            problem = f"its changes cannot be watched: {error.strerror}."
            remedy = "Raise the system's limit (Linux: fs.inotify.max_user_watches)."
            raise refuse(shown(folder), None, problem, remedy) from None


@contextmanager
def watching(project: Project, ring: Callable[[], None]) -> Iterator[Watch]:
    """Watch a project; `ring` is called from another thread."""
    observer = Observer()
    observer.start()
    try:
        watch = Watch(project, ring, observer)
        watch.follow()
        yield watch
    finally:
        observer.stop()
        observer.join()


def _sources(project: Project) -> Iterator[Path]:
    yield project.configuration
    for name in FOLDERS:
        for folder, folders, files in os.walk(project.root / name):
            folders[:] = [each for each in folders if each != "__pycache__"]
            yield from (Path(folder, file) for file in files)
