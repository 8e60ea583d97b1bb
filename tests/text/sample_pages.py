"""A page in three languages, current in all, and what there is to report of it."""

from __future__ import annotations

import re
import shutil
from contextlib import chdir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from docs_build.project import Project, this_project
from following import follow
from translation.checks import faults
from translation.pages import Pages
from translation.status import standings

PATH = "concepts/sample.md"
ENGLISH = """\
---
title: Sample
description: A sample page.
---

# Sample {#sample}

A metric gives a score from 0 to 60, or 1,000.

## First part {#first}

Words of prose with `code`, and a [link](../index.md#there).

- One item.
- Another item.
    - An inner item.

## Second part {#second}

::: snippet plain.py

| Key | Meaning |
| --- | --- |
| `a` | The first. |
| `b` | The second. |

## Last part {#last}

!!! note "Note"

    Noted.

![Picture](picture.svg)
"""
CHINESE = """\
---
title: 样例
description: 样例页面。
---

# 样例 {#sample}

指标给出 0 到 60 的分数，或 1000。

## 第一部分 {#first}

带有 `code` 的文字和[链接](../index.md#there)。

- 一项。
- 另一项。
    - 内层的一项。

## 第二部分 {#second}

::: snippet plain.py

| 键 | 含义 |
| --- | --- |
| `a` | 第一个。 |
| `b` | 第二个。 |

## 最后部分 {#last}

!!! note "说明"

    已说明。

![图片](picture.svg)
"""
RUSSIAN = """\
---
title: Образец
description: Страница для образца.
---

# Образец {#sample}

Метрика даёт оценку от 0 до 60 или 1\N{NO-BREAK SPACE}000.

## Первая часть {#first}

Слова с `code` и [ссылкой](../index.md#there).

- Один пункт.
- Другой пункт.
    - Внутренний пункт.

## Вторая часть {#second}

::: snippet plain.py

| Ключ | Что значит |
| --- | --- |
| `a` | Первый. |
| `b` | Второй. |

## Последняя часть {#last}

!!! note "Примечание"

    Сказано.

![Рисунок](picture.svg)
"""
_NAV = "nav:\n  - Start: index.md\n  - Sample: concepts/sample.md\n\n"
_START = "---\ntitle: {0}\ndescription: {0}\n---\n\n# {0} {{#there}}\n"
_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'
_PAGES = {
    f"en/{PATH}": ENGLISH,
    f"zh-Hans/{PATH}": CHINESE,
    f"ru/{PATH}": RUSSIAN,
    "en/index.md": _START.format("Start"),
    "zh-Hans/index.md": _START.format("开始"),
    "ru/index.md": _START.format("Начало"),
}


def sample_project(folder: Path) -> Project:
    """Write the pages, with a snippet, the project's glossary and its configuration."""
    for name, data in _recorded().items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return Project(folder)


def sample_site(folder: Path) -> Project:
    """The same, with all else that a site is built from."""
    real, project = this_project(), sample_project(folder)
    shutil.copytree(real.root / "theme", folder / "theme")
    shutil.copytree(real.catalogs, project.catalogs)
    return project


@cache
def _recorded() -> dict[str, bytes]:
    """The files of the project, in which the translations have the record of what they follow."""
    with TemporaryDirectory() as folder:
        project = _written(Path(folder))
        follow(project, "zh-Hans", "ru")
        files = [path for path in project.root.rglob("*") if path.is_file()]
        return {path.relative_to(project.root).as_posix(): path.read_bytes() for path in files}


def _written(folder: Path) -> Project:
    real, project = this_project(), Project(folder)
    for name, text in _PAGES.items():
        place = project.docs / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    (project.docs / "en/concepts/picture.svg").write_text(_PICTURE, "utf-8")
    project.snippets.mkdir()
    (project.snippets / "plain.py").write_text("first = 1\n", "utf-8")
    (project.snippets / "other.py").write_text("other = 1\n", "utf-8")
    project.glossary.parent.mkdir()
    shutil.copy(real.glossary, project.glossary)
    configuration = real.configuration.read_text("utf-8")
    text, count = re.subn(r"^nav:\n(?:[ ].*\n|\n)*", _NAV, configuration, flags=re.MULTILINE)
    assert count == 1
    project.configuration.write_text(text, "utf-8")
    return project


def edit(project: Project, language: str, old: str, new: str) -> None:
    """Replace a text that stands once in the sample page of a language."""
    page = project.docs / language / PATH
    text = page.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    page.write_text(text.replace(old, new), "utf-8")


def reports(project: Project) -> set[str]:
    """All that is reported of the project's pages, in short: language, section or place, what."""
    found = set()
    with chdir(project.root):  # so the pages that are no other than before are known by their names
        stand, wrong = standings(Pages(project)), faults(project)
    for one in stand:
        if one.state == "missing":
            found.add(f"{one.language}: {one.page} missing")
        for section, _ in one.behind:
            found.add(f"{one.language}: {section.id} {section.why or section.state}")
        found |= {f"{one.language}: look, {_short(line)}" for line in one.look}
    for fault in wrong:
        language = Path(fault.file).relative_to("docs").parts[0]
        found.add(f"{language}:{fault.line}: {fault.problem.split(': ')[0].split(' (')[0]}")
    return found


def _short(line: str) -> str:
    """A line of what to look at, without its place."""
    return line.split(": ", 1)[1].split(";")[0]
