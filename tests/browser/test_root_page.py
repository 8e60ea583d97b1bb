"""The root of the site leads a reader to her language, and without scripts lets her choose."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from built import LANGUAGES, BuiltSite
from reader import SUBMIT, NewReader, Window
from visit import too_wide

pytest_plugins = ["browser_fixtures"]


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("en-GB", "en"),
        ("zh-CN", "zh-Hans"),
        ("zh-TW", "zh-Hans"),
        ("ru-RU", "ru"),
        ("de-DE", "en"),
    ],
)
def test_the_root_leads_to_the_language_of_the_browser(
    new_reader: NewReader, any_guide: BuiltSite, locale: str, language: str
) -> None:
    reader = new_reader(any_guide, Window(locale=locale))
    reader.page.goto(any_guide.root_url, wait_until="commit")
    reader.page.wait_for_url(f"{any_guide.root_url}{language}/")
    expect(reader.page.locator("html")).to_have_attribute("lang", language)
    expect(reader.page.locator("h1")).to_be_visible()


def test_the_root_takes_the_first_of_the_readers_languages_that_the_site_has(
    new_reader: NewReader, any_guide: BuiltSite
) -> None:
    reader = new_reader(any_guide, Window(own=True))
    reader.page.add_init_script(
        "Object.defineProperty(navigator, 'languages', { value: ['de-DE', 'uk', 'RU-ru', 'en'] })"
    )
    reader.page.goto(any_guide.root_url, wait_until="commit")
    reader.page.wait_for_url(f"{any_guide.root_url}ru/")


def test_the_way_back_does_not_end_at_the_root_again(
    new_reader: NewReader, any_guide: BuiltSite
) -> None:
    reader = new_reader(any_guide)
    reader.open("zh-Hans")
    reader.page.goto(any_guide.root_url, wait_until="commit")
    reader.page.wait_for_url(f"{any_guide.root_url}en/")
    reader.page.wait_for_load_state()
    reader.page.go_back()
    assert reader.place == f"zh-Hans/{SUBMIT}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_the_root_is_a_plain_choice(
    new_reader: NewReader, any_guide: BuiltSite, language: str
) -> None:
    reader = new_reader(any_guide, Window(locale="ru-RU", javascript=False))
    reader.go(any_guide.root_url)
    assert reader.place == ""
    links = reader.page.get_by_role("link")
    assert links.all_inner_texts() == ["English", "简体中文", "Русский"]
    reader.page.locator(f"a[hreflang={language}]").click()
    reader.page.wait_for_url(f"{any_guide.root_url}{language}/")
    expect(reader.page.locator("h1")).to_be_visible()


def test_the_root_does_not_scroll_sideways_on_a_phone(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide, Window(javascript=False))
    reader.go(guide.root_url)
    assert not too_wide(reader.page)
