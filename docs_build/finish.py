"""Complete the pages that MkDocs built, and write what stands outside the pages of any language.

The latter are the root, the 404 page, the sitemap and the like: small, whole and without the
theme, so that they work at any address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import quote, urlsplit

from docs_build.files import write_if_changed
from docs_build.llms import Chapter, Entry, llms_text
from docs_build.navigation import Section, read_navigation
from docs_build.policy import with_policy
from docs_build.stage import StagedPage
from docs_build.twins import TWIN, read_staged, twin
from skynet_stub.messages import LANGUAGES, catalog

_PER_LANGUAGE = ("404.html", "sitemap.xml", "sitemap.xml.gz")  # MkDocs writes them; one is enough
_HYPHENED = re.compile(r"<code>(?=[^<]*-)([^<]{1,18})</code>")
_TEMPLATES = Path(__file__).with_name("templates")


def complete_pages(site: Path, language: str, pages: Sequence[StagedPage]) -> None:
    """Complete pages of one language that MkDocs has built: all of them, or those built again.

    Each page gets its content security policy, names that no line breaks, and its twin beside it. A
    page that is complete already stays as it is.
    """
    for page in pages:
        folder = site / language / page.url
        html = (folder / "index.html").read_text("utf-8")
        write_if_changed(folder / "index.html", with_policy(with_whole_names(html)).encode())
        write_if_changed(folder / TWIN, twin(page.staged.read_text("utf-8"), page.path).encode())


def with_whole_names(html: str) -> str:
    """A page in which no line ends at a hyphen of a short name, such as `--lang` or `zh-Hans`."""
    return _HYPHENED.sub(r'<code class="guide-whole">\1</code>', html)


def finish(site: Path, root_url: str, pages: Sequence[StagedPage], configuration: Path) -> None:
    """Complete a site whose languages are built; `root_url` is its public address.

    `pages` are all pages of all languages; their order in lists is that of the navigation in
    `configuration`, which is MkDocs'.
    """
    for language in LANGUAGES:
        for name in _PER_LANGUAGE:
            (site / language / name).unlink(missing_ok=True)
    for name, text in (
        ("index.html", with_policy(root_page(root_url))),
        ("404.html", with_policy(not_found_page(root_url))),
        ("sitemap.xml", sitemap(root_url, pages)),
        ("robots.txt", robots(root_url)),
        *_llms_files(root_url, pages, configuration),
    ):
        write_if_changed(site / name, text.encode())


def _llms_files(
    root_url: str, pages: Sequence[StagedPage], configuration: Path
) -> Iterator[tuple[str, str]]:
    """llms.txt of each language, and that of the root: the English one, which names the others."""
    chapters = {
        language: [
            Chapter(section.title, tuple(_entries(root_url, pages, language, section)))
            for section in read_navigation(configuration, language)
        ]
        for language in LANGUAGES
    }
    for language in LANGUAGES:
        yield f"{language}/llms.txt", _llms_of(language, chapters[language])
    source, *translations = LANGUAGES
    others = Chapter(
        catalog(source).text("page.other-languages"),
        tuple(
            Entry(
                catalog(language).text("page.language-name"),
                f"{root_url}{language}/llms.txt",
                catalog(language).text("page.site-description"),
            )
            for language in translations
        ),
    )
    yield "llms.txt", _llms_of(source, [*chapters[source], others])


def _llms_of(language: str, chapters: Sequence[Chapter]) -> str:
    word = catalog(language).text
    return llms_text(word("page.site-name"), word("page.site-description"), chapters)


def _entries(
    root_url: str, pages: Sequence[StagedPage], language: str, section: Section
) -> Iterator[Entry]:
    by_path = {page.path: page for page in pages if page.language == language}
    for page in (by_path[path] for path in section.paths):
        if not page.is_translated:
            continue
        staged = read_staged(page.staged.read_text("utf-8"))
        address = _address(root_url, language, page.url) + TWIN
        yield Entry(staged.title, address, staged.description)


def root_page(root_url: str) -> str:
    """The page at the root: a choice of languages, which a script makes for the reader."""
    return _filled(
        "root.html",
        title=_word(LANGUAGES[0], "page.site-name"),
        description=_word(LANGUAGES[0], "page.site-description"),
        address=escape(root_url),
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
    root = urlsplit(root_url).path
    return _filled(
        "404.html",
        title=_word(LANGUAGES[0], "page.not-found-title"),
        icon=escape(f"{root}{LANGUAGES[0]}/assets/favicon.svg"),
        root=_json(root),
        titles=_json(
            {language: catalog(language).text("page.not-found-title") for language in LANGUAGES}
        ),
        answers="\n".join(
            f'<section lang="{language}"><h1>{_word(language, "page.not-found-title")}</h1>'
            f"<p>{_word(language, 'page.not-found-text')} "
            f'<a href="{escape(root)}{language}/">'
            f"{_word(language, 'page.not-found-home')}</a></p></section>"
            for language in LANGUAGES
        ),
    )


def sitemap(root_url: str, pages: Sequence[StagedPage]) -> str:
    """One sitemap for all pages of all languages, each with its translations.

    A page that is only shown in English in place of a translation is none of these.
    """
    entries = "".join(
        f"<url>\n<loc>{escape(_address(root_url, page.language, page.url))}</loc>\n"
        + "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" href="{escape(address)}"/>\n'
            for code, address in _addresses(root_url, page.url)
            if code not in page.untranslated
        )
        + "</url>\n"
        for page in pages
        if page.is_translated
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
    """The address of a page in each language, and by default.

    The default of the start page is the root, where the reader's browser or the reader chooses;
    a page below it has no such choice, and its default is the source.
    """
    for language in LANGUAGES:
        yield language, _address(root_url, language, url)
    yield "x-default", _address(root_url, LANGUAGES[0], url) if url else root_url


def _address(root_url: str, language: str, url: str) -> str:
    return f"{root_url}{language}/{quote(url)}"


def _alternates(root_url: str, url: str) -> Iterator[str]:
    for code, address in _addresses(root_url, url):
        yield f'<link rel="alternate" hreflang="{code}" href="{escape(address)}">'


def _json(value: object) -> str:
    """A value as it may stand in an inline script."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _word(language: str, key: str) -> str:
    return escape(catalog(language).text(key))


def _filled(template: str, **values: str) -> str:
    text = (_TEMPLATES / template).read_text("utf-8")
    return Template(text).substitute(values, languages=_json(LANGUAGES))
