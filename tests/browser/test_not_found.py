"""An address without a page is answered in the language of the address, with a way home."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from built import LANGUAGES, BuiltSite
from reader import NewReader, Window
from visit import too_wide

pytest_plugins = ["browser_fixtures"]

TITLES = {"en": "Page not found", "zh-Hans": "找不到页面", "ru": "Страница не найдена"}
NOWHERE = "no/such/page/"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_is_in_the_language_of_the_address(
    new_reader: NewReader, any_guide: BuiltSite, language: str
) -> None:
    reader = new_reader(any_guide, Window(locale="de-DE"))
    reader.guard.forgive(NOWHERE)
    assert reader.open(language, NOWHERE).status == 404
    expect(reader.page.locator("html")).to_have_attribute("lang", language)
    expect(reader.page).to_have_title(TITLES[language])
    assert reader.page.get_by_role("heading").all_inner_texts() == [TITLES[language]]
    reader.page.get_by_role("link").click()
    reader.page.wait_for_url(f"{any_guide.root_url}{language}/")
    expect(reader.page.locator("h1")).to_be_visible()


@pytest.mark.parametrize(
    ("address", "javascript"), [("nowhere", True), ("nowhere", False), ("ru/nowhere", False)]
)
def test_without_a_language_or_without_scripts_all_languages_answer(
    new_reader: NewReader, any_guide: BuiltSite, address: str, javascript: bool
) -> None:
    reader = new_reader(any_guide, Window(javascript=javascript))
    reader.guard.forgive("nowhere")
    assert reader.go(f"{any_guide.root_url}{address}").status == 404
    assert reader.page.get_by_role("heading").all_inner_texts() == list(TITLES.values())
    targets = [link.evaluate("link => link.href") for link in reader.page.get_by_role("link").all()]
    assert targets == [f"{any_guide.root_url}{language}/" for language in LANGUAGES]


def test_the_answer_does_not_scroll_sideways_on_a_phone(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide)
    reader.guard.forgive("nowhere")
    reader.go(f"{guide.root_url}nowhere")
    assert not too_wide(reader.page)
