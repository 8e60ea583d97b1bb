"""Readers are told of a translation that is behind or missing, and of nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin

import pytest
from bs4 import Tag

from built import AT_ROOT, BuiltPage, BuiltSite
from docs_build.project import Project
from docs_build.site import build_site
from sample_pages import PATH, edit, sample_site

PAGE = "concepts/sample/"
TRANSLATIONS = ("zh-Hans", "ru")
TITLES = {"zh-Hans": "译文落后于英文原文", "ru": "Перевод отстаёт от английского текста"}
RUSSIAN_ITEM = "Первая часть: переведён текст от 5 марта 2026\N{NARROW NO-BREAK SPACE}г."
ITEMS = {
    "zh-Hans": "第一部分：译自 2026年3月5日的原文。 阅读英文原文",
    "ru": f"{RUSSIAN_ITEM} Читать по-английски",
}


def built(folder: Path, change: Callable[[Project], None]) -> BuiltSite:
    """The site of the sample pages, after a change."""
    project = sample_site(folder)
    change(project)
    build_site(project, AT_ROOT)
    return BuiltSite(project.site, AT_ROOT)


@pytest.fixture(scope="module")
def current(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    """The site where all pages are current."""
    return built(tmp_path_factory.mktemp("current"), lambda project: None)


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    """The site after one English sentence was changed."""
    folder = tmp_path_factory.mktemp("edited")
    return built(folder, lambda project: edit(project, "en", "Words of prose", "Some prose"))


@pytest.fixture(scope="module")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    """The site without the Russian sample page, of which the English one links to a new section."""
    return built(tmp_path_factory.mktemp("lacking"), without_russian)


def without_russian(project: Project) -> None:
    (project.docs / "ru" / PATH).unlink()
    edit(project, "en", "index.md#there", "index.md#more")
    start = project.docs / "en/index.md"
    start.write_text(start.read_text("utf-8") + "\n## More {#more}\n\nMore.\n", "utf-8")


def contents(site: BuiltSite) -> dict[str, bytes]:
    """All files but those of the search index."""
    return {
        path.relative_to(site.folder).as_posix(): path.read_bytes()
        for path in site.folder.rglob("*")
        if path.is_file() and "pagefind" not in path.parts
    }


def told(page: BuiltPage) -> list[str]:
    found = page.article.select(".admonition.translation, .translation-mark")
    return [str(element) for element in found]


def test_a_changed_sentence_shows_in_english_and_a_notice_in_the_others_and_nothing_else_changes(
    current: BuiltSite, edited: BuiltSite
) -> None:
    before, after = contents(current), contents(edited)
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} == {
        f"{language}/{PAGE}index.{kind}"
        for language in ("en", *TRANSLATIONS)
        for kind in ("html", "md")
    }
    for language in TRANSLATIONS:
        html = after[f"{language}/{PAGE}index.html"].decode()
        html = re.sub(r'<div class="admonition translation".*?</div>\n', "", html, flags=re.DOTALL)
        html = re.sub(r'<p class="translation-mark".*?</p>\n', "", html)
        earlier = before[f"{language}/{PAGE}index.html"].decode()
        assert list(filter(None, html.split("\n"))) == list(filter(None, earlier.split("\n")))
    english = after[f"en/{PAGE}index.html"].decode()
    assert (
        english.replace("Some prose", "Words of prose") == before[f"en/{PAGE}index.html"].decode()
    )


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_notice_names_the_section_its_day_and_the_english_text(
    edited: BuiltSite, language: str
) -> None:
    page = edited.page(language, PAGE)
    (notice,) = page.article.select(".admonition.translation")
    (title,) = notice.select(".admonition-title")
    assert title.get_text() == TITLES[language]
    (item,) = notice.select("li")
    assert item.get_text() == ITEMS[language]
    (mark,) = page.article.select(".translation-mark")
    assert mark.find_previous(["h1", "h2", "h3"])["id"] == "first"  # type: ignore[index]
    for element in (item, mark):
        (link,) = element.select("a")
        assert link["hreflang"] == "en"
        address = urljoin(page.address, str(link["href"]))
        assert address == f"{AT_ROOT}en/{PAGE}#first"
    heading = page.article.select("h1")[0]
    assert heading.find_next("p", class_="admonition-title") is title


def test_a_twin_says_it_too(edited: BuiltSite) -> None:
    twin = (edited.folder / "ru" / PAGE / "index.md").read_text("utf-8")
    link = "[Читать по-английски](../../../en/concepts/sample/index.md#first)"
    assert twin.startswith(
        "# Образец {#sample}\n\n"
        "> **Перевод отстаёт от английского текста**\n>\n"
        "> В английском тексте изменились эти разделы:\n>\n"
        f"> - {RUSSIAN_ITEM} {link}\n\n"
    )
    assert f"\n\n> Английский текст этого раздела изменился после перевода. {link}\n\n" in twin


def test_a_current_page_says_nothing(current: BuiltSite, edited: BuiltSite) -> None:
    assert all(told(page) == [] for page in current.all_pages.values())
    pages = edited.all_pages.items()
    assert [place for place, page in pages if told(page)] == [(one, PAGE) for one in TRANSLATIONS]


def test_a_missing_page_is_shown_in_english_and_says_so(lacking: BuiltSite) -> None:
    page, english = lacking.page("ru", PAGE), lacking.page("en", PAGE)
    assert page.attribute("html", "lang") == "ru"
    (heading,) = page.article.select("h1")
    assert heading.find(string=True) == "Sample"
    assert language_of(page, "h1") == language_of(page, "td") == "en"
    assert language_of(page, ".admonition.translation") == "ru"
    assert language_of(page, ".guide-markdown") == "ru"
    (notice,) = page.article.select(".admonition.translation")
    assert notice.select(".admonition-title")[0].get_text() == "Эта страница ещё не переведена"
    (link,) = notice.select("a")
    assert urljoin(page.address, str(link["href"])) == english.address
    rows = [row.get_text() for row in english.article.select("tr")]
    assert [row.get_text() for row in page.article.select("tr")] == rows


def language_of(page: BuiltPage, selector: str) -> str:
    """The language that the first element of these is in."""
    element = page.article.select(selector)[0]
    near = element if element.has_attr("lang") else element.find_parent(lang=True)
    assert near is not None
    return str(near["lang"])


def test_the_english_page_stands_for_the_missing_one(lacking: BuiltSite) -> None:
    def alternates(language: str) -> list[str]:
        links = lacking.page(language, PAGE).soup.find_all("link", hreflang=True)
        return [str(link["hreflang"]) for link in links]

    page = lacking.page("ru", PAGE)
    address = f"{AT_ROOT}en/concepts/sample/"
    assert page.attribute("link[rel=canonical]", "href") == address
    assert page.attribute("meta[property='og:url']", "content") == address
    assert page.attribute("meta[property='og:locale']", "content") == "en_US"
    assert alternates("ru") == []
    assert alternates("en") == alternates("zh-Hans") == ["en", "zh-Hans", "x-default"]
    assert f"{AT_ROOT}ru/concepts/sample/" not in (lacking.folder / "sitemap.xml").read_text()
    assert "/ru/concepts/sample/" not in (lacking.folder / "ru/llms.txt").read_text("utf-8")


def test_a_link_to_a_section_that_is_missing_leads_to_where_that_is_said(
    lacking: BuiltSite,
) -> None:
    page = lacking.page("ru", PAGE)
    assert f"{AT_ROOT}ru/#more" in list(page.targets())
    place = lacking.page("ru", "").article.find(id="more")
    assert isinstance(place, Tag)
    assert place.get_text() == "More: ещё не переведён. Читать по-английски"
    assert place.find_parent(class_="translation")


def test_every_link_of_such_pages_leads_somewhere(edited: BuiltSite, lacking: BuiltSite) -> None:
    for site in (edited, lacking):
        for page in site.all_pages.values():
            for address in page.targets():
                if address.startswith(AT_ROOT):
                    assert site.file_at(address.partition("#")[0]), f"{page.address}: {address}"
