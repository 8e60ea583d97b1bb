"""Record, as `make translated` does, that the pages of a small project follow the English ones."""

from __future__ import annotations

import datetime
from collections.abc import Collection

from docs_build.project import Project
from translation.pages import Pages
from translation.record import record

DAY = datetime.date(2026, 3, 5)
"""The day of all these records."""


def follow(project: Project, *languages: str, paths: Collection[str] = ()) -> None:
    """Record these pages, or all pages, of these languages that are there."""
    pages = Pages(project)
    for path in paths or pages.paths:
        for language in languages:
            if pages.file(language, path).is_file():
                record(pages, path, language, None, DAY)
