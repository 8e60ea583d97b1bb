"""A window that one reader has left is for the next one as a new one would be."""

from __future__ import annotations

from built import BuiltSite
from reader import Window
from windows import Windows

pytest_plugins = ["browser_fixtures"]

KNOWN = "[localStorage.length, sessionStorage.length, document.cookie, innerWidth, "
KNOWN += "matchMedia('print').matches, matchMedia('(prefers-color-scheme: dark)').matches]"
ALLOWED = "navigator.permissions.query({ name: 'clipboard-read' }).then(found => found.state)"


def test_nothing_is_known_of_the_reader_before(windows: Windows, guide: BuiltSite) -> None:
    with windows.reading(guide, Window(locale="de-DE")) as first:
        first.open("en", "")
        before = first.page.evaluate(KNOWN), first.page.evaluate(ALLOWED)
        first.page.evaluate("localStorage.a = sessionStorage.b = document.cookie = 'c=d'")
        first.change_scheme()
        first.page.emulate_media(media="print", color_scheme="dark")
        first.page.set_viewport_size({"width": 400, "height": 800})
        first.page.context.grant_permissions(["clipboard-read"])
    with windows.reading(guide, Window(locale="de-DE")) as second:
        assert second.page is first.page
        second.open("en", "")
        assert (second.page.evaluate(KNOWN), second.page.evaluate(ALLOWED)) == before
        assert second.scheme() == "light"
        second.guard.forgive("nowhere")
        second.open("en", "nowhere/")
    assert len(second.guard.problems) == len(first.guard.problems) == 0


def test_a_window_of_ones_own_is_no_other_readers(windows: Windows, guide: BuiltSite) -> None:
    pages = []
    for _ in range(2):
        with windows.reading(guide, Window(own=True)) as reader:
            reader.open("en", "")
            pages.append(reader.page)
    assert pages[0] is not pages[1]
    assert pages[0].is_closed()
