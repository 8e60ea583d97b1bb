"""What MkDocs built of a language, which is never served itself, and what that was built from.

The note beside the pages never says more than what holds: what is about to be built is taken out
of it first, and put in again once it was built without a fault.
"""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

from docs_build.files import write_if_changed
from docs_build.page_maker import page_url
from docs_build.project import Project
from docs_build.rebuild import Inputs, Work, unfinished


def built_folder(project: Project) -> Path:
    """Where MkDocs builds the pages of a site that is served, a folder for each language."""
    return project.build / "pages"


def page_file(path: str) -> str:
    """The file, within its language's folder, that MkDocs makes of the page at a path."""
    return f"{page_url(PurePosixPath(path))}index.html"


class BuiltPages:
    """What MkDocs built of a language, and a note of what it was built from."""

    def __init__(self, project: Project, language: str) -> None:
        self._folder = built_folder(project) / language
        self._note = built_folder(project) / f"{language}.json"
        said = self._note.read_bytes() if self._note.is_file() else None
        self.inputs = Inputs.heard(json.loads(said)) if said else None

    def begin(self, todo: Work) -> None:
        """Take away what must be built, and say so, so that nothing stale is taken for good."""
        unsure = unfinished(self.inputs, todo)
        if unsure is None:
            self._note.unlink(missing_ok=True)
            return
        self._say(unsure)
        for path in todo.pages:
            (self._folder / page_file(path)).unlink(missing_ok=True)
        for name in todo.files:
            (self._folder / name).unlink(missing_ok=True)

    def finished(self, inputs: Inputs) -> None:
        """All was built from these."""
        self._say(inputs)

    def _say(self, inputs: Inputs) -> None:
        write_if_changed(self._note, json.dumps(inputs.said).encode())
