"""Addresses: links, alternates and the sitemap are right at a root and below a path."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup, Tag

from built import BELOW_A_PATH, LANGUAGES, BuiltPage, BuiltSite

pytest_plugins = ["site_fixtures"]
REQUESTED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect"}
REQUESTED_LINKS |= {"dns-prefetch", "manifest", "apple-touch-icon", "mask-icon"}
IN_CSS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


def requested(soup: BeautifulSoup) -> list[str]:
    """What a browser asks for when it shows a page."""
    found: list[str] = []
    for tag in soup.find_all(True):
        found += [str(tag[name]) for name in ("src", "poster", "data") if tag.has_attr(name)]
        if tag.has_attr("srcset"):
            found += [part.split()[0] for part in str(tag["srcset"]).split(",")]
        if tag.has_attr("style"):
            found += in_css(str(tag["style"]))
        if tag.name == "style":
            found += in_css(tag.get_text())
        rels = {rel.lower() for rel in tag.get_attribute_list("rel") if rel}
        if tag.name == "link" and tag.has_attr("href") and REQUESTED_LINKS & rels:
            found.append(str(tag["href"]))
    return found


def in_css(css: str) -> list[str]:
    return [first or second for first, second in IN_CSS.findall(css)]


def foreign(address: str) -> bool:
    return bool(urlsplit(address).netloc) or urlsplit(address).scheme not in ("", "data")


def test_no_file_asks_another_host_for_anything(any_site: BuiltSite) -> None:
    count = 0
    for file, soup in any_site.documents.items():
        wanted = requested(soup)
        assert not list(filter(foreign, wanted)), file
        count += len(wanted)
    for file in any_site.folder.rglob("*.css"):
        assert not list(filter(foreign, in_css(file.read_text("utf-8")))), file
    assert count > 20


def test_the_test_for_other_hosts_sees_them() -> None:
    page = (
        '<link rel=stylesheet href="//a.example/x.css"><script src="https://b.example"></script>'
        '<img srcset="x.png 1x, https://c.example/y.png 2x"><style>@import "https://d.example"'
        '</style><p style="background:url(https://e.example/)"><link rel=canonical href="https://f">'
    )
    found = [
        address for address in requested(BeautifulSoup(page, "html.parser")) if foreign(address)
    ]
    assert sorted(urlsplit(address).netloc[0] for address in found) == list("abcde")


def test_every_file_that_a_page_asks_for_is_there(any_site: BuiltSite) -> None:
    for page in any_site.pages.values():
        for wanted in requested(page.soup):
            if not wanted.startswith("data:"):
                assert any_site.file_at(urljoin(page.address, wanted)), f"{page.address}: {wanted}"


def test_every_link_leads_to_a_page_and_to_an_anchor_in_it(any_site: BuiltSite) -> None:
    by_file = {page.file: page for page in any_site.all_pages.values()}
    for page in any_site.all_pages.values():
        for address in page.targets():
            if urlsplit(address).netloc != urlsplit(any_site.root_url).netloc:
                continue
            file = any_site.file_at(address)
            if file is not None and file.name == "index.md":
                assert file.parent == page.file.parent, f"{page.address}: {address}"
                continue
            if file is not None and file.suffix == ".whl":
                continue
            assert file in by_file, f"{page.address}: {address}"
            anchor = unquote(urlsplit(address).fragment)
            if anchor:
                assert anchor in by_file[file].ids, f"{page.address}: {address}"


def test_a_link_in_the_text_stays_in_the_language(any_site: BuiltSite) -> None:
    for (language, _), page in any_site.pages.items():
        for link in page.article.find_all("a", href=True):
            address = urljoin(page.address, str(link["href"]))
            if address.startswith(any_site.root_url):
                assert address.startswith(f"{any_site.root_url}{language}/"), address


def test_the_language_switch_keeps_the_page(any_site: BuiltSite) -> None:
    for (language, url), page in any_site.pages.items():
        switch = page.found("a[data-guide-language]")
        assert [
            (str(link["hreflang"]), str(link["lang"]), urljoin(page.address, str(link["href"])))
            for link in switch
        ] == [(other, other, f"{any_site.root_url}{other}/{url}") for other in LANGUAGES]
        current = [str(link["hreflang"]) for link in switch if link.has_attr("aria-current")]
        assert current == [language]


def test_alternates_and_canonical_are_absolute(any_site: BuiltSite) -> None:
    for (_, url), page in any_site.pages.items():
        assert page.attribute("link[rel=canonical]", "href") == page.address
        alternates = page.found("link[hreflang]")
        assert [(str(link["hreflang"]), str(link["href"])) for link in alternates] == [
            *((language, f"{any_site.root_url}{language}/{url}") for language in LANGUAGES),
            ("x-default", f"{any_site.root_url}en/{url}" if url else any_site.root_url),
        ]


def test_the_theme_finds_no_alternates_to_fetch_sitemaps_for(site: BuiltSite) -> None:
    # The theme's selector is link[rel=alternate]; the blank at the end keeps it from matching.
    for page in site.pages.values():
        html = page.file.read_text("utf-8")
        assert html.count('<link rel="alternate " ') == 5  # the Markdown is the fifth
        assert 'rel="alternate"' not in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_says_its_language_title_and_description(site: BuiltSite, language: str) -> None:
    for url in site.urls:
        page = site.page(language, url)
        assert page.attribute("html", "lang") == language
        (title,) = page.found("title")
        (heading,) = page.article.select("h1")
        assert title.get_text().startswith(heading.find(string=True) or "?")
        description = page.attribute("meta[name=description]", "content")
        assert f"\ndescription: {description}\n" in source_of(language, url)


def source_of(language: str, url: str) -> str:
    docs = Path(__file__).parents[2] / "docs" / language
    names = (docs / f"{url}index.md", docs / f"{url.rstrip('/')}.md")
    return next(name for name in names if name.is_file()).read_text("utf-8")


def test_the_colour_scheme_is_remembered_for_all_languages_together(any_site: BuiltSite) -> None:
    for page in any_site.pages.values():
        assert '__md_scope=new URL("/",location)' in page.file.read_text("utf-8")


def test_the_sitemap_has_every_page_and_no_other(any_site: BuiltSite) -> None:
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    root = ElementTree.parse(any_site.folder / "sitemap.xml").getroot()
    found = [url.text or "" for url in root.findall("s:url/s:loc", names)]
    assert sorted(found) == sorted(
        page.address for page in any_site.all_pages.values() if page.stands_for_itself
    )
    assert all(any_site.file_at(address) for address in found)


def test_there_is_one_sitemap_one_robots_file_and_one_404_page(any_site: BuiltSite) -> None:
    for name in ("sitemap.xml", "robots.txt", "404.html"):
        assert [path.parent for path in any_site.folder.rglob(f"{name}*")] == [any_site.folder]
    assert f"Sitemap: {any_site.root_url}sitemap.xml" in (any_site.folder / "robots.txt").read_text(
        "utf-8"
    )


def test_root_and_404_page_lead_to_every_language(any_site: BuiltSite) -> None:
    for name, address in (("index.html", ""), ("404.html", "ru/no/such/page/")):
        page = BuiltPage(any_site.folder / name, f"{any_site.root_url}{address}")
        files = [any_site.file_at(target) for target in page.targets()]
        assert files == [any_site.folder / language / "index.html" for language in LANGUAGES]


def test_an_address_below_a_path_stands_in_no_page_of_the_other_site(site: BuiltSite) -> None:
    host = urlsplit(BELOW_A_PATH).netloc
    assert not any(host in file.read_text("utf-8") for file in site.documents)


def test_a_tag_has_the_address_that_it_should(site: BuiltSite) -> None:
    icon = site.page("ru").soup.select_one("link[rel=icon]")
    assert isinstance(icon, Tag)
    assert site.file_at(urljoin(site.page("ru").address, str(icon["href"])))
