"""What stands outside the languages: root, 404, sitemap, robots, under any address."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

from bs4 import BeautifulSoup, Tag

from docs_build.finish import (
    complete_pages,
    finish,
    not_found_page,
    robots,
    root_page,
    sitemap,
    with_whole_names,
)
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


CONFIGURATION = """\
nav:
  - Start: index.md
  - Chapter:
      - Page: a b/c.md
plugins:
  - i18n:
      languages:
        - {locale: en}
        - {locale: zh-Hans, nav_translations: {Chapter: 章}}
        - {locale: ru, nav_translations: {Chapter: Глава}}
"""
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
    assert found[f"{base}/ru/"]["x-default"] == f"{base}/"


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


def small_site(folder: Path) -> tuple[Path, list[StagedPage], Path]:
    """A site as MkDocs leaves it: its folder, its pages, and the configuration."""
    names = ("404.html", "sitemap.xml", "sitemap.xml.gz", "index.html", "a b/c/index.html")
    html = '<meta charset="utf-8"><script>alert(1)</script><code>--lang</code>'
    site = write(
        folder / "site", {f"{language}/{name}": html for language in LANGUAGES for name in names}
    )
    pages = []
    for small in PAGES:
        title = f"{small.language} {small.path.stem}"
        text = f"---\ntitle: {title}\ndescription: D.\n---\n\n# {title}\n"
        name = f"{small.language}/{small.path}"
        staged = write(folder / "staged", {name: text}) / name
        pages.append(replace(small, staged=staged))
    return site, pages, write(folder, {"mkdocs.yml": CONFIGURATION}) / "mkdocs.yml"


def test_a_page_gets_its_policy_its_whole_names_and_its_twin_once(tmp_path: Path) -> None:
    site, pages, _ = small_site(tmp_path)
    of_one = [page for page in pages if page.language == "ru"]
    complete_pages(site, "ru", of_one[:1])
    folder = site / "ru/a b/c"
    first = (folder / "index.html").read_text("utf-8")
    assert "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='" in first
    assert '<code class="guide-whole">--lang</code>' in first
    assert (folder / "index.md").read_text("utf-8") == "# ru c\n"
    assert not (site / "ru/index.md").exists()
    assert not (site / "en/a b/c/index.md").exists()
    complete_pages(site, "ru", of_one)
    assert (folder / "index.html").read_text("utf-8") == first
    assert (site / "ru/index.md").read_text("utf-8") == "# ru index\n"


def test_no_line_ends_within_a_short_name() -> None:
    whole = '<code class="guide-whole">--lang</code>'
    long = "<code>python -m skynet_stub --all</code>"
    html = "<td><code>--lang</code></td><code>lang</code>" + long
    assert with_whole_names(html) == f"<td>{whole}</td><code>lang</code>{long}"
    assert with_whole_names(whole) == whole


def test_the_root_and_the_404_page_have_a_policy(tmp_path: Path) -> None:
    site, pages, configuration = small_site(tmp_path)
    finish(site, ROOT_URL, pages, configuration)
    for name in ("index.html", "404.html"):
        assert (site / name).read_text("utf-8").count("'sha256-") == 1, name


def test_the_programs_guide_lists_the_twins_of_each_language(tmp_path: Path) -> None:
    site, pages, configuration = small_site(tmp_path)
    finish(site, ROOT_URL, pages, configuration)
    base = "https://example.org/a&b"
    assert (site / "ru/llms.txt").read_text("utf-8").partition("\n\n- ")[2] == (
        f"[ru index]({base}/ru/index.md): D.\n\n## Глава\n\n"
        f"- [ru c]({base}/ru/a%20b/c/index.md): D.\n"
    )
    english = (site / "en/llms.txt").read_text("utf-8")
    root = (site / "llms.txt").read_text("utf-8")
    assert english.startswith("# Skynet metrics\n\n> ")
    assert root.startswith(english)
    assert re.findall(r"- \[(.+)\]\((.+)\): ", root.removeprefix(english)) == [
        ("简体中文", f"{base}/zh-Hans/llms.txt"),
        ("Русский", f"{base}/ru/llms.txt"),
    ]


def test_the_root_says_what_it_is() -> None:
    soup = BeautifulSoup(root_page(ROOT_URL), "html.parser")
    assert soup.select("meta[name=description]")[0]["content"]
    assert [link["href"] for link in soup.select("link[rel=canonical]")] == [ROOT_URL]
    assert {link["hreflang"]: link["href"] for link in soup.select("link[hreflang]")} == {
        **{language: f"{ROOT_URL}{language}/" for language in LANGUAGES},
        "x-default": ROOT_URL,
    }


def test_the_languages_keep_no_sitemap_or_404_page_of_their_own(tmp_path: Path) -> None:
    site, pages, configuration = small_site(tmp_path)
    finish(site, ROOT_URL, pages, configuration)
    assert sorted(path.relative_to(site).as_posix() for path in site.rglob("*.*")) == [
        "404.html",
        "en/a b/c/index.html",
        "en/index.html",
        "en/llms.txt",
        "index.html",
        "llms.txt",
        "robots.txt",
        "ru/a b/c/index.html",
        "ru/index.html",
        "ru/llms.txt",
        "sitemap.xml",
        "zh-Hans/a b/c/index.html",
        "zh-Hans/index.html",
        "zh-Hans/llms.txt",
    ]
