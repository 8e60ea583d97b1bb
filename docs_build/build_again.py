"""Build the served site again, in a process of its own: `python -m docs_build.build_again`.

A fresh process uses the stub, the messages and this package as they are now. It writes one line of
JSON for each thing that `make serve` must know, and never touches a tree that is being served: it
composes a new one, beside it, from what MkDocs built and from what did not change.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Collection, Iterator
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

from docs_build.built_pages import BuiltPages, built_folder
from docs_build.faults import Refusal
from docs_build.files import digest, digest_of_tree
from docs_build.project import Project, this_project
from docs_build.rebuild import Inputs, PageFacts, page_facts, work
from docs_build.site import build_languages, distinct, environment
from docs_build.stage import StagedPage, stage
from docs_build.staging_memory import StagingMemory
from docs_build.trees import Tree, composed, searchable
from docs_build.warm import fork_here
from docs_build.watch import is_source
from skynet_stub.messages import LANGUAGES


def build_again(
    project: Project, root_url: str, current: Path | None, fresh: Path
) -> Iterator[dict[str, Any]]:
    """Build what changed since the current tree into fresh ones, named after `fresh`.

    Gives an event once there is a `tree` to serve, with the `languages` that changed and the number
    of `pages` that MkDocs built, and another once there is one that is `searchable`. The tree is
    the current one where nothing changed. Raises `Refusal` where the sources cannot be built.
    """
    staging = stage(project, StagingMemory(project, root_url), root_url)
    mkdocs = {language: BuiltPages(project, language) for language in LANGUAGES}
    inputs = {
        language: _inputs(project, language, root_url, staging.pages, mkdocs[language].inputs)
        for language in LANGUAGES
    }
    todo = {language: work(mkdocs[language].inputs, inputs[language]) for language in LANGUAGES}
    todo = {language: one for language, one in todo.items() if one}
    for language, one in todo.items():
        mkdocs[language].begin(one)
    whole = {language for language, one in todo.items() if one.whole}
    found = build_languages(
        project, built_folder(project), root_url, staging.pages, todo, dirty=todo.keys() - whole
    )
    for language, faults in found.items():
        if not faults:
            mkdocs[language].finished(inputs[language])
    if faults := [fault for of_language in found.values() for fault in of_language]:
        raise Refusal(distinct(faults))
    served = Tree.read(current) if current else None
    tree = composed(project, root_url, staging.pages, inputs, served, fresh)
    languages = [
        language
        for language in LANGUAGES
        if served is None or tree.contents[language] != served.contents[language]
    ]
    pages = sum(
        len(inputs[language].pages) if one.whole else len(one.pages)
        for language, one in todo.items()
    )
    event = {"tree": tree.folder.name, "languages": languages, "pages": pages}
    yield event | {"searchable": False}
    tree = searchable(tree, fresh.with_name(f"{fresh.name}-searchable"))
    yield event | {"tree": tree.folder.name, "searchable": True}


def _inputs(
    project: Project,
    language: str,
    root_url: str,
    pages: Collection[StagedPage],
    before: Inputs | None,
) -> Inputs:
    known = before.pages if before else {}
    theme, assets = project.root / "theme", PurePosixPath("assets")
    shared = (
        digest(project.configuration.read_bytes()),
        digest_of_tree(theme, lambda path: not path.is_relative_to(assets) and is_source(path)),
        digest_of_tree(Path(__file__).parent, is_source),
        repr(sorted(environment(project, language, root_url).items())),
    )
    stub = project.catalogs.parent
    staged = project.staged / language
    copied = [(theme, path) for path in (theme / assets).rglob("*")]
    copied += [(staged, path) for path in staged.rglob("*") if path.suffix != ".md"]
    return Inputs(
        digest(repr(shared).encode()),
        digest_of_tree(stub, lambda path: is_source(path) and path.suffix in {".py", ".po"}),
        {
            str(page.path): _facts(page, known.get(str(page.path)))
            for page in pages
            if page.language == language
        },
        {
            path.relative_to(top).as_posix(): digest(path.read_bytes())
            for top, path in copied
            if path.is_file() and is_source(path.relative_to(top))
        },
    )


def _facts(page: StagedPage, known: PageFacts | None) -> PageFacts:
    data = page.staged.read_bytes()
    if known and known.digest == digest(data):
        return known
    return page_facts(str(page.path), data.decode())


def main(arguments: list[str] | None = None) -> int:
    """Build once. The folders are those of `make serve`, within `--work`."""
    parser = argparse.ArgumentParser(prog="python -m docs_build.build_again", description=__doc__)
    parser.add_argument("--work", required=True, help="the folder for all that is made")
    parser.add_argument("--url", required=True, help="the public address of the site")
    parser.add_argument("--fresh", required=True, help="the name of the new tree")
    parser.add_argument("--current", help="the name of the tree that is being served")
    options = parser.parse_args(arguments)
    project = Project(this_project().root, options.work)
    trees = project.build / "trees"
    current = trees / options.current if options.current else None
    with _events() as events:
        try:
            for event in build_again(project, options.url, current, trees / options.fresh):
                print(json.dumps(event), file=events, flush=True)
        except Refusal as refusal:
            faults = [asdict(fault) for fault in refusal.faults]
            print(json.dumps({"faults": faults}), file=events, flush=True)
            return 1
    return 0


def _events() -> TextIO:
    """Standard output, for events alone: what others print goes to standard error from now on."""
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return events


if __name__ == "__main__":
    fork_here()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    sys.exit(main())
