"""A reader looks at every page of a language: what is tested of all pages is seen at one load."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from playwright.sync_api import Page

from axe import AXE, colours, others, serious, sizes, uncolour
from built import AT_ROOT, BELOW_A_PATH, LANGUAGES, BuiltSite
from copied import click_all
from reader import SCORERS, Reader, Window
from sitemap import pages_in
from visit import PHONE, Visit, facts, too_wide
from windows import Windows

Visits = dict[str, Visit]

# At the root she sits at a desk, and makes the window of each page as narrow as a phone's; below a
# path she has a phone.
_DESK = Window(own=True)
_PHONE = Window(width=PHONE, height=740, prefers="dark", own=True)

# The pages that she looks at below a path. tests/site/test_built_below_a_path.py proves that all
# pages there are those at the root, but for addresses and the link to edit one, which is alike.
_BELOW_A_PATH = ("", SCORERS, "guides/check/", "reference/cases/")

# Of a narrow page axe judges the sizes, and of a wide one all but how large what is clicked is; all
# else depends on the width only in the frame around the text, which is judged around these.
_FULLY = ("", SCORERS)

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


def urls_of(site: BuiltSite, language: str) -> list[str]:
    """The addresses of the pages that are looked at, below the language."""
    urls = pages_in(site, language)
    return urls if site.root_url == AT_ROOT else [url for url in urls if url in _BELOW_A_PATH]


def look_at(windows: Windows, site: BuiltSite, language: str, known: set[str]) -> Visits:
    """What is seen on each page of a language, by its address below the language.

    The looks that are known from other pages are not judged again.
    """
    at_desk = site.root_url == AT_ROOT
    with windows.reading(site, _DESK if at_desk else _PHONE) as reader:
        reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        look = _at_desk if at_desk else _on_a_phone
        return {url: look(reader, language, url, known) for url in urls_of(site, language)}


def _at_desk(reader: Reader, language: str, url: str, known: set[str]) -> Visit:
    page, desk = reader.page, reader.page.viewport_size
    assert desk is not None
    with reader.guard.new_problems() as problems:
        seen = _see(reader, language, url)
        schemes, found = [reader.scheme()], colours(page, known=known)
        _change_scheme(page)
        schemes.append(reader.scheme())
        found += colours(page, known=known)
        uncolour(page)
        found += others(page, targets=url in _FULLY)
        page.set_viewport_size({"width": PHONE, "height": desk["height"]})
        found += sizes(page)
        wide = too_wide(page)
        page.set_viewport_size(desk)
    return Visit(**seen, wide=wide, schemes=schemes, faults=serious(page, found), problems=problems)


def _on_a_phone(reader: Reader, language: str, url: str, known: set[str]) -> Visit:
    page = reader.page
    with reader.guard.new_problems() as problems:
        seen = _see(reader, language, url)
        schemes, found = [reader.scheme()], colours(page, known=known)
        uncolour(page)
        found += others(page) if url in _FULLY else sizes(page)
        wide = too_wide(page)
    return Visit(**seen, wide=wide, schemes=schemes, faults=serious(page, found), problems=problems)


def _see(reader: Reader, language: str, url: str) -> dict[str, Any]:
    """Open a page, see what needs no axe, and make the page ready for that."""
    page = reader.page
    reader.open(language, url)
    seen = facts(page)
    copied, copied_page = click_all(page)
    page.add_style_tag(content=ALL_SHOWN)
    page.add_script_tag(url=f"{reader.site.root_url}{AXE}")
    return {**seen, "copied": copied, "copied_page": copied_page}


def _change_scheme(page: Page) -> None:
    # She does so on every page, so that the next one begins in the other colours.
    page.evaluate(
        """() => [...document.querySelectorAll("[data-guide-schemes] label")]
            .find(label => label.checkVisibility()).click()"""
    )
