"""A reader of the guide: a browser window of her own, and what she does in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from playwright.sync_api import Locator, Page, Response

from built import BuiltSite
from guard import Guard

SCORERS = "concepts/scorers/"  # the longest page, and the only one with tabs
SUBMIT = "guides/submit/"  # a short one: to load it takes half as long
Scheme = Literal["light", "dark"]
MATERIAL_SCHEMES: dict[str, Scheme] = {"default": "light", "slate": "dark"}


@dataclass(frozen=True)
class Window:
    """How a reader's browser is set up."""

    locale: str = "en-GB"
    prefers: Scheme = "light"
    width: int = 1280
    height: int = 800
    javascript: bool = True
    touch: bool = False
    own: bool = False  # no other reader has it, before or after: what is done to it stays


@dataclass(frozen=True)
class Reader:
    """Someone who reads a site; what she does is done as a person does it, by pointer or keys."""

    site: BuiltSite
    page: Page
    guard: Guard

    def go(self, address: str) -> Response:
        """Type an address."""
        if self.page.url.partition("#")[0] == address.partition("#")[0]:
            self.page.goto("about:blank")  # else the page would not be loaded anew
        response = self.page.goto(address)
        assert response is not None
        return response

    def open(self, language: str, url: str = SUBMIT, anchor: str = "") -> Response:
        """Open a page of the guide."""
        return self.go(f"{self.site.root_url}{language}/{url}{anchor}")

    @property
    def place(self) -> str:
        """Where she is: the address below the root of the site, with the anchor."""
        assert self.page.url.startswith(self.site.root_url)
        return self.page.url.removeprefix(self.site.root_url)

    def scheme(self) -> Scheme:
        """The colours that she sees."""
        return MATERIAL_SCHEMES[self.page.evaluate("document.body.dataset.mdColorScheme")]

    def change_scheme(self) -> None:
        """Use the button for the other colours."""
        self.page.locator("[data-guide-schemes] label:visible").click()

    def language_link(self, language: str) -> Locator:
        """The link to a language in the menu of languages."""
        return self.page.locator(f"a[data-guide-language][hreflang={language}]")

    def language_button(self) -> Locator:
        """What opens the menu of languages."""
        return self.page.locator(".md-select:has([data-guide-language]) > button")

    def switch_language(self, language: str) -> None:
        """Choose a language with the pointer."""
        self.language_button().hover()
        self.language_link(language).click()
        self.page.wait_for_load_state()

    def tab_sets(self) -> list[Locator]:
        """The examples with tabs."""
        return self.page.locator(".tabbed-set").all()

    def focused(self, within: str) -> bool:
        """Whether the keyboard is at something inside of what a selector finds."""
        return bool(
            self.page.evaluate("selector => !!document.activeElement?.closest(selector)", within)
        )

    def press_tab_until(self, within: str, at_most: int = 40) -> None:
        """Press the Tab key until it has come to something inside of what a selector finds."""
        for _ in range(at_most):
            self.page.keyboard.press("Tab")
            if self.focused(within):
                return
        raise AssertionError(f"the Tab key does not come to {within}")


class NewReader(Protocol):
    """Makes a reader of a site."""

    def __call__(self, site: BuiltSite, window: Window | None = None, /) -> Reader: ...


class OpenPage(Protocol):
    """Opens a page of the guide for a reader with a fresh window."""

    def __call__(
        self, language: str, url: str = SUBMIT, prefers: Scheme = "light", width: int = 1280
    ) -> Page: ...
