"""What is told of translations after each kind of edit: no miss, and no false alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from sample_pages import ENGLISH, PATH, RUSSIAN, edit, reports, sample_project

NOTHING: set[str] = set()


def both(*said: str) -> set[str]:
    """The same of both translations."""
    return {f"{language}: {one}" for language in ("zh-Hans", "ru") for one in said}


def moved(page: str, section: str, before: str) -> tuple[str, str]:
    """The end of a page, and the same with its last section before another one."""
    last, place = page[page.index(section) :], page.index(before)
    return page[place:], f"{last}\n{page[place:].removesuffix(last).rstrip()}\n"


# What is done, to the page of which language: the text, what becomes of it, and what is reported.
# A line number counts the front matter, which in a translation holds the record of six lines.
EDITS: dict[str, tuple[str, str, str, set[str]]] = {
    # In English: the sections that say something else are behind, in both translations alike.
    "English reworded": ("en", "Words of prose", "Some prose", both("first changed")),
    "a typo mended in English": ("en", "Another item", "Another itemm", both("first changed")),
    "list reordered": (
        *("en", "- One item.\n- Another item.\n", "- Another item.\n- One item.\n"),
        both("first changed"),
    ),
    "list nested": ("en", "- Another item", "    - Another item", both("first changed")),
    "number changed": ("en", "to 60", "to 61", both("sample changed")),
    "heading reworded, its id kept": (
        "en",
        "## Second part",
        "## Part two",
        both("second changed"),
    ),
    "level of a heading changed": ("en", "## Second", "### Second", both("second changed")),
    "id changed": ("en", "{#first}", "{#one}", both("one missing", "first removed")),
    "section moved": ("en", *moved(ENGLISH, "## Last", "## First"), both("last moved")),
    "section split": (
        *("en", "| Key | Meaning", "## Half {#half}\n\n| Key | Meaning"),
        both("second changed", "half missing"),
    ),
    "section added": ("en", "## Last", "## New {#new}\n\nNew.\n\n## Last", both("new missing")),
    "row added": ("en", "| `b`", "| `c` | One more. |\n| `b`", both("second changed")),
    "link changed": ("en", "index.md#there", "index.md", both("first changed")),
    "code changed": ("en", "`code`", "`codes`", both("first changed")),
    "emphasis changed": ("en", "Words of", "**Words** of", both("first changed")),
    "note of another kind": ("en", '!!! note "', '!!! warning "', both("last changed")),
    "picture changed": ("en", "(picture.svg)", "(picture2.svg)", both("last changed")),
    "block replaced": ("en", "snippet plain.py", "snippet other.py", both("second changed")),
    "front matter only": (
        *("en", "A sample page.", "A page that is a sample."),
        both("look, the English title and description changed"),
    ),
    "comment only": ("en", "Words of", "<!-- to do -->\nWords <!-- so\nso --> of", NOTHING),
    "comment in a list": ("en", "- Another", "<!-- to do -->\n- Another", NOTHING),
    "line wrapped": ("en", "prose with", "prose\nwith", NOTHING),
    "blank lines": ("en", "- Another item.\n", "\n- Another item.\n\n", NOTHING),
    "blanks": ("en", "- One item", "-   One item", NOTHING),
    "blanks in a table": ("en", "| `a` | The", "|  `a`   |   The", NOTHING),
    "paragraph split": ("en", "0 to 60, or", "0 to 60,\n\nor", NOTHING),
    # In a translation: its words are its own, its structure is that of English.
    "typo in a translation": ("ru", "Внутренний", "Внутрений", NOTHING),
    "translation reworded": ("ru", "Слова с", "Немного слов и", NOTHING),
    "heading of a translation reworded": ("ru", "## Вторая часть", "## Часть вторая", NOTHING),
    "front matter of a translation": ("ru", "Страница для", "Страница", NOTHING),
    "comment in a translation": ("ru", "Слова с", "Слова <!-- ? --> с", NOTHING),
    "translation wrapped": ("ru", "Слова с", "Слова\nс", NOTHING),
    "number changed in a translation": (
        *("ru", "до 60", "до 61"),
        {"ru:14: numbers in the section sample"},
    ),
    "id changed in a translation": (
        *("ru", "{#first}", "{#one}"),
        {
            "ru:7: the record names the section first, which the page does not have.",
            "ru:16: the record has no line for the section one.",
        },
    ),
    "section moved in a translation": (
        *("ru", *moved(RUSSIAN, "## Последняя", "## Первая")),
        {"ru:16: the section last stands where English has first."},
    ),
    "list reordered in a translation": (
        *("ru", "- Один пункт.\n- Другой пункт.\n", "- Другой пункт.\n- Один пункт.\n"),
        NOTHING,  # no program can know
    ),
    "list shorter in a translation": (
        *("ru", "- Другой пункт.\n", ""),
        {"ru:20: lists in the section first"},
    ),
    "level changed in a translation": (
        *("ru", "## Вторая", "### Вторая"),
        {"ru:24: level in the section second"},
    ),
    "row added in a translation": (
        *("ru", "| `b`", "| `c` | Ещё один. |\n| `b`"),
        {"ru:31: tables in the section second", "ru: look, `c` is code here only"},
    ),
    "code of a cell changed in a translation": (
        *("ru", "| `b`", "| `c`"),
        {
            "ru:31: tables in the section second",
            "ru: look, `b` is code in English only",
            "ru: look, `c` is code here only",
        },
    ),
    "code changed in a translation": (
        *("ru", "`code`", "`codes`"),
        {
            "ru: look, `code` is code in English only",
            "ru: look, `codes` is code here only",
        },
    ),
    "link changed in a translation": (
        *("ru", "index.md#there", "index.md"),
        {"ru:18: links in the section first"},
    ),
    "block replaced in a translation": (
        *("ru", "snippet plain.py", "snippet other.py"),
        {"ru:26: blocks in the section second"},
    ),
    "block left out in a translation": (
        *("ru", "::: snippet plain.py\n\n", ""),
        {"ru:24: blocks in the section second"},
    ),
    "note of another kind in a translation": (
        *("ru", '!!! note "', '!!! warning "'),
        {"ru:35: notes in the section last"},
    ),
    "picture changed in a translation": (
        *("ru", "(picture.svg)", "(picture2.svg)"),
        {"ru:39: pictures in the section last"},
    ),
    "another word for a term": (
        *("ru", "Метрика даёт", "Мера даёт"),
        {"ru:12: the section sample lacks the term for “metric”"},
    ),
    "another word for a term in Chinese": (
        *("zh-Hans", "指标给出", "度量给出"),
        {"zh-Hans:12: the section sample lacks the term for “metric”"},
    ),
    "the term in another form": ("ru", "Метрика даёт", "От метрики зависит", NOTHING),
    "typography of a translation": (
        *("ru", "Сказано", "Сказано - так"),
        {"ru:37: A hyphen used as a dash"},
    ),
}


def test_nothing_is_reported_of_what_is_current(tmp_path: Path) -> None:
    assert reports(sample_project(tmp_path)) == set()


def test_a_changed_snippet_is_to_be_looked_at_and_nothing_is_behind(tmp_path: Path) -> None:
    project = sample_project(tmp_path)
    (project.snippets / "plain.py").write_text("second = 2\n", "utf-8")
    assert reports(project) == both("look, snippet plain.py changed")


def test_a_removed_section_is_behind_where_it_still_stands(tmp_path: Path) -> None:
    project = sample_project(tmp_path)
    edit(project, "en", ENGLISH[ENGLISH.index("## Last") :], "")
    assert reports(project) == both("last removed")


def test_a_removed_page_is_missing_and_no_fault(tmp_path: Path) -> None:
    project = sample_project(tmp_path)
    (project.docs / "ru" / PATH).unlink()
    assert reports(project) == {"ru: concepts/sample.md missing"}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_reported_for_what_it_is(tmp_path: Path, name: str) -> None:
    project = sample_project(tmp_path)
    language, old, new, expected = EDITS[name]
    edit(project, language, old, new)
    assert reports(project) == expected
