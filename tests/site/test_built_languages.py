"""The three languages show the same: code, headings, links, tables, lists and notes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup, Tag

from built import LANGUAGES, BuiltPage, BuiltSite, tables

pytest_plugins = ["site_fixtures"]
TRANSLATIONS = LANGUAGES[1:]


def headings(page: BuiltPage) -> list[tuple[str, str]]:
    found = page.article.find_all(["h1", "h2", "h3", "h4", "h5", "h6"])
    return [(heading.name, str(heading["id"])) for heading in found]


def snippets(page: BuiltPage) -> list[tuple[str, str]]:
    found = page.article.select("[data-snippet]")
    return [
        (of_any_language(page, tag["data-snippet"]), str(tag.get("data-lines"))) for tag in found
    ]


def links(page: BuiltPage) -> list[str]:
    found = page.article.select("a[href]:not(.headerlink)")
    return [of_any_language(page, link["href"]) for link in found]


def of_any_language(page: BuiltPage, name: object) -> str:
    """The name of a file or a part of the site that each language has its own of."""
    return str(name).replace(f"/{page.language}/", "/…/").replace(f".{page.language}.", ".….")


def shapes(page: BuiltPage) -> list[list[list[list[str]]]]:
    """For each cell of each table, its code."""
    return [
        [[[code.get_text() for code in cell.find_all("code")] for cell in row] for row in table]
        for table in tables(page.article)
    ]


def lists(page: BuiltPage) -> list[tuple[str, int, int]]:
    """Each list with its number of items and how deep it lies."""
    return [
        (
            found.name,
            len(found.find_all("li", recursive=False)),
            len(found.find_parents(["ul", "ol"])),
        )
        for found in page.article.find_all(["ul", "ol"])
    ]


def notes(page: BuiltPage) -> list[list[str]]:
    return [list(note["class"]) for note in page.article.select(".admonition")]


def blocks(page: BuiltPage) -> list[str]:
    """The sequence of what stands directly in the article, its paragraphs apart."""
    return [
        child.name
        for child in page.article.find_all(True, recursive=False)
        if child.name not in ("p", "nav")
    ]


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize(
    "aspect", [headings, snippets, links, shapes, lists, notes, blocks], ids=lambda f: f.__name__
)
def test_a_translation_shows_what_the_source_shows(
    site: BuiltSite, language: str, aspect: Callable[[BuiltPage], list[object]]
) -> None:
    for url in site.urls:
        assert aspect(site.page(language, url)) == aspect(site.page("en", url)), url


def test_the_guide_has_something_of_every_aspect(site: BuiltSite) -> None:
    for aspect in (headings, snippets, shapes, lists, notes, blocks):
        assert aspect(site.page("en"))
    assert links(site.page("en", ""))


def test_all_languages_have_the_same_pages(site: BuiltSite) -> None:
    for language in LANGUAGES:
        found = {
            path.parent.relative_to(site.folder / language).as_posix()
            for path in (site.folder / language).rglob("*.html")
        }
        assert found == {url.rstrip("/") or "." for url in site.all_urls}


def test_every_heading_has_an_id_of_its_own(site: BuiltSite) -> None:
    for page in site.pages.values():
        ids = [str(tag["id"]) for tag in page.soup.find_all(id=True)]
        assert len(ids) == len(set(ids)), page.address
        assert all(not id_.startswith("_") for _, id_ in headings(page)), page.address
        assert [name for name, _ in headings(page)].count("h1") == 1


def test_nothing_of_the_markup_is_left_over(site: BuiltSite) -> None:
    for page in site.pages.values():
        code = {
            id(text)
            for tag in (*page.found("pre"), *page.found("code"))
            for text in tag.find_all(string=True)
        }
        texts = page.article.find_all(string=True)
        prose = "\n".join(text for text in texts if id(text) not in code)
        for mark in (":::", "**", "{#", "{:", "```", "!!!", "===", "]("):
            assert mark not in prose, f"{page.address}: {mark}"


LABELS = {
    "en": ("Link to this section", "Switch to dark mode", "Switch to light mode"),
    "zh-Hans": ("本节的链接", "切换到深色模式", "切换到浅色模式"),
    "ru": ("Ссылка на этот раздел", "Включить тёмную тему", "Включить светлую тему"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_theme_says_is_in_the_language(site: BuiltSite, language: str) -> None:
    permalink, to_dark, to_light = LABELS[language]
    soup: BeautifulSoup = site.page(language).soup
    assert {str(link["title"]) for link in soup.select("a.headerlink")} == {permalink}
    toggles = soup.select("[data-guide-schemes] label")
    assert [str(label["title"]) for label in toggles] == [to_dark, to_light]


def test_the_navigation_is_in_the_language(site: BuiltSite) -> None:
    def words(tag: Tag) -> str:
        return " ".join(tag.get_text().split())

    def titles(language: str) -> list[str]:
        soup = site.page(language, "").soup
        found = soup.select(".md-nav--primary .md-ellipsis")
        return [
            words(title) for title in found if not title.find_parent(class_="md-nav--secondary")
        ]

    assert titles("en") == [
        *("Skynet metrics", "Skynet metrics"),
        *("Concepts", "Metrics and scorers", "How optimization works", "Datasets and splits"),
        *("Engines", "Guides", "Check a metric", "Submit a run", "Reference", "The command"),
        *("Case files", "Helpers", "Python and pytest", "Reports", "Reason codes"),
    ]
    assert titles("zh-Hans") == [
        *("Skynet 指标", "Skynet 指标"),
        *("概念", "指标与评分器", "优化的工作原理", "数据集与划分"),
        *("引擎", "操作指南", "检查指标", "提交运行", "参考", "命令"),
        *("用例文件", "辅助函数", "Python 与 pytest", "报告", "原因代码"),
    ]
    assert titles("ru") == [
        *("Метрики Skynet", "Метрики Skynet"),
        *("Основы", "Метрики и оценщики", "Как работает оптимизация", "Наборы данных и разбиение"),
        *("Движки", "Инструкции", "Проверка метрики", "Запуск через мастер", "Справочник"),
        *("Команда", "Файлы с примерами", "Вспомогательные функции", "Python и pytest"),
        *("Отчёты", "Коды причин"),
    ]


def test_no_russian_page_misspells_the_way_forward(site: BuiltSite) -> None:
    for (language, _), page in site.pages.items():
        if language == "ru":
            assert "Вперед" not in page.soup.get_text()
