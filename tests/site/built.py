"""The pages of a built site, as parsed HTML."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import soupsieve
from bs4 import BeautifulSoup, Tag

AT_ROOT = "http://127.0.0.1:8000/"
BELOW_A_PATH = "http://127.0.0.1:8001/a/sub/path/"
LANGUAGES = ("en", "zh-Hans", "ru")
REPOSITORY = "https://forge.example/team/guide"
"""What the site below a path is built with as REPO_URL; the other is built without."""


_TRANSLATION = re.compile(r"<[^<>]*\bclass\b[^<>]*\btranslation\b")


@dataclass(frozen=True)
class BuiltPage:
    """One page: its file, and its address."""

    file: Path
    address: str

    @cached_property
    def soup(self) -> BeautifulSoup:
        """The whole document."""
        soup = BeautifulSoup(self.file.read_text("utf-8"), "html.parser")
        gc.freeze()  # it is kept to the end: nothing of it need be looked at as garbage
        return soup

    @cached_property
    def language(self) -> str:
        """The language that the document says it is in."""
        return self.attribute("html", "lang")

    @cached_property
    def ids(self) -> frozenset[str]:
        """All ids of the document."""
        return frozenset(str(element["id"]) for element in self.soup.find_all(id=True))

    @cached_property
    def is_current(self) -> bool:
        """Whether the page does not tell of a translation that is behind or missing.

        The browser's tests ask for this of all pages, which take long to parse.
        """
        if not _TRANSLATION.search(self.file.read_text("utf-8")):
            return True
        return not self.soup.select(".admonition.translation")

    @cached_property
    def stands_for_itself(self) -> bool:
        """Whether no other page stands for this one, as for a missing translation."""
        return self.attribute("link[rel=canonical]", "href") == self.address

    @cached_property
    def article(self) -> Tag:
        """What was written for this page, without the theme around it."""
        found = self.soup.find("article")
        assert isinstance(found, Tag)
        return found

    def attribute(self, selector: str, name: str) -> str:
        """An attribute of the only element that a selector finds."""
        (element,) = self.found(selector)
        return str(element[name])

    def found(self, selector: str) -> list[Tag]:
        """What a selector finds in the document, soon where it is of the form NAME[...]."""
        name = re.fullmatch(r"([a-z0-9]+)(?:\[[^\[]*\])*", selector)
        if name is None:
            return list(self.soup.select(selector))
        return soupsieve.filter(selector, self._by_name.get(name[1], []))

    @cached_property
    def _by_name(self) -> dict[str, list[Tag]]:
        """The elements of the document by their names."""
        found: dict[str, list[Tag]] = {}
        for tag in self.soup.find_all(True):
            found.setdefault(tag.name, []).append(tag)
        return found

    def targets(self) -> Iterator[str]:
        """The absolute addresses of all links of the page."""
        for link in self.found("a[href]"):
            yield urljoin(self.address, str(link["href"]))


@dataclass(frozen=True)
class BuiltSite:
    """A built site in a folder, for a public address."""

    folder: Path
    root_url: str

    @cached_property
    def all_urls(self) -> tuple[str, ...]:
        """The addresses of the English pages, below the language."""
        found = (self.folder / "en").rglob("index.html")
        return tuple(sorted(_url(file.parent, self.folder / "en") for file in found))

    @cached_property
    def all_pages(self) -> dict[tuple[str, str], BuiltPage]:
        """All pages, by language and by address below the language."""
        return {
            (language, url): BuiltPage(
                self.folder / language / url / "index.html", f"{self.root_url}{language}/{url}"
            )
            for language in LANGUAGES
            for url in self.all_urls
        }

    @cached_property
    def urls(self) -> tuple[str, ...]:
        """The addresses of the pages that are current in every language."""
        return tuple(
            url
            for url in self.all_urls
            if all(self.all_pages[language, url].is_current for language in LANGUAGES)
        )

    @cached_property
    def pages(self) -> dict[tuple[str, str], BuiltPage]:
        """The pages that are current in every language; what the others show is another matter."""
        return {place: page for place, page in self.all_pages.items() if place[1] in self.urls}

    def page(self, language: str, url: str = "concepts/scorers/") -> BuiltPage:
        """One page; the guide where none is named."""
        return self.all_pages[language, url]

    @cached_property
    def documents(self) -> dict[Path, BeautifulSoup]:
        """Every HTML file, those outside the languages too, and what it holds."""
        pages = {page.file: page for page in self.all_pages.values()}
        return {
            file: (pages.get(file) or BuiltPage(file, "")).soup
            for file in sorted(self.folder.rglob("*.html"))
        }

    def file_at(self, address: str) -> Path | None:
        """The file that a host would answer with, if there is one."""
        root = urlsplit(self.root_url)
        parts = urlsplit(address)
        if parts.netloc != root.netloc or not parts.path.startswith(root.path):
            return None
        file = self.folder / unquote(parts.path.removeprefix(root.path))
        file = file / "index.html" if parts.path.endswith("/") else file
        return file if file.is_file() else None


def _url(folder: Path, language: Path) -> str:
    relative = folder.relative_to(language).as_posix()
    return "" if relative == "." else f"{relative}/"


def tables(tag: Tag) -> list[list[list[Tag]]]:
    """The tables below an element: rows of cells, the header's first."""
    return [
        [row.find_all(["th", "td"]) for row in table.find_all("tr")]
        for table in tag.find_all("table")
    ]


def lines(cell: Tag) -> list[str]:
    """The lines of code in a cell."""
    return [code.get_text() for code in cell.find_all("code")]


def header(table: list[list[Tag]]) -> list[str]:
    """The words of a table's first row."""
    return [cell.get_text() for cell in table[0]]
