"""The tabs of an example: one is shown, chosen by pointer or keyboard, each example on its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from built import LANGUAGES, BuiltSite
from reader import SCORERS, NewReader, Window

pytest_plugins = ["browser_fixtures"]


def shown(tabs: Locator) -> list[bool]:
    """Which of an example's tabs are shown."""
    look = "blocks => blocks.map(block => block.checkVisibility({ visibilityProperty: true }))"
    found: list[bool] = tabs.locator(".tabbed-block").evaluate_all(look)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_click_on_a_label_shows_its_tab_and_hides_the_others(
    new_reader: NewReader, guide: BuiltSite, language: str
) -> None:
    reader = new_reader(guide)
    reader.open(language, SCORERS)
    sets = reader.tab_sets()
    assert [shown(tabs) for tabs in sets] == [[True, False, False]] * 4
    labels = sets[1].locator(".tabbed-labels label")
    labels.nth(1).click()
    assert shown(sets[1]) == [False, True, False]
    labels.nth(2).click()
    assert shown(sets[1]) == [False, False, True]
    expect(sets[1].locator("table")).to_be_in_viewport()
    labels.nth(0).click()
    assert [shown(tabs) for tabs in sets] == [[True, False, False]] * 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keyboard_comes_to_the_tabs_and_arrows_choose_one(
    new_reader: NewReader, guide: BuiltSite, language: str
) -> None:
    reader = new_reader(guide)
    reader.open(language, SCORERS)
    tabs, keyboard = reader.tab_sets()[0], reader.page.keyboard
    reader.page.locator("#exact-match .headerlink").focus()
    reader.press_tab_until(".tabbed-set > input", at_most=3)
    assert shown(tabs) == [True, False, False]
    keyboard.press("ArrowRight")
    assert shown(tabs) == [False, True, False]
    keyboard.press("ArrowRight")
    assert shown(tabs) == [False, False, True]
    keyboard.press("ArrowLeft")
    assert shown(tabs) == [False, True, False]
    reader.press_tab_until(".tabbed-block", at_most=3)
    expect(tabs.locator(".tabbed-block").nth(1)).to_be_in_viewport()


def test_the_focus_of_the_keyboard_is_seen_on_a_label(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide)
    reader.open("en", SCORERS)
    label = reader.tab_sets()[0].locator(".tabbed-labels label").nth(0)
    look = "label => { const { color, outlineStyle, outlineWidth, backgroundColor } = "
    look += "getComputedStyle(label); return [color, outlineStyle, outlineWidth, backgroundColor] }"
    before = label.evaluate(look)
    reader.page.locator("#exact-match .headerlink").focus()
    reader.press_tab_until(".tabbed-set > input", at_most=3)
    assert label.evaluate(look) != before


def test_a_tab_is_chosen_by_touch(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide, Window(width=360, height=740, touch=True))
    reader.open("zh-Hans", SCORERS)
    tabs = reader.tab_sets()[3]
    tabs.locator(".tabbed-labels label").nth(2).tap()
    assert shown(tabs) == [False, False, True]
