"""The kinds of drift that are tried: each a change that would make a sentence of the guide untrue.

`kinds.toml` holds them as data. An edit must find its text exactly once, or it is an error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("kinds.toml")

BUILT = "site/"
"""What the files of the built site begin with: a kind that edits these is tried on a built site."""

_KIND_KEYS = {"id", "family", "falsifies", "tests", "edits", "loading_fails"}
_EDIT_KEYS = (
    {"file", "find", "replace"},
    {"file", "append"},
    {"file", "write"},
    {"file", "remove"},
)


class DrillError(Exception):
    """The drill itself is wrong, or cannot be run; `str()` says what to do."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one file, or of each file that a pattern names (`docs/*/index.md`).

    `find` becomes `replace`; without `find`, the text is appended; `write` makes a new file, and
    `replace=None` removes the file.
    """

    file: str
    find: str | None
    replace: str | None
    write: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: what it changes, the sentence that this falsifies, and who must notice.

    `loading_fails` says that its tests cannot even be collected any more.
    """

    id: str
    family: str
    falsifies: str
    tests: tuple[str, ...]
    edits: tuple[Edit, ...]
    loading_fails: bool = False

    @property
    def needs_site(self) -> bool:
        """Whether it changes the built site."""
        return any(edit.file.startswith(BUILT) for edit in self.edits)


def read_kinds(file: Path = FILE) -> tuple[Kind, ...]:
    """All kinds, in order. Raises `DrillError` for one that is malformed, or an id used twice."""
    rows = tomllib.loads(file.read_text("utf-8"))["kind"]
    kinds = tuple(_kind(row) for row in rows)
    ids = [kind.id for kind in kinds]
    for id_ in ids:
        if ids.count(id_) > 1:
            raise DrillError(f"{file.name}: the id {id_} stands twice. Give each kind its own.")
    return kinds


def chosen(kinds: Sequence[Kind], id_: str | None, family: str | None) -> tuple[Kind, ...]:
    """The kinds with this id, of this family. Raises `DrillError` where there is none."""
    found = tuple(
        kind for kind in kinds if id_ in (None, kind.id) and family in (None, kind.family)
    )
    if not found:
        families = ", ".join(dict.fromkeys(kind.family for kind in kinds))
        raise DrillError(f"No kind is so. See drill/kinds.toml. Families: {families}.")
    return found


def changes(kind: Kind, root: Path) -> dict[Path, str | None]:
    """What each file holds after the edits of a kind; `None` where it is gone. Writes nothing.

    Raises `DrillError` for an edit that does not apply.
    """
    after: dict[Path, str | None] = {}
    for edit in kind.edits:
        for path in _files(kind, edit, root):
            text = after[path] if path in after else _text(path)
            after[path] = _edited(kind, edit, text)
    for path, text in after.items():
        if text == _text(path):
            raise DrillError(f"{kind.id}: {path.relative_to(root)} stays as it was.")
    return after


def _kind(row: dict[str, Any]) -> Kind:
    name = row.get("id", "a kind without an id")
    if unknown := row.keys() - _KIND_KEYS:
        raise DrillError(f"{name}: unknown key {', '.join(sorted(unknown))}.")
    try:
        edits = tuple(_edit(name, edit) for edit in row["edits"])
        kind = Kind(
            row["id"],
            row["family"],
            row["falsifies"],
            tuple(row["tests"]),
            edits,
            row.get("loading_fails", False),
        )
    except KeyError as missing:
        raise DrillError(f"{name}: the key {missing} is missing.") from None
    if not kind.tests or not kind.edits:
        raise DrillError(f"{name}: it needs edits, and tests that notice.")
    return kind


def _edit(name: str, row: dict[str, Any]) -> Edit:
    if row.keys() not in _EDIT_KEYS:
        raise DrillError(f"{name}: an edit has file and find, replace; append; write; or remove.")
    if "find" in row:
        return Edit(row["file"], row["find"], row["replace"])
    if "append" in row:
        return Edit(row["file"], None, row["append"])
    return Edit(row["file"], None, row.get("write"), write=True)


def _files(kind: Kind, edit: Edit, root: Path) -> Iterator[Path]:
    if "*" not in edit.file:
        yield root / edit.file
        return
    found = sorted(root.glob(edit.file))
    if not found:
        raise DrillError(f"{kind.id}: there is no file {edit.file}.")
    yield from found


def _edited(kind: Kind, edit: Edit, text: str | None) -> str | None:
    if edit.write:
        return edit.replace
    if text is None:
        raise DrillError(f"{kind.id}: there is no file {edit.file}.")
    if edit.find is None:
        return text + (edit.replace or "")
    count = text.count(edit.find)
    if count != 1:
        raise DrillError(
            f"{kind.id}: {edit.file} holds {edit.find!r} {count} times, not once."
            " Bring drill/kinds.toml up to date."
        )
    return text.replace(edit.find, edit.replace or "")


def _text(path: Path) -> str | None:
    return path.read_bytes().decode() if path.is_file() else None
