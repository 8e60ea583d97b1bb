"""A small copy of the project: its own packages and theme, three short pages, two languages."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from docs_build.project import Project, this_project
from docs_build.watch import FOLDERS
from following import follow

LANGUAGES = ("en", "ru")

NAV = """\
nav:
  - Start: index.md
  - Concepts:
      - First: concepts/first.md
      - Second: concepts/second.md

"""
_PAGES = {
    "index.md": """\
---
title: Start
description: Where to start.
---

# Start {#start}

[The first part](concepts/first.md#part) and [the second page](concepts/second.md).

![A picture](picture.svg)
""",
    "concepts/first.md": """\
---
title: First
description: The first page.
---

# First {#first}

Prose.

## Part {#part}

::: example exact_match

## Limits {#limits}

::: limits
""",
    "concepts/second.md": """\
---
title: Second
description: The second page.
---

# Second {#second}

::: validity-table

::: guide-version
""",
}
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'


def small_site(folder: Path) -> Project:
    """Write the copy into a folder. What its commands import is the copy's own."""
    real = this_project()
    for name in set(FOLDERS) - {"docs"}:
        # With what Python has compiled of it, which takes longer than to use it.
        shutil.copytree(real.root / name, folder / name, ignore=shutil.ignore_patterns("*.mo"))
    edit(folder / "skynet_stub/messages.py", '("en", "zh-Hans", "ru")', '("en", "ru")')
    configuration = real.configuration.read_text("utf-8")
    text, count = re.subn(r"^nav:\n(?:[ ].*\n|\n)*", NAV, configuration, flags=re.MULTILINE)
    assert count == 1
    (folder / "mkdocs.yml").write_text(text, "utf-8")
    for language in LANGUAGES:
        for name, page in _PAGES.items():
            place = folder / "docs" / language / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(page, "utf-8")
        (folder / "docs" / language / "picture.svg").write_text(PICTURE, "utf-8")
    follow(Project(folder), "ru")
    return Project(folder)


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that stands in a file once."""
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), "utf-8")


def append(path: Path, text: str) -> None:
    """Write a text at the end of a file."""
    path.write_text(path.read_text("utf-8") + text, "utf-8")
