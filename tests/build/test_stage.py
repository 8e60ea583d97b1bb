"""Stage mirrors docs/, writes only what changed, and refuses the whole of what is wrong."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from docs_build.blocks import Resolved, resolve
from docs_build.faults import Refusal
from docs_build.project import Project, this_project
from docs_build.renderings import Sources
from docs_build.stage import Staging, stage
from docs_build.staging_memory import StagingMemory
from following import follow
from small_sources import PAGE, SNIPPETS, write

LANGUAGES = ("en", "zh-Hans", "ru")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A small project: two pages in each language, with the real catalogs and configuration.

    It is the working folder, so its catalogs are known by their names from one test to the next.
    """
    monkeypatch.chdir(tmp_path)
    real = this_project()
    pages = {f"docs/{language}/index.md": PAGE for language in LANGUAGES}
    pages |= {
        f"docs/{language}/concepts/one.md": f"{PAGE}\n::: snippet plain.py\n\nEnd.\n"
        for language in LANGUAGES
    }
    write(tmp_path, pages)
    write(tmp_path / "snippets", SNIPPETS)
    shutil.copytree(real.catalogs, tmp_path / "skynet_stub" / "locale")
    shutil.copy(real.configuration, tmp_path)
    follow(Project(tmp_path), *LANGUAGES[1:])
    return Project(tmp_path)


def staged_names(project: Project) -> list[str]:
    return sorted(
        path.relative_to(project.staged).as_posix()
        for path in project.staged.rglob("*")
        if path.is_file()
    )


def changed(staging: Staging, project: Project) -> list[str]:
    paths = staging.written + staging.removed
    return sorted(path.relative_to(project.staged).as_posix() for path in paths)


def add(project: Project, name: str, text: str) -> None:
    page = project.docs / name
    page.write_text(page.read_text("utf-8") + text, "utf-8")


def refused(project: Project) -> list[str]:
    with pytest.raises(Refusal) as caught:
        stage(project)
    root = f"{project.root.as_posix()}/"
    return [str(fault).replace(root, "") for fault in caught.value.faults]


def test_the_staged_pages_mirror_the_sources(project: Project) -> None:
    write(project.docs, {"en/picture.svg": b"<svg/>", "ru/picture.svg": b"<svg>ru</svg>"})
    staging = stage(project)
    pictures = [(project.staged / name / "picture.svg").read_bytes() for name in LANGUAGES]
    assert pictures == [b"<svg/>", b"<svg/>", b"<svg>ru</svg>"]  # English where there is none
    assert staged_names(project) == [
        "en/concepts/one.md",
        "en/index.md",
        "en/picture.svg",
        "ru/concepts/one.md",
        "ru/index.md",
        "ru/picture.svg",
        "zh-Hans/concepts/one.md",
        "zh-Hans/index.md",
        "zh-Hans/picture.svg",
    ]
    assert [(page.language, page.url) for page in staging.pages] == [
        (language, url) for language in LANGUAGES for url in ("concepts/one/", "")
    ]


def test_a_staged_page_keeps_its_front_matter_and_shows_its_snippets(project: Project) -> None:
    stage(project)
    assert (project.staged / "ru/concepts/one.md").read_text("utf-8") == (
        f'{PAGE}\n``` {{ .python title="plain.py" data-snippet="plain.py" }}\n'
        "first = 1\n\nthird = 3\n```\n\nEnd.\n"
    )


def test_a_staged_line_leads_back_to_its_source(project: Project) -> None:
    page = stage(project).pages[0]
    lines = page.staged.read_text("utf-8").split("\n")
    assert page.source_line(lines.index("third = 3") + 1) == 8
    assert page.source_line(lines.index("End.") + 1) == 10
    assert page.source_line(10_000) == 11
    assert page.snippets == {"plain.py"}


def test_only_what_changed_is_written(project: Project) -> None:
    stage(project)
    assert changed(stage(project), project) == []
    before = (project.staged / "en/index.md").stat().st_mtime_ns
    add(project, "ru/index.md", "\nMore.\n")
    assert changed(stage(project), project) == ["ru/index.md"]
    write(project.snippets, {"plain.py": "fourth = 4\n"})
    assert changed(stage(project), project) == [f"{x}/concepts/one.md" for x in sorted(LANGUAGES)]
    assert (project.staged / "en/index.md").stat().st_mtime_ns == before


def test_what_lost_its_source_is_removed(project: Project) -> None:
    stage(project)
    for language in LANGUAGES:
        shutil.rmtree(project.docs / language / "concepts")
    write(project.staged, {"stray/file.md": "x"})
    stage(project)
    assert staged_names(project) == ["en/index.md", "ru/index.md", "zh-Hans/index.md"]
    assert not (project.staged / "en/concepts").exists()
    assert not (project.staged / "stray").exists()


