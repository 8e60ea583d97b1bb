"""What stands outside the languages: root, 404, sitemap, robots, under any address."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

from bs4 import BeautifulSoup, Tag

from docs_build.finish import finish, not_found_page, robots, root_page, sitemap
from docs_build.stage import StagedPage
from small_sources import write

ROOT_URL = "https://example.org/a&b/"
LANGUAGES = ("en", "zh-Hans", "ru")
NAMESPACES = {
    "s": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "x": "http://www.w3.org/1999/xhtml",
}


def page(language: str, path: str) -> StagedPage:
    file = Path(language, path)
    return StagedPage(language, PurePosixPath(path), file, file, (1,), frozenset())


def ancestor_language(tag: Tag) -> str:
    """The language that a part of a page is marked with."""
    marked = tag.find_parent(lang=True)
    assert marked is not None
    return str(marked["lang"])


PAGES = [page(language, path) for language in LANGUAGES for path in ("a b/c.md", "index.md")]


def test_the_sitemap_has_every_page_with_its_translations() -> None:
    urls = ElementTree.fromstring(sitemap(ROOT_URL, PAGES)).findall("s:url", NAMESPACES)
    found = {
        url.findtext("s:loc", "", NAMESPACES): {
            link.attrib["hreflang"]: link.attrib["href"]
            for link in url.findall("x:link", NAMESPACES)
        }
        for url in urls
    }
    base = "https://example.org/a&b"
    assert list(found) == [
        f"{base}/{language}/{url}" for language in LANGUAGES for url in ("a%20b/c/", "")
    ]
    assert found[f"{base}/ru/a%20b/c/"] == {
        "en": f"{base}/en/a%20b/c/",
        "zh-Hans": f"{base}/zh-Hans/a%20b/c/",
        "ru": f"{base}/ru/a%20b/c/",
        "x-default": f"{base}/en/a%20b/c/",
    }


def test_robots_names_the_sitemap() -> None:
    assert robots("https://example.org/a/").endswith("Sitemap: https://example.org/a/sitemap.xml\n")


def test_the_root_is_a_plain_choice_without_a_script() -> None:
    soup = BeautifulSoup(root_page(ROOT_URL), "html.parser")
    choices = [(ancestor_language(a), a["href"], a.text) for a in soup.find_all("a")]
    assert choices == [
        ("en", "en/", "English"),
        ("zh-Hans", "zh-Hans/", "简体中文"),
        ("ru", "ru/", "Русский"),
    ]
    question = soup.h1
    assert question is not None
    assert question.get_text() == "Choose your language · 选择语言 · Выберите язык"
    assert [span["lang"] for span in question.find_all("span")] == list(LANGUAGES)


def test_the_404_page_answers_in_every_language_with_links_that_work_at_any_depth() -> None:
    soup = BeautifulSoup(not_found_page("https://example.org/a/"), "html.parser")
    answers = [
        (
            section["lang"],
            *(part.get_text() for part in section.select("h1, p")),
            *(a["href"] for a in section.select("a")),
        )
        for section in soup.find_all("section")
    ]
    assert answers == [
        (
            "en",
            "Page not found",
            "There is no page at this address. Go to the start page",
            "/a/en/",
        ),
        ("zh-Hans", "找不到页面", "这个地址没有对应的页面。 前往首页", "/a/zh-Hans/"),
        (
            "ru",
            "Страница не найдена",
            "По этому адресу страницы нет. Перейти на главную",
            "/a/ru/",
        ),
    ]


def test_the_languages_keep_no_sitemap_or_404_page_of_their_own(tmp_path: Path) -> None:
    names = ("404.html", "sitemap.xml", "sitemap.xml.gz", "index.html")
    site = write(tmp_path, {f"{language}/{name}": "" for language in LANGUAGES for name in names})
    finish(site, ROOT_URL, PAGES)
    assert sorted(path.relative_to(site).as_posix() for path in site.rglob("*.*")) == [
        "404.html",
        "en/index.html",
        "index.html",
        "robots.txt",
        "ru/index.html",
        "sitemap.xml",
        "zh-Hans/index.html",
    ]
