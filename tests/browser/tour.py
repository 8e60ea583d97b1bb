"""A reader looks at every page of a language: what is tested of all pages is seen at one load."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from playwright.sync_api import Page

from axe import AXE, contrast, others, serious, sizes, uncolour
from built import AT_ROOT, BELOW_A_PATH, LANGUAGES, BuiltSite
from copied import click_all
from reader import SCORERS, Reader, Window
from sitemap import pages_in
from visit import PHONE, Visit, facts, too_wide
from windows import Windows

Visits = dict[str, Visit]

# At the root she sits at a desk, below a path she has a phone; tests/site proves that the pages
# are the same.
_DESK = Window(own=True)
_PHONE = Window(width=PHONE, height=740, prefers="dark", own=True)

# Of a narrow page axe judges the sizes; all else of it depends on the width only in the frame
# around the text, which is judged around these.
_FULLY_ON_A_PHONE = ("", SCORERS)

# axe judges only what is shown, so the tabs that are not chosen are shown too; and it judges
# colours as they are, not as they will be once they have changed.
ALL_SHOWN = """.tabbed-set .tabbed-block { display: block !important }
* { transition: none !important }"""


@dataclass(frozen=True)
class Part:
    """The pages that one reader looks at."""

    root_url: str
    language: str

    def __str__(self) -> str:
        where = {AT_ROOT: "at the root", BELOW_A_PATH: "below a path"}[self.root_url]
        return f"{where}, {self.language}"


PARTS = [Part(*part) for part in product([AT_ROOT, BELOW_A_PATH], LANGUAGES)]


def look_at(windows: Windows, site: BuiltSite, language: str, known: set[str]) -> Visits:
    """What is seen on each page of a language, by its address below the language.

    The looks that are known from other pages are not judged again.
    """
    at_desk = site.root_url == AT_ROOT
    with windows.reading(site, _DESK if at_desk else _PHONE) as reader:
        reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        return {
            url: _visit(reader, language, url, known, at_desk) for url in pages_in(site, language)
        }


def _visit(reader: Reader, language: str, url: str, known: set[str], at_desk: bool) -> Visit:
    page = reader.page
    with reader.guard.new_problems() as problems:
        reader.open(language, url)
        seen = facts(page)
        copied, copied_page = click_all(page)
        wide = [] if at_desk else too_wide(page)
        page.add_style_tag(content=ALL_SHOWN)
        page.add_script_tag(url=f"{reader.site.root_url}{AXE}")
        schemes, found = [reader.scheme()], contrast(page, known=known)
        if at_desk:
            _change_scheme(page)
            schemes.append(reader.scheme())
            found += contrast(page, known=known)
        uncolour(page)
        found += others(page) if at_desk or url in _FULLY_ON_A_PHONE else sizes(page)
    return Visit(
        **seen,
        wide=wide,
        copied=copied,
        copied_page=copied_page,
        schemes=schemes,
        faults=serious(page, found),
        problems=problems,
    )


def _change_scheme(page: Page) -> None:
    # She does so on every page, so that the next one begins in the other colours.
    page.evaluate(
        """() => [...document.querySelectorAll("[data-guide-schemes] label")]
            .find(label => label.checkVisibility()).click()"""
    )
