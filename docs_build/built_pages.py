"""What MkDocs built of a language, which is never served itself, and what that was built from.

The note beside the pages never says more than what holds: what is about to be built is taken out
of it first, and put in again once it was built without a fault.
"""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

from docs_build.files import write_if_changed
from docs_build.project import Project
from docs_build.rebuild import Inputs, PageFacts, Work, unfinished
from docs_build.stage import page_url


def built_folder(project: Project) -> Path:
    """Where MkDocs builds the pages of a site that is served, a folder for each language."""
    return project.build / "pages"


class BuiltPages:
    """What MkDocs built of a language, and a note of what it was built from."""

    def __init__(self, project: Project, language: str) -> None:
        self._folder = built_folder(project) / language
        self._note = built_folder(project) / f"{language}.json"
        self.inputs = _read_inputs(self._note)

    def begin(self, todo: Work) -> None:
        """Take away what must be built, and say so, so that nothing stale is taken for good."""
        unsure = unfinished(self.inputs, todo)
        if unsure is None:
            self._note.unlink(missing_ok=True)
            return
        _write_inputs(self._note, unsure)
        for path in todo.pages:
            page = self._folder / page_url(PurePosixPath(path)) / "index.html"
            page.unlink(missing_ok=True)
        for name in todo.files:
            (self._folder / name).unlink(missing_ok=True)

    def finished(self, inputs: Inputs) -> None:
        """All was built from these."""
        _write_inputs(self._note, inputs)


def _read_inputs(note: Path) -> Inputs | None:
    if not note.is_file():
        return None
    said = json.loads(note.read_bytes())
    pages = {
        path: PageFacts(digest, frozenset(ids), frozenset(links), everywhere)
        for path, (digest, ids, links, everywhere) in said["pages"].items()
    }
    return Inputs(said["shared"], said["completion"], pages, said["files"])


def _write_inputs(note: Path, inputs: Inputs) -> None:
    pages = {
        path: (facts.digest, sorted(facts.ids), sorted(facts.links), facts.everywhere)
        for path, facts in inputs.pages.items()
    }
    said = {
        "shared": inputs.shared,
        "completion": inputs.completion,
        "pages": pages,
        "files": dict(inputs.files),
    }
    write_if_changed(note, json.dumps(said).encode())
