"""What `make status`, `make diff` and `make translated` say and write."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from docs_build.project import Project
from sample_pages import ENGLISH, PATH, RUSSIAN, edit, sample_project
from translation.__main__ import main

Run = Callable[..., tuple[int, str, str]]
LAST = RUSSIAN[RUSSIAN.index("## Последняя") :]
CHANGE = ("en", "Words of prose with `code`", "Some prose with `code`")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)  # so that messages name short paths
    return sample_project(tmp_path)


@pytest.fixture
def run(project: Project, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(command: str, **given: str) -> tuple[int, str, str]:
        code = main([command], project, given)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run_command


def commit(project: Project, day: str) -> None:
    """Commit all files of a project, on a day."""
    when = f"{day}T12:00:00+00:00"
    for arguments in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "-m", "x")):
        subprocess.run(
            ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments),
            cwd=project.root,
            env=os.environ | {"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when},
            check=True,
        )


# --- Status --------------------------------------------------------------------------------------


def test_status_shows_pages_by_languages_with_counts(project: Project, run: Run) -> None:
    edit(project, *CHANGE)
    (project.docs / "ru/index.md").unlink()
    assert run("status") == (
        0,
        """\
page                zh-Hans       ru
concepts/sample.md  1 behind      1 behind
index.md            current       missing

concepts/sample.md in zh-Hans
  first: behind since 2026-03-05, changed in English
  To see what changed: make diff PAGE=concepts/sample.md TO=zh-Hans

concepts/sample.md in ru
  first: behind since 2026-03-05, changed in English
  To see what changed: make diff PAGE=concepts/sample.md TO=ru

1 current, 2 behind, 1 missing of 4 pages
""",
        "",
    )


def test_status_takes_the_day_of_the_change_from_git(project: Project, run: Run) -> None:
    commit(project, "2026-03-06")
    edit(project, *CHANGE)
    assert "first: behind since 2026-03-05" in run("status")[1]  # not committed: that of the record
    commit(project, "2026-04-01")
    edit(project, "en", "Some prose with", "Some more prose with")
    commit(project, "2026-05-01")
    assert "first: behind since 2026-04-01" in run("status")[1]


def test_status_fails_for_what_is_not_current_only_where_it_is_strict(
    project: Project, run: Run
) -> None:
    assert run("status", STRICT="1")[0] == 0
    edit(project, *CHANGE)
    assert run("status")[0] == 0
    assert run("status", STRICT="1")[0] == 1
    assert run("status", STRICT="1", TO="zh-Hans")[0] == 1


def test_status_as_json(project: Project, run: Run) -> None:
    edit(project, *CHANGE)
    code, said, _ = run("status", FORMAT="json", TO="ru")
    assert code == 0
    behind = {"id": "first", "state": "behind", "why": "changed", "since": "2026-03-05"}
    nothing: dict[str, list[str]] = {"look": [], "malformed": []}
    assert json.loads(said) == {
        "counts": {"current": 1, "behind": 1, "missing": 0},
        "pages": [
            {"page": PATH, "language": "ru", "state": "behind", "sections": [behind], **nothing},
            {"page": "index.md", "language": "ru", "state": "current", "sections": [], **nothing},
        ],
    }


def test_status_fails_for_a_malformed_record_and_says_what_to_do(
    project: Project, run: Run
) -> None:
    edit(project, "ru", "  first: 2026-03-05", "  first: 2026-03-35")
    code, said, _ = run("status")
    assert code == 1
    assert "concepts/sample.md  current       malformed\n" in said
    assert "docs/ru/concepts/sample.md:7: first: 2026-03-35" in said
    assert "Run make translated PAGE=concepts/sample.md TO=ru, which writes it." in said


# --- Diff ----------------------------------------------------------------------------------------


def test_diff_shows_the_sentences_that_changed(project: Project, run: Run) -> None:
    commit(project, "2026-03-06")
    edit(project, *CHANGE)
    edit(project, "en", "## Last", "## New {#new}\n\nOne. Two.\n\n## Last")
    assert run("diff", PAGE=PATH, TO="ru") == (
        0,
        """\
== first: changed · docs/en/concepts/sample.md:10 · docs/ru/concepts/sample.md:16
 ## First part {#first}
