"""The windows of a browser, which one reader after another uses: to open one is what takes long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, ViewportSize

from built import BuiltSite
from guard import Guard
from reader import Reader, Window

IDLE = 12  # windows that are kept open for readers to come

_FORGET = "() => { localStorage.clear(); sessionStorage.clear() }"


@dataclass(frozen=True)
class _Kind:
    """What of a window stays as it was opened: its size and colours can be changed."""

    root_url: str
    locale: str
    javascript: bool
    touch: bool


class Windows:
    """Gives each reader a window that remembers nothing: a new one, or one made as if it were.

    In that one the page of the reader before is still open: to leave it for a blank one takes as
    long as to load one of the site.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: dict[_Kind, Page] = {}

    @contextmanager
    def reading(self, site: BuiltSite, window: Window | None = None) -> Iterator[Reader]:
        """A reader of a site in a window, whom a guard follows until she has left it."""
        window = window or Window()
        kind = _Kind(site.root_url, window.locale, window.javascript, window.touch)
        page = None if window.own else self._idle.pop(kind, None)
        if page is None:
            page = self._open(window)
        else:
            self._renew(page, window)
        guard = Guard(site.root_url)
        kept = False
        try:
            with guard.watching(page.context):
                yield Reader(site, page, guard)
                # What is written to the storage of another address could not be found here.
                kept = not window.own and page.url.startswith(site.root_url)
        finally:
            if kept and kind not in self._idle:
                self._idle[kind] = page
            else:
                page.context.close()
        while len(self._idle) > IDLE:
            self._idle.pop(next(iter(self._idle))).context.close()

    def _open(self, window: Window) -> Page:
        context = self._browser.new_context(
            locale=window.locale,
            color_scheme=window.prefers,
            viewport={"width": window.width, "height": window.height},
            java_script_enabled=window.javascript,
            has_touch=window.touch,
            is_mobile=window.touch,
            reduced_motion="reduce",
        )
        context.set_default_timeout(15_000)
        return context.new_page()

    def _renew(self, page: Page, window: Window) -> None:
        page.context.clear_cookies()
        page.context.clear_permissions()
        page.emulate_media(media="null", color_scheme=window.prefers)
        size: ViewportSize = {"width": window.width, "height": window.height}
        if page.viewport_size != size:
            page.set_viewport_size(size)
        page.mouse.move(0, 0)
        page.evaluate(_FORGET)  # at last: the page may note colours that it is told to have
