"""Decide what a change makes necessary: which pages of a language MkDocs must build again.

`work` is a pure function of what a language's pages were last built from and what they would be
built from now. Nothing else is asked, neither events nor times, so that a build which failed or
was stopped in the middle costs work at most, and never leaves a page that is out of date.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote

from docs_build.blocks import without_inline_code
from docs_build.files import digest

STALE = ""
"""The digest of what must be built again, whatever it holds."""

# Front matter that the theme shows in the navigation, on other pages too.
_IN_NAVIGATION = re.compile(r"^(?:icon|status|subtitle)[ ]*:", re.MULTILINE)
_FENCE = re.compile(r"^[ ]*(?P<ticks>`{3,}).*?^[ ]*(?P=ticks)[ ]*$", re.MULTILINE | re.DOTALL)
_ID = re.compile(r"""\{[^{}\n]*#([^\s{}#.]+)|\b(?:id|name)=["']?([^\s"'<>{}]+)""")
_LINK = re.compile(r"""([^\s()<>\[\]"']*\.md)#([^\s()<>\[\]"']+)""")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is to be known of a staged page: what it holds, and how others depend on it.

    `ids` can be linked to. `links` are the links to an id, such as `concepts/scorers.md#contract`.
    `everywhere` is whether other pages' navigation shows what its front matter says.
    """

    digest: str
    ids: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the pages of one language are built from.

    `shared` stands for what every page shows: templates, configuration, this package, and the
    words around the pages. `completion` stands for what MkDocs does not read, but what is done to
    its pages afterwards does. `files` are copied as they are: pictures, style sheets, scripts.
    """

    shared: str
    completion: str
    pages: Mapping[str, PageFacts]
    files: Mapping[str, str]

    @property
    def said(self) -> dict[str, Any]:
        """The same as JSON can say it."""
        pages = {
            path: (facts.digest, sorted(facts.ids), sorted(facts.links), facts.everywhere)
            for path, facts in self.pages.items()
        }
        return {
            "shared": self.shared,
            "completion": self.completion,
            "pages": pages,
            "files": dict(self.files),
        }

    @classmethod
    def heard(cls, said: Mapping[str, Any]) -> Inputs:
        """What was said."""
        pages = {
            path: PageFacts(digest, frozenset(ids), frozenset(links), everywhere)
            for path, (digest, ids, links, everywhere) in said["pages"].items()
        }
        return cls(said["shared"], said["completion"], pages, said["files"])


@dataclass(frozen=True, slots=True)
class Work:
    """What must be done for a language: all of it, or these pages and files, or nothing."""

    whole: bool = False
    pages: frozenset[str] = field(default=frozenset())
    files: frozenset[str] = field(default=frozenset())

    def __bool__(self) -> bool:
        return self.whole or bool(self.pages or self.files)


WHOLE = Work(whole=True)


def work(before: Inputs | None, after: Inputs) -> Work:
    """What must be built so that the pages of a language are those of a full build.

    All of the language: where nothing is known, where something that every page shows is
    different, or where a page or file came or went. Otherwise the pages that changed; the pages
    that link to an id which one of them lost, and those that one of them newly links to, since
    MkDocs tells a broken link only between pages that it builds; and the files that changed.
    """
    if before is None or before.shared != after.shared:
        return WHOLE
    if before.pages.keys() != after.pages.keys() or before.files.keys() != after.files.keys():
        return WHOLE
    changed = {
        path for path, facts in after.pages.items() if facts.digest != before.pages[path].digest
    }
    shown_elsewhere = any(
        facts.everywhere for facts in (*before.pages.values(), *after.pages.values())
    )
    if changed and shown_elsewhere:
        return WHOLE
    lost = {
        f"{path}#{id_}"
        for path in changed
        for id_ in before.pages[path].ids - after.pages[path].ids
    }
    linking = {path for path, facts in after.pages.items() if facts.links & lost}
    linked = {
        link.partition("#")[0]
        for path in changed
        for link in after.pages[path].links - before.pages[path].links
    }
    return Work(
        pages=frozenset(changed | linking | (linked & after.pages.keys())),
        files=frozenset(
            name for name, content in after.files.items() if content != before.files[name]
        ),
    )


def completion(before: Inputs | None, after: Inputs) -> Work:
    """What must be completed anew of what MkDocs has built of a language."""
    if before is None or before.completion != after.completion:
        return WHOLE
    return work(before, after)


def unfinished(before: Inputs | None, todo: Work) -> Inputs | None:
    """What may be said of a language's pages from when this work begins until it is done."""
    if before is None or todo.whole:
        return None
    pages = {
        path: replace(facts, digest=STALE) if path in todo.pages else facts
        for path, facts in before.pages.items()
    }
    files = {
        name: STALE if name in todo.files else content for name, content in before.files.items()
    }
    return replace(before, pages=pages, files=files)


def page_facts(path: str, text: str) -> PageFacts:
    """The facts of a staged page, at a path within its language."""
    body = without_inline_code(_FENCE.sub("", text))
    return PageFacts(
        digest(text.encode()),
        frozenset(one or other for one, other in _ID.findall(body)),
        frozenset(
            f"{_target(path, target)}#{unquote(anchor)}" for target, anchor in _LINK.findall(body)
        ),
        _in_navigation(text),
    )


def _target(path: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(link)))


def _in_navigation(text: str) -> bool:
    front_matter = text.removeprefix("---\n").partition("\n---\n")[0]
    return _IN_NAVIGATION.search(front_matter) is not None
