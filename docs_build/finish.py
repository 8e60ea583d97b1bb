"""Write what stands outside the pages of any language: the root, the 404 page, the sitemap.

These few files are small, whole and without the theme, so that they work at any address.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import escape as escape_xml

from docs_build.files import write_if_changed
from docs_build.stage import StagedPage
from skynet_stub.messages import LANGUAGES, catalog

_PER_LANGUAGE = ("404.html", "sitemap.xml", "sitemap.xml.gz")  # MkDocs writes them; one is enough
_TEMPLATES = Path(__file__).with_name("templates")


def finish(site: Path, root_url: str, pages: Sequence[StagedPage]) -> None:
    """Complete a site whose languages are built; `root_url` is its public address."""
    for language in LANGUAGES:
        for name in _PER_LANGUAGE:
            (site / language / name).unlink(missing_ok=True)
    for name, text in (
        ("index.html", root_page(root_url)),
        ("404.html", not_found_page(root_url)),
        ("sitemap.xml", sitemap(root_url, pages)),
        ("robots.txt", robots(root_url)),
    ):
        write_if_changed(site / name, text.encode())


def complete_pages(site: Path, language: str, pages: Sequence[StagedPage]) -> None:
    """Complete the pages of one language that MkDocs has built (branch head)."""


def root_page(root_url: str) -> str:
    """The page at the root: a choice of languages, which a script makes for the reader."""
    return _filled(
        "root.html",
        title=escape(catalog(LANGUAGES[0]).text("page.site-name")),
        alternates="\n".join(_alternates(root_url, "")),
        question=" · ".join(
            f'<span lang="{language}">{_word(language, "page.choose-language")}</span>'
            for language in LANGUAGES
        ),
        choices="\n".join(
            f'<li lang="{language}"><a href="{language}/" hreflang="{language}">'
            f"{_word(language, 'page.language-name')}</a> {_word(language, 'page.site-name')}</li>"
            for language in LANGUAGES
        ),
    )


def not_found_page(root_url: str) -> str:
    """The page for an address without a page: in the language of the address, else in all."""
    return _filled(
        "404.html",
        title=escape(catalog(LANGUAGES[0]).text("page.not-found-title")),
        titles=json.dumps(
            {language: catalog(language).text("page.not-found-title") for language in LANGUAGES},
            ensure_ascii=False,
        ).replace("<", "\\u003c"),
        answers="\n".join(
            f'<section lang="{language}"><h1>{_word(language, "page.not-found-title")}</h1>'
            f"<p>{_word(language, 'page.not-found-text')} "
            f'<a href="{escape(urlsplit(root_url).path)}{language}/">'
            f"{_word(language, 'page.not-found-home')}</a></p></section>"
            for language in LANGUAGES
        ),
    )


def sitemap(root_url: str, pages: Sequence[StagedPage]) -> str:
    """One sitemap for all pages of all languages, each with its translations."""
    entries = "".join(
        f"<url>\n<loc>{escape_xml(_address(root_url, page.language, page.url))}</loc>\n"
        + "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" href="{escape_xml(address)}"/>\n'
            for code, address in _addresses(root_url, page.url)
        )
        + "</url>\n"
        for page in pages
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
        f"{entries}</urlset>\n"
    )


def robots(root_url: str) -> str:
    """Everything may be read, and the sitemap says what there is."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {root_url}sitemap.xml\n"


def _addresses(root_url: str, url: str) -> Iterator[tuple[str, str]]:
    """The address of a page in each language, and by default."""
    for language in LANGUAGES:
        yield language, _address(root_url, language, url)
    yield "x-default", _address(root_url, LANGUAGES[0], url)


def _address(root_url: str, language: str, url: str) -> str:
    return f"{root_url}{language}/{quote(url)}"


def _alternates(root_url: str, url: str) -> Iterator[str]:
    for code, address in _addresses(root_url, url):
        yield f'<link rel="alternate" hreflang="{code}" href="{escape(address)}">'


def _word(language: str, key: str) -> str:
    return escape(catalog(language).text(key))


def _filled(template: str, **values: str) -> str:
    text = (_TEMPLATES / template).read_text("utf-8")
    return Template(text).substitute(values, languages=json.dumps(LANGUAGES))
