"""Find an English text in git's history by its digest. Without git, nothing is found."""

from __future__ import annotations

import datetime
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from docs_build.faults import Refusal, shown
from translation.outline import Outline, Section
from translation.pages import SOURCE, Pages


@dataclass(frozen=True, slots=True)
class Revision:
    """An English page as it was committed on a day."""

    date: datetime.date
    outline: Outline


class History:
    """The revisions of one English page, the newest first, read one after the other."""

    def __init__(self, pages: Pages, path: str) -> None:
        self._pages = pages
        self._file = pages.file(SOURCE, path)
        self._known: list[Revision] = []

    def text(self, section: str, digest: str) -> Section | None:
        """The newest section with this digest, that of this id first."""
        for revision in self._revisions:
            own = revision.outline.by_id.get(section)
            others = [own] if own else []
            for found in (*others, *revision.outline.sections):
                if found.digest == digest:
                    return found
        return None

    def changed(self, section: str, digest: str) -> datetime.date | None:
        """The day when a section was committed with another text than this one.

        `None` where that is not known: it is not committed, or the text is in no commit.
        """
        after = None
        for revision in self._revisions:
            found = revision.outline.by_id.get(section)
            if found and found.digest == digest:
                return after
            after = revision.date
        return None

    @cached_property
    def _revisions(self) -> list[Revision]:
        return list(self._read())

    def _read(self) -> Iterator[Revision]:
        for line in self._git("log", "--format=%H %cs", "--", self._file.name).splitlines():
            commit, date = line.split()
            text = self._git("show", f"{commit}:./{self._file.name}")
            try:
                read = self._pages.parsed(text.encode(), shown(self._file), SOURCE)
            except Refusal:  # a page of another time, which was written by other rules
                continue
            yield Revision(datetime.date.fromisoformat(date), read.outline)

    def _git(self, *arguments: str) -> str:
        try:
            done = subprocess.run(
                ("git", *arguments),
                cwd=self._file.parent,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
        except FileNotFoundError:
            return ""
        return done.stdout if done.returncode == 0 else ""