-Words of prose with `code`, and a [link](../index.md#there).
+Some prose with `code`, and a [link](../index.md#there).
 - One item.

== new: missing · docs/en/concepts/sample.md:27 · docs/ru/concepts/sample.md
+## New {#new}
+One.
+Two.

""",
        "",
    )


def test_diff_says_where_the_text_is_not_in_git(project: Project, run: Run) -> None:
    edit(project, *CHANGE)
    code, said, _ = run("diff", PAGE=PATH, TO="ru")
    assert code == 0
    assert "The text of 2026-03-05 is not in git (digest " in said
    assert "\n+Some prose with `code`, and a [link](../index.md#there).\n" in said


def test_diff_of_a_section_that_was_moved_or_removed(project: Project, run: Run) -> None:
    first, last = ENGLISH.index("## First"), ENGLISH.index("## Last")
    edit(project, "en", ENGLISH[first:], f"{ENGLISH[last:]}\n{ENGLISH[first:last].rstrip()}\n")
    said = run("diff", PAGE=PATH, TO="ru")[1]
    assert "== last: moved" in said
    assert "The text is the same, at another place." in said
    edit(project, "en", ENGLISH[last:], "")
    assert "== last: removed" in run("diff", PAGE=PATH, TO="ru")[1]


def test_diff_of_what_is_current_or_missing(project: Project, run: Run) -> None:
    file = "docs/en/concepts/sample.md"
    said = f"Nothing changed: ru follows {file} as it is now.\n"
    assert run("diff", PAGE=PATH, TO="ru") == (0, said, "")
    (project.docs / "ru" / PATH).unlink()
    said = f"{PATH} is missing in ru: translate all of {file}.\n"
    assert run("diff", PAGE=PATH, TO="ru") == (0, said, "")


# --- Translated ----------------------------------------------------------------------------------


def front_matter(project: Project) -> dict[str, str]:
    """The lines of the Russian page's record, by what they are of."""
    lines = (project.docs / "ru" / PATH).read_text("utf-8").split("\n---\n")[0].split("\n")
    return dict(line.strip().split(": ", 1) for line in lines if line.startswith("  "))


def test_translated_records_what_changed_and_keeps_the_rest(project: Project, run: Run) -> None:
    before = front_matter(project)
    assert list(before) == ["title and description", "sample", "first", "second", "last"]
    edit(project, *CHANGE)
    said = f"{PATH} in ru: recorded first\n"
    assert run("translated", PAGE=PATH, TO="ru") == (0, said, "")
    after = front_matter(project)
    assert list(after) == list(before)
    assert {key for key in before if before[key] != after[key]} == {"first"}
    assert "ru  " not in run("status")[1]
    assert run("status", STRICT="1", TO="ru")[0] == 0
    assert run("translated", PAGE=PATH, TO="ru")[1] == f"{PATH} in ru: recorded nothing new\n"


def test_translated_changes_nothing_but_the_record(project: Project, run: Run) -> None:
    page = project.docs / "ru" / PATH
    page.write_text(RUSSIAN, "utf-8")
    assert run("translated", PAGE=PATH, TO="ru")[0] == 0
    text = page.read_text("utf-8")
    head, _, rest = text.partition("follows:\n")
    assert head + rest.split("---\n", 1)[1].join(["---\n", ""]) == RUSSIAN


def test_translated_records_one_section(project: Project, run: Run) -> None:
    edit(project, *CHANGE)
    edit(project, "en", "to 60", "to 61")
    edit(project, "ru", "до 60", "до 61")
    said = f"{PATH} in ru: recorded sample\n"
    assert run("translated", PAGE=PATH, TO="ru", SECTION="sample") == (0, said, "")
    assert "ru\n  first: behind" in run("status")[1]


def test_translated_gives_a_moved_section_its_new_place(project: Project, run: Run) -> None:
    for language, page, names in (
        ("en", ENGLISH, ("## First", "## Last")),
        ("ru", RUSSIAN, ("## Первая", "## Последняя")),
    ):
        first, last = map(page.index, names)
        edit(project, language, page[first:], f"{page[last:]}\n{page[first:last].rstrip()}\n")
    assert "stands where English has first" in run("status")[1]
    assert run("translated", PAGE=PATH, TO="ru", SECTION="last")[0] == 0
    assert list(front_matter(project))[1:] == ["sample", "last", "first", "second"]
    assert run("status", STRICT="1", TO="ru")[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("- Другой пункт.\n", "", "docs/ru/concepts/sample.md:20: lists in the section first: "),
        (
            "до 60",
            "до 61",
            "docs/ru/concepts/sample.md:14: numbers in the section sample: ",
        ),
        ("{#last}", "{#lost}", "docs/ru/concepts/sample.md: the section last is missing, docs/en/"),
        ("{#last}", "{#lost}", "sample.md:33: the section lost is not there in docs/en/concepts/"),
        (
            RUSSIAN[RUSSIAN.index("## Первая") :],
            f"{LAST}\n{RUSSIAN[RUSSIAN.index('## Первая') : RUSSIAN.index(LAST)]}",
            "sample.md:16: the section last stands where English has first.",
        ),
    ],
    ids=["list", "number", "section missing", "section too many", "order"],
)
def test_translated_refuses_another_structure_and_writes_nothing(
    project: Project, run: Run, old: str, new: str, problem: str
) -> None:
    edit(project, *CHANGE)
    edit(project, "ru", old, new)
    before = (project.docs / "ru" / PATH).read_bytes()
    code, said, refused = run("translated", PAGE=PATH, TO="ru")
    assert (code, said) == (1, "")
    assert problem in refused
    assert (project.docs / "ru" / PATH).read_bytes() == before


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"PAGE": "no.md", "TO": "ru"}, "PAGE: 'no.md' is no English page. Pages: concepts/"),
        ({"PAGE": PATH}, "TO: no language is named. Write, for example, TO=ru."),
        ({"PAGE": PATH, "TO": "en"}, "TO: 'en' is no translation. Write zh-Hans or ru."),
        ({"PAGE": PATH, "TO": "ru", "SECTION": "no"}, "there is no section no. Sections: sample,"),
    ],
    ids=["page", "no language", "language", "section"],
)
def test_what_is_no_page_language_or_section_is_refused(
    run: Run, given: dict[str, str], problem: str
) -> None:
    code, said, refused = run("translated", **given)
    assert (code, said) == (1, "")
    assert problem in refused
