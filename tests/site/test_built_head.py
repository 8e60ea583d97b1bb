"""What the head of a page says to browsers, crawlers and other sites; and the same of the root."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode

import pytest
from bs4 import BeautifulSoup

from built import BELOW_A_PATH, LANGUAGES, REPOSITORY, BuiltSite

pytest_plugins = ["site_fixtures"]
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'{}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'"
)


def inline_scripts(soup: BeautifulSoup) -> list[str]:
    """The scripts that stand in a page; a block of JSON is none."""
    return [
        script.get_text()
        for script in soup.find_all("script", src=False)
        if script.get("type") != "application/json"
    ]


def hash_of(script: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def test_every_page_allows_its_own_inline_scripts_and_no_other(any_site: BuiltSite) -> None:
    for file, soup in any_site.documents.items():
        (meta,) = soup.select('meta[http-equiv="Content-Security-Policy"]')
        hashes = dict.fromkeys(map(hash_of, inline_scripts(soup)))
        assert hashes, file
        assert meta["content"] == POLICY.format("".join(f" {hash_}" for hash_ in hashes)), file


def test_the_policy_stands_before_all_that_it_governs(site: BuiltSite) -> None:
    for soup in site.documents.values():
        first, second, *_ = soup.select("head > *")
        assert first["charset"] == "utf-8"
        assert second["http-equiv"] == "Content-Security-Policy"


def test_no_script_stands_in_an_attribute(site: BuiltSite) -> None:
    for file, soup in site.documents.items():
        for tag in soup.find_all(True):
            for name, value in tag.attrs.items():
                assert not name.lower().startswith("on"), f"{file}: {tag}"
                assert not str(value).strip().lower().startswith("javascript:"), f"{file}: {tag}"


def open_graph(soup: BeautifulSoup) -> list[tuple[str, str]]:
    found = soup.select("meta[property^='og:']")
    return [(str(meta["property"]), str(meta["content"])) for meta in found]


LOCALES = {
    "en": ("en_US", ["zh_CN", "ru_RU"]),
    "zh-Hans": ("zh_CN", ["en_US", "ru_RU"]),
    "ru": ("ru_RU", ["en_US", "zh_CN"]),
}
SITE_NAMES = {"en": "Skynet metrics", "zh-Hans": "Skynet 指标", "ru": "Метрики Skynet"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_site_can_show_a_link_to_a_page(any_site: BuiltSite, language: str) -> None:
    locale, others = LOCALES[language]
    for url in any_site.urls:
        page = any_site.page(language, url)
        (heading,) = page.article.select("h1")
        assert open_graph(page.soup) == [
            ("og:type", "article" if url else "website"),
            ("og:site_name", SITE_NAMES[language]),
            ("og:title", str(heading.find(string=True))),
            ("og:description", page.attribute("meta[name=description]", "content")),
            ("og:url", page.address),
            ("og:locale", locale),
            *(("og:locale:alternate", other) for other in others),
        ]


def test_the_title_of_a_page_names_the_site_once(site: BuiltSite) -> None:
    for (language, url), page in site.pages.items():
        (title,) = page.soup.select("head")[0].find_all("title", recursive=False)
        (heading,) = page.article.select("h1")
        name = SITE_NAMES[language]
        assert title.get_text() == (f"{heading.find(string=True)} · {name}" if url else name)


EDIT = {
    "en": "Edit this page",
    "zh-Hans": "改进本页译文",
    "ru": "Улучшить перевод этой страницы",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_can_be_edited_where_the_repository_is_known(
    any_site: BuiltSite, language: str
) -> None:
    for url in any_site.urls:
        links = any_site.page(language, url).found("a[rel=edit]")
        found = [(str(link["href"]), str(link["aria-label"])) for link in links]
        path = f"{url.rstrip('/') or 'index'}.md"
        if any_site.root_url == BELOW_A_PATH:
            address = f"{REPOSITORY}/edit/main/docs/{language}/{path}"
            assert found == [(address, EDIT[language])]
        else:
            assert found == []


def test_a_known_repository_leaves_nothing_else_in_a_page(any_site: BuiltSite) -> None:
    for page in any_site.pages.values():
        html = page.file.read_text("utf-8")
        assert html.count(REPOSITORY) == (1 if any_site.root_url == BELOW_A_PATH else 0)
        assert 'data-md-component="source"' not in html  # it would ask the forge for stars


def test_the_404_page_finds_the_language_after_the_root(any_site: BuiltSite) -> None:
    html = (any_site.folder / "404.html").read_text("utf-8")
    root = "/a/sub/path/" if any_site.root_url == BELOW_A_PATH else "/"
    assert f'const root = "{root}"\n' in html
    soup = BeautifulSoup(html, "html.parser")
    assert soup.select("link[rel=icon]")[0]["href"] == f"{root}en/assets/favicon.svg"


def test_the_colours_outside_the_theme_are_those_of_the_guide(site: BuiltSite) -> None:
    css = (site.folder / "en/assets/guide.css").read_text("utf-8")
    light, dark = re.findall(r"--md-primary-fg-color: (#[0-9a-f]{6});", css)
    for file, soup in site.documents.items():
        colours = {
            str(meta["media"]): str(meta["content"])
            for meta in soup.select("meta[name=theme-color]")
        }
        assert colours == {
            "(prefers-color-scheme: light)": light,
            "(prefers-color-scheme: dark)": dark,
        }, file


def fonts(css: str, pattern: str) -> list[str]:
    """The fonts of the only declaration that a pattern finds."""
    (stack,) = re.findall(pattern, css, re.DOTALL)
    return [name.strip(' "') for name in " ".join(stack.split()).split(",")]


def test_chinese_has_the_same_fonts_everywhere(site: BuiltSite) -> None:
    css = (site.folder / "en/assets/guide.css").read_text("utf-8")
    stack = fonts(css, r"--guide-chinese:(.*?);")
    assert stack[0] == "PingFang SC"
    for name in ("index.html", "404.html"):
        html = (site.folder / name).read_text("utf-8")
        assert fonts(html, r":lang\(zh-Hans\) \{\s*font-family:(.*?);") == stack


def test_the_search_button_keeps_its_name_where_a_phone_hides_its_label(site: BuiltSite) -> None:
    for page in site.pages.values():
        (button,) = page.soup.select("[data-guide-search-open]")
        (label,) = button.select(".guide-search-button__label")
        assert button["aria-label"] == label.get_text() != ""
