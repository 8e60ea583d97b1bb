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

from docs_build.built_pages import built_folder, page_file
from docs_build.files import digest_of_tree, write_if_changed
from docs_build.project import Project
from docs_build.rebuild import Inputs, Work, completion
from docs_build.search import FOLDER, index_language
from docs_build.site import complete
from docs_build.stage import StagedPage
from skynet_stub.messages import LANGUAGES

_ROOT = ""  # stands for what lies outside the languages


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder with a complete site, and beside it a note of what it was made from.

    By language: `contents` is the digest of all files but the search index, and `indexed` the
    digest of those that the index was made of.
    """

    folder: Path
    inputs: Mapping[str, Inputs]
    contents: Mapping[str, str]
    indexed: Mapping[str, str]

    @property
    def site(self) -> Path:
        """The root of the site."""
        return self.folder / "site"

    @classmethod
    def read(cls, folder: Path) -> Tree:
        """The tree in a folder."""
        note = json.loads((folder / "made.json").read_bytes())
        inputs = {language: Inputs.heard(said) for language, said in note["inputs"].items()}
        return cls(folder, inputs, note["contents"], note["indexed"])

    def save(self) -> None:
        """Write the note."""
        inputs = {language: inputs.said for language, inputs in self.inputs.items()}
        note = {"inputs": inputs, "contents": self.contents, "indexed": self.indexed}
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
    before: Mapping[str, Inputs] = served.inputs if served else {}
    todo = {name: completion(before.get(name), inputs[name]) for name in LANGUAGES}
    touched = [language for language, one in todo.items() if one]
    if served and not touched:
        return served
    site = fresh / "site"
    for language in LANGUAGES:
        built = built_folder(project) / language
        earlier = served.site / language if served else None
        if earlier and not todo[language].whole:
            _link(earlier, site / language)
            _replace(built, site / language, todo[language])
        else:
            _copy(built, site / language)
            if earlier and (earlier / FOLDER).is_dir():
                _link(earlier / FOLDER, site / language / FOLDER)
    complete(project, site, root_url, pages, [page for page in pages if _is_in(page, todo)])
    contents = dict(served.contents) if served else {}
    contents |= {language: _contents(site, language) for language in (*touched, _ROOT)}
    indexed = served.indexed if served else {}
    if served and contents == served.contents:
        shutil.rmtree(fresh)
        fresh = served.folder
    tree = Tree(fresh, inputs, contents, indexed)
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
        _copy(tree.site / language, site / language, FOLDER)
        index_language(site, language)
    indexed = {language: tree.contents[language] for language in LANGUAGES}
    made = replace(tree, folder=fresh, indexed=indexed)
    made.save()
    return made


def _is_in(page: StagedPage, todo: Mapping[str, Work]) -> bool:
    own = todo[page.language]
    return own.whole or str(page.path) in own.pages


def _contents(site: Path, language: str) -> str:
    if language == _ROOT:
        return digest_of_tree(site, lambda path: path.parts[0] not in LANGUAGES)
    return digest_of_tree(site / language, lambda path: path.parts[0] != FOLDER)


def _copy(folder: Path, place: Path, *without: str) -> None:
    """Copy a folder whose copy is changed afterwards."""
    ignored = _at_the_top(folder, without)
    shutil.copytree(folder, place, copy_function=shutil.copyfile, ignore=ignored)


def _link(folder: Path, place: Path, *without: str) -> None:
    """Copy a folder whose files stay as they are: they are the same files."""
    shutil.copytree(folder, place, copy_function=os.link, ignore=_at_the_top(folder, without))


def _replace(built: Path, place: Path, todo: Work) -> None:
    """Copy these pages and files, in the place of the earlier ones, which others still have."""
    for name in (*map(page_file, todo.pages), *todo.files):
        (place / name).unlink()
        shutil.copyfile(built / name, place / name)


def _at_the_top(
    folder: Path, names: Collection[str]
) -> Callable[[str, list[str]], Collection[str]]:
    return lambda within, entries: names if within == str(folder) else ()
