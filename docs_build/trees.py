"""Trees to serve: complete sites, each in a folder of its own, of which none changes any more.

A new tree is composed beside the one that is being served, from what MkDocs built of the languages
that changed, and from the served one for the others.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from docs_build.built_pages import built_folder
from docs_build.files import digest_of_tree, write_if_changed
from docs_build.project import Project
from docs_build.rebuild import Inputs
from docs_build.search import index_language
from docs_build.site import complete
from docs_build.stage import StagedPage
from skynet_stub.messages import LANGUAGES

_INDEX = "pagefind"  # the folder of a language's search index
_ROOT = ""  # stands for what lies outside the languages


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder with a complete site, and beside it a note of what it was made from.

    By language: `inputs` is the stamp of `Inputs`, `contents` the digest of all files but the
    search index, and `indexed` the digest of those that the index was made of.
    """

    folder: Path
    inputs: Mapping[str, str]
    contents: Mapping[str, str]
    indexed: Mapping[str, str]

    @property
    def site(self) -> Path:
        """The root of the site."""
        return self.folder / "site"

    @classmethod
    def read(cls, folder: Path) -> Tree:
        """The tree in a folder."""
        return cls(folder, **json.loads((folder / "made.json").read_bytes()))

    def save(self) -> None:
        """Write the note."""
        note = {"inputs": self.inputs, "contents": self.contents, "indexed": self.indexed}
        write_if_changed(self.folder / "made.json", json.dumps(note).encode())


def composed(
    project: Project,
    root_url: str,
    pages: Sequence[StagedPage],
    inputs: Mapping[str, Inputs],
    served: Tree | None,
    fresh: Path,
) -> Tree:
    """A complete tree of what MkDocs has built: the served one itself, where that is equal.

    A language that changed keeps its earlier search index; `searchable` makes the new one.
    """
    stamps = {language: inputs[language].stamp for language in LANGUAGES}
    touched = [name for name in LANGUAGES if not served or served.inputs[name] != stamps[name]]
    if served and not touched:
        return served
    site = fresh / "site"
    for language in LANGUAGES:
        if language in touched:
            _copy(built_folder(project) / language, site / language)
        elif served:
            _link(served.site / language, site / language)
    complete(project, site, root_url, pages, touched)
    contents = dict(served.contents) if served else {}
    contents |= {language: _contents(site, language) for language in (*touched, _ROOT)}
    indexed = served.indexed if served else {}
    if served and contents == served.contents:
        shutil.rmtree(fresh)
        tree = Tree(served.folder, stamps, contents, indexed)
    else:
        for language in touched:
            if served and (served.site / language / _INDEX).is_dir():
                _link(served.site / language / _INDEX, site / language / _INDEX)
        tree = Tree(fresh, stamps, contents, indexed)
    tree.save()
    return tree


def searchable(tree: Tree, fresh: Path) -> Tree:
    """A tree with a right search index of each language: the given one itself, where it is such."""
    stale = [name for name in LANGUAGES if tree.indexed.get(name) != tree.contents[name]]
    if not stale:
        return tree
    site = fresh / "site"
    _link(tree.site, site, *stale)
    for language in stale:
        _copy(tree.site / language, site / language, _INDEX)
        index_language(site, language)
    indexed = {language: tree.contents[language] for language in LANGUAGES}
    made = replace(tree, folder=fresh, indexed=indexed)
    made.save()
    return made


def _contents(site: Path, language: str) -> str:
    if language == _ROOT:
        return digest_of_tree(site, lambda path: path.parts[0] not in LANGUAGES)
    return digest_of_tree(site / language, lambda path: path.parts[0] != _INDEX)


def _copy(folder: Path, place: Path, *without: str) -> None:
    """Copy a folder whose copy is changed afterwards."""
    ignored = _at_the_top(folder, without)
    shutil.copytree(folder, place, copy_function=shutil.copyfile, ignore=ignored)


def _link(folder: Path, place: Path, *without: str) -> None:
    """Copy a folder whose files stay as they are: they are the same files."""
    shutil.copytree(folder, place, copy_function=os.link, ignore=_at_the_top(folder, without))


def _at_the_top(
    folder: Path, names: Collection[str]
) -> Callable[[str, list[str]], Collection[str]]:
    return lambda within, entries: names if within == str(folder) else ()
