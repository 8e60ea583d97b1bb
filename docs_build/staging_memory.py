"""Remember resolved pages between builds, so that only those are made anew whose sources changed.

A page is made from its own text, the English one, the snippets that it shows, and what all pages
are made with: the context, which is the configuration, the stub with its messages, and the packages
that make pages.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs_build.blocks import Resolved
from docs_build.files import digest, digest_of_tree, write_if_changed
from docs_build.project import Project


class StagingMemory:
    """The pages that were resolved without a fault in the same context, kept in a file."""

    def __init__(self, project: Project) -> None:
        self._file = project.build / "staging.json"
        self._snippets = project.snippets
        self._context = _context(project)
        self._digests: dict[str, str] = {}
        self._known = self._read()
        self._kept: dict[str, Any] = {}

    def recall(self, staged: Path, *made_from: bytes) -> Resolved | None:
        """A staged page as it was resolved, if what it is made from is still the same."""
        entry = self._known.get(str(staged))
        if entry is None or entry["made_from"] != digest(*made_from):
            return None
        if any(self._digest(path) != known for path, known in entry["snippets"].items()):
            return None
        self._kept[str(staged)] = entry
        return Resolved(entry["text"], tuple(entry["lines"]), frozenset(entry["snippets"]))

    def keep(self, staged: Path, *made_from: bytes, resolved: Resolved) -> None:
        """Remember a page."""
        self._kept[str(staged)] = {
            "made_from": digest(*made_from),
            "text": resolved.text,
            "lines": resolved.lines,
            "snippets": {path: self._digest(path) for path in sorted(resolved.snippets)},
        }

    def save(self) -> None:
        """Write down the pages that were recalled or kept; the others are forgotten."""
        known = {"context": self._context, "pages": self._kept}
        write_if_changed(self._file, json.dumps(known, ensure_ascii=False).encode())

    def _read(self) -> dict[str, Any]:
        try:
            known = json.loads(self._file.read_bytes())
        except FileNotFoundError:
            return {}
        pages: dict[str, Any] = known["pages"] if known["context"] == self._context else {}
        return pages

    def _digest(self, snippet: str) -> str:
        if snippet not in self._digests:
            path = self._snippets / snippet
            self._digests[snippet] = digest(path.read_bytes()) if path.is_file() else "none"
        return self._digests[snippet]


def _context(project: Project) -> str:
    stub = digest_of_tree(project.catalogs.parent, lambda path: path.suffix in {".py", ".po"})
    packages = Path(__file__).parent, Path(__file__).parents[1] / "translation"
    code = [digest_of_tree(folder, lambda path: path.suffix == ".py") for folder in packages]
    return digest(project.configuration.read_bytes(), *map(str.encode, (stub, *code)))
