"""The language switch keeps page, anchor and colours, by pointer, keyboard and touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from built import LANGUAGES, BuiltSite
from reader import SUBMIT, NewReader, Scheme, Window

pytest_plugins = ["browser_fixtures"]


def test_the_switch_keeps_page_anchor_and_chosen_colours(
    new_reader: NewReader, any_guide: BuiltSite
) -> None:
    reader = new_reader(any_guide)
    reader.open("en", SUBMIT, "#limits")
    assert reader.scheme() == "light"
    reader.change_scheme()
    assert reader.scheme() == "dark"

    for language in ("ru", "zh-Hans", "en", "zh-Hans", "ru", "en"):  # each from each other
        reader.switch_language(language)

        assert reader.place == f"{language}/{SUBMIT}#limits"
        expect(reader.page.locator("html")).to_have_attribute("lang", language)
        expect(reader.page.locator("h2#limits")).to_be_in_viewport()
        assert reader.scheme() == "dark"


@pytest.mark.parametrize(("prefers", "other"), [("light", "dark"), ("dark", "light")])
def test_the_chosen_colours_outlast_the_page(
    new_reader: NewReader, any_guide: BuiltSite, prefers: Scheme, other: Scheme
) -> None:
    reader = new_reader(any_guide, Window(prefers=prefers))
    reader.open("en")
    assert reader.scheme() == prefers
    reader.change_scheme()
    reader.page.reload()
    assert reader.scheme() == other
    reader.open("ru", "")
    assert reader.scheme() == other


def test_the_switch_goes_on_from_the_section_that_the_reader_went_to(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide, Window(width=1400))
    reader.open("ru")
    reader.page.locator(".md-nav--secondary a[href='#what-a-pass-means']:visible").click()
    reader.switch_language("zh-Hans")
    assert reader.place == f"zh-Hans/{SUBMIT}#what-a-pass-means"
    expect(reader.page.locator("h2#what-a-pass-means")).to_be_in_viewport()


def test_the_switch_works_by_keyboard_alone(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide)
    reader.open("en", SUBMIT, "#limits")
    reader.language_button().focus()
    reader.press_tab_until("a[data-guide-language][hreflang=ru]", at_most=3)
    expect(reader.language_link("ru")).to_be_visible()
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_url(f"{guide.root_url}ru/{SUBMIT}#limits")


def test_the_switch_works_by_touch_and_its_menu_stays_on_a_phone(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide, Window(width=360, height=740, touch=True))
    reader.open("en", SUBMIT, "#limits")
    reader.language_button().tap()
    for language in LANGUAGES:
        expect(reader.language_link(language)).to_be_in_viewport(ratio=1)
    assert reader.page.evaluate("document.scrollingElement.scrollWidth") == 360
    reader.language_link("zh-Hans").tap()
    reader.page.wait_for_url(f"{guide.root_url}zh-Hans/{SUBMIT}#limits")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_says_which_language_is_read(
    new_reader: NewReader, guide: BuiltSite, language: str
) -> None:
    reader = new_reader(guide)
    reader.open(language)
    current = reader.page.locator("a[data-guide-language][aria-current=true]")
    expect(current).to_have_attribute("hreflang", language)