def test_a_page_without_a_translation_is_staged_in_english_and_says_so(project: Project) -> None:
    (project.docs / "ru/concepts/one.md").unlink()
    pages = {page.language: page for page in stage(project).pages if page.url == "concepts/one/"}
    assert [page.is_translated for page in pages.values()] == [True, True, False]
    assert pages["ru"].source == project.docs / "en/concepts/one.md"
    assert pages["ru"].staged.read_text("utf-8") == (
        "---\ntitle: Page\ndescription: A page.\nuntranslated: [ru]\n---\n\n# Page {#page}\n\n"
        '<div class="admonition translation" lang="ru" data-pagefind-ignore>\n'
        '<p class="admonition-title">Эта страница ещё не переведена</p>\n'
        "<p>Ниже\N{NO-BREAK SPACE}— её английский текст. "
        '<a href="../../../en/concepts/one/" hreflang="en">Перейти на английскую страницу</a></p>\n'
        "</div>\n\n"
        '``` { .python title="plain.py" data-snippet="plain.py" }\n'
        "first = 1\n\nthird = 3\n```\n\nEnd.\n"
    )
    for language in ("en", "zh-Hans"):
        text = pages[language].staged.read_text("utf-8")
        assert "\nuntranslated: [ru]\n---\n\n# Page {#page}\n\n``` {" in text


def test_a_page_that_the_source_language_does_not_have_is_refused(project: Project) -> None:
    write(project.docs, {"zh-Hans/extra.md": PAGE})
    assert refused(project) == [
        "docs/zh-Hans/extra.md: the page is not there in en, which is the source."
        " Write docs/en/extra.md, or remove this one."
    ]


@pytest.mark.parametrize("name", ["fr/index.md", "index.md", "zh/index.md"])
def test_what_is_in_no_known_language_is_refused(project: Project, name: str) -> None:
    write(project.docs, {name: PAGE})
    (problem,) = refused(project)
    assert problem.startswith(f"docs/{name.partition('/')[0]}: this is no folder of a language.")


def test_a_link_out_of_the_pages_is_refused(project: Project) -> None:
    (project.docs / "en/linked.md").symlink_to(project.snippets / "plain.py")
    (problem,) = refused(project)
    assert problem.startswith("docs/en/linked.md: this is a link that leads out of ")


def test_what_an_editor_hides_beside_a_page_is_no_page(project: Project) -> None:
    stage(project)
    before = staged_names(project)
    (project.docs / "ru/concepts/.#one.md").symlink_to("nobody@host.1234:1790000000")
    (project.docs / "ru/.index.md.swp").write_text("x", "utf-8")
    stage(project)
    assert staged_names(project) == before


def test_all_faults_of_all_pages_are_named_and_nothing_is_staged(project: Project) -> None:
    stage(project)
    write(
        project.docs,
        {
            "en/index.md": f"{PAGE}\n::: exampel good\n\n```\nx\n```\n",
            "ru/concepts/one.md": f"{PAGE}\n## Часть\n",
        },
    )
    found = refused(project)
    assert [problem.split(": ")[0] for problem in found] == [
        "docs/en/index.md:8",
        "docs/en/index.md:10",
        "docs/en/index.md:12",
        "docs/ru/concepts/one.md:8",
    ]
    assert "exampel" not in (project.staged / "en/index.md").read_text("utf-8")


def test_a_broken_catalog_is_refused_before_the_pages(project: Project) -> None:
    path = project.catalogs / "ru.po"
    write(path.parent, {"ru.po": path.read_text("utf-8").replace('msgstr "Да"', 'msgstr ""')})
    (problem,) = refused(project)
    assert "the text of verdict.valid is empty." in problem


def test_a_memory_knows_the_pages_whose_sources_are_the_same(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def noted(text: str, file: str, sources: Sources) -> Resolved:
        made.append(file.removeprefix("docs/"))
        return resolve(text, file, sources)

    def made_anew() -> list[str]:
        made.clear()
        staging = stage(project, StagingMemory(project))
        assert staging == replace(stage(project), written=staging.written, removed=staging.removed)
        return made[: len(made) - len(staging.pages)]  # the second time, all are made

    monkeypatch.setattr("docs_build.page_maker.resolve", noted)
    assert len(made_anew()) == 6
    assert made_anew() == []
    add(project, "ru/index.md", "\nMore.\n")
    assert made_anew() == ["ru/index.md"]
    add(project, "en/index.md", "\nMore.\n")
    assert made_anew() == [f"{language}/index.md" for language in LANGUAGES]
    write(project.snippets, {"plain.py": "fourth = 4\n"})
    assert made_anew() == [f"{language}/concepts/one.md" for language in LANGUAGES]
    write(project.root, {"mkdocs.yml": project.configuration.read_text("utf-8") + "# More\n"})
    assert len(made_anew()) == 6
    path = project.catalogs / "ru.po"
    write(path.parent, {"ru.po": path.read_text("utf-8").replace('msgstr "Да"', 'msgstr "Верно"')})
    assert len(made_anew()) == 6


def test_a_memory_keeps_what_is_right_beside_what_is_refused(project: Project) -> None:
    stage(project, StagingMemory(project))
    write(
        project.docs, {"ru/index.md": f"{PAGE}\n::: exampel good\n", "en/index.md": f"{PAGE}\nX\n"}
    )
    with pytest.raises(Refusal):
        stage(project, StagingMemory(project))
    memory = StagingMemory(project)
    data = (project.docs / "en/index.md").read_bytes()
    resolved = memory.recall(project.staged / "en/index.md", data, data, b"()")
    assert resolved is not None
    assert (resolved.text, resolved.snippets) == (f"{PAGE}\nX\n", frozenset())
    data_ru = (project.docs / "ru/index.md").read_bytes()
    assert memory.recall(project.staged / "ru/index.md", data_ru, data, b"()") is None
