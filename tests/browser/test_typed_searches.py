"""The search as a reader uses it: she opens it, types, and goes to a section, by keyboard alone."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from built import LANGUAGES, BuiltSite
from reader import SCORERS, NewReader, OpenPage, Window

pytest_plugins = ["browser_fixtures"]

QUERIES_FILE = Path(__file__).parents[1] / "site" / "search_queries.toml"
LABELS = {
    "en": ("Search this site", "Search results", "Close search"),
    "zh-Hans": ("搜索本站", "搜索结果", "关闭搜索"),
    "ru": ("Поиск по сайту", "Результаты поиска", "Закрыть поиск"),
}
HINTS = {
    "en": "Type a word or a name from the code.",
    "zh-Hans": "输入一个词，或代码中的一个名称。",
    "ru": "Введите слово или имя из кода.",
}
FOUND = {"en": r"Results: \d+", "zh-Hans": r"结果：\d+", "ru": r"Найдено: \d+"}
NOTHING = {"en": "Nothing found", "zh-Hans": "没有找到结果", "ru": "Ничего не найдено"}


@dataclass(frozen=True)
class Query:
    """What a reader types, and the section that she must be shown among the first three."""

    language: str
    text: str
    page: str
    section: str
    coming: bool = False


QUERIES = [Query(**query) for query in tomllib.loads(QUERIES_FILE.read_text("utf-8"))["query"]]


@dataclass(frozen=True)
class Search:
    """The search of a page."""

    page: Page

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog[data-guide-search]")

    @property
    def button(self) -> Locator:
        return self.page.locator("[data-guide-search-open]")

    @property
    def field(self) -> Locator:
        return self.dialog.get_by_role("combobox")

    @property
    def status(self) -> Locator:
        return self.dialog.get_by_role("status")

    @property
    def results(self) -> Locator:
        return self.dialog.get_by_role("option")

    def type(self, text: str) -> None:
        """Type a query in the place of the one before, key by key, and see the answer.

        After each key there may be a search, if the next one is late: that takes long.
        """
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text)
        self._see_the_answer()

    def ask(self, text: str) -> None:
        """Insert a query in the place of the one before, all at once, and see the answer."""
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)
        self._see_the_answer()

    def _see_the_answer(self) -> None:
        answer = self.dialog.locator("[role=listbox][aria-busy=false]")
        answer.wait_for(state="attached", timeout=30_000)  # the first answer loads the index

    def places(self) -> list[str]:
        """The addresses of the results: path and section."""
        links = self.results.evaluate_all("links => links.map(link => link.href)")
        parts = [urlsplit(link) for link in links]
        return [f"{part.path}#{part.fragment}" for part in parts]

    def chosen(self) -> str | None:
        """The result that the keyboard is at, as a screen reader is told."""
        name = self.field.get_attribute("aria-activedescendant")
        if name is None:
            return None
        result = self.page.locator(f"#{name}")
        expect(result).to_have_attribute("aria-selected", "true")
        return result.get_attribute("href")


def opened(page: Page) -> Search:
    """The search, opened by its key."""
    search = Search(page)
    page.keyboard.press("/")
    expect(search.dialog).to_be_visible()
    return search


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_query_finds_its_section_among_the_first_three(
    open_page: OpenPage, guide: BuiltSite, language: str
) -> None:
    search = opened(open_page(language, ""))
    missed = []
    queries = [query for query in QUERIES if query.language == language]
    for query in queries:
        if query.coming:
            continue
        search.ask(query.text)
        wanted = f"{urlsplit(guide.page(language, query.page).address).path}#{query.section}"
        if wanted not in search.places()[:3]:
            missed.append((query.text, wanted, search.places()))
    assert missed == []
    assert len([query for query in queries if not query.coming]) >= 15


def test_a_query_that_waits_for_a_page_waits_for_one_that_is_not_there(guide: BuiltSite) -> None:
    come = [query for query in QUERIES if query.coming and query.page in guide.urls]
    assert come == [], "Remove `coming` from these in search_queries.toml."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_result_leads_to_a_section_of_the_readers_language(
    new_reader: NewReader, any_guide: BuiltSite, language: str
) -> None:
    reader = new_reader(any_guide)
    reader.open(language, "")
    search = opened(reader.page)
    for text in ("REWARD_SPEC", "Skynet", "score"):
        search.ask(text)
        links = search.results.evaluate_all("links => links.map(link => link.href)")
        assert links
        for link in links:
            address, _, section = link.partition("#")
            assert address.startswith(f"{any_guide.root_url}{language}/")
            assert "?" not in link
            file = any_guide.file_at(address)
            assert file is not None
            assert f'id="{section}"' in file.read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_shown_is_the_text_of_the_page(open_page: OpenPage, language: str) -> None:
    page = open_page(language, "")
    search = opened(page)
    words = {"en": "values", "zh-Hans": "返回值", "ru": "оценок"}
    search.type(words[language])
    shown = search.results.evaluate_all("links => links.map(link => link.textContent)")
    assert shown
    for text in shown:
        assert not re.search("[\u200b~¶]", text)
    marks = search.results.locator("mark").all_text_contents()
    expected = {"en": "value", "zh-Hans": "返回值", "ru": "оцен"}
    assert marks
    assert all(expected[language] in mark.lower() for mark in marks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_there_is_not_found(open_page: OpenPage, language: str) -> None:
    search = opened(open_page(language, ""))
    for text in ("zzzz", "REWARDSPECX", "metricx zzzz", "метркиа", "龘龘"):
        search.ask("score")
        expect(search.results).not_to_have_count(0)
        search.ask(text)
        expect(search.status).to_have_text(NOTHING[language])
        expect(search.results).to_have_count(0)
        expect(search.field).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_search_speaks_the_readers_language(open_page: OpenPage, language: str) -> None:
    page = open_page(language, "")
    search = opened(page)
    label, results, close = LABELS[language]
    dialog = page.get_by_role("dialog", name=label)
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("combobox", name=label)).to_be_focused()
    expect(dialog.get_by_role("button", name=close)).to_be_visible()
    expect(search.status).to_have_text(HINTS[language])
    search.ask("REWARD_SPEC")
    expect(search.status).to_have_text(re.compile(FOUND[language]))
    expect(dialog.get_by_role("listbox", name=results)).to_be_visible()
    expect(search.field).to_have_attribute("aria-expanded", "true")
    group = dialog.get_by_role("group").first
    expect(group).to_have_attribute("aria-labelledby", re.compile(".+"))


@pytest.mark.parametrize("key", ["/", "s", "f"])
def test_a_key_opens_the_search_and_does_not_stand_in_it(open_page: OpenPage, key: str) -> None:
    page = open_page("en", "")
    page.keyboard.press(key)
    search = Search(page)
    expect(search.field).to_be_focused()
    expect(search.field).to_have_value("")
    page.keyboard.type("s/f")
    expect(search.field).to_have_value("s/f")


def test_escape_gives_the_focus_back_to_the_button(open_page: OpenPage) -> None:
    page = open_page("en", "")
    search = Search(page)
    search.button.focus()
    page.keyboard.press("Enter")
    expect(search.field).to_be_focused()
    page.keyboard.press("Escape")
    expect(search.dialog).to_be_hidden()
    expect(search.button).to_be_focused()


def test_the_keyboard_goes_through_the_results_and_into_one(open_page: OpenPage) -> None:
    page = open_page("en", "")
    search = opened(page)
    search.ask("feedback")
    assert search.chosen() is None
    links = search.results.evaluate_all("links => links.map(link => link.getAttribute('href'))")
    seen = []
    for key in ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"]:
        page.keyboard.press(key)
        seen.append(search.chosen())
    assert seen == [links[0], links[1], links[0], links[-1], links[0], links[1]]
    expect(search.field).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{urlsplit(links[1]).path}#{urlsplit(links[1]).fragment}")


def test_enter_takes_the_first_result_at_once(open_page: OpenPage) -> None:
    page = open_page("en", "")
    opened(page)
    page.keyboard.type("exact match")
    page.keyboard.press("Enter")
    page.wait_for_url("**/en/concepts/scorers/#exact-match")


def test_a_chinese_word_is_searched_for_when_it_is_composed(open_page: OpenPage) -> None:
    page = open_page("zh-Hans")
    search = opened(page)
    keyboard = page.context.new_cdp_session(page)
    composed = {"text": "fankui", "selectionStart": 6, "selectionEnd": 6}
    keyboard.send("Input.imeSetComposition", composed)
    expect(search.field).to_have_value("fankui")
    expect(search.status).to_have_text(HINTS["zh-Hans"])
    keyboard.send("Input.insertText", {"text": "反馈"})
    expect(search.field).to_have_value("反馈")
    expect(search.results.first).to_have_attribute("href", re.compile("#feedback$"))


def test_a_section_of_the_same_page_is_shown(open_page: OpenPage) -> None:
    page = open_page("en", SCORERS)
    search = opened(page)
    search.ask("model as the judge")
    search.results.first.click()
    expect(search.dialog).to_be_hidden()
    page.wait_for_url("**/en/concepts/scorers/#model-judge")
    expect(page.locator("#model-judge")).to_be_in_viewport()


def test_the_tab_key_stays_in_the_search(open_page: OpenPage) -> None:
    page = open_page("en", "")
    search = opened(page)
    search.ask("feedback")
    close = search.dialog.get_by_role("button", name="Close search")
    page.keyboard.press("Tab")
    expect(close).to_be_focused()
    page.keyboard.press("Enter")
    expect(search.dialog).to_be_hidden()


def test_the_search_is_closed_by_a_click_beside_it(open_page: OpenPage) -> None:
    page = open_page("en", "")
    search = opened(page)
    page.mouse.click(20, 600)
    expect(search.dialog).to_be_hidden()


def test_a_query_is_kept_and_selected_for_the_next_time(open_page: OpenPage) -> None:
    page = open_page("en", "")
    search = opened(page)
    search.ask("contract")
    page.keyboard.press("Escape")
    expect(search.dialog).to_be_hidden()
    opened(page)
    expect(search.field).to_have_value("contract")
    assert search.places()
    page.keyboard.type("x")
    expect(search.field).to_have_value("x")


def test_nothing_is_loaded_for_the_search_before_it_is_opened(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide, Window(own=True))
    asked: list[str] = []
    reader.page.on("request", lambda request: asked.append(request.url))
    reader.open("ru")
    reader.page.wait_for_load_state("networkidle")
    assert [address for address in asked if "pagefind" in address or "results" in address] == []
    search = opened(reader.page)
    search.ask("движок")
    loaded = [address for address in asked if "/pagefind/" in address]
    assert all(address.startswith(f"{guide.root_url}ru/pagefind/") for address in loaded)
    assert f"{guide.root_url}ru/pagefind/pagefind.js" in loaded


def test_a_search_that_cannot_be_loaded_says_so_and_is_tried_again(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide, Window(own=True))
    reader.guard.forgive("pagefind")
    reader.guard.forgive("Failed to fetch dynamically imported module")
    reader.guard.forgive("ERR_FAILED")
    reader.open("en")
    reader.page.route("**/pagefind-entry.json*", lambda route: route.abort())
    search = opened(reader.page)
    search.ask("contract")
    expect(search.status).to_have_text(
        "The search could not be loaded. Reload the page to try again."
    )
    reader.page.unroute("**/pagefind-entry.json*")
    search.ask("contracts")
    expect(search.status).to_have_text(re.compile(FOUND["en"]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_the_search_takes_the_screen(
    new_reader: NewReader, guide: BuiltSite, language: str
) -> None:
    reader = new_reader(guide, Window(width=360, height=640, touch=True))
    reader.open(language)
    search = Search(reader.page)
    search.button.tap()
    expect(search.field).to_be_focused()
    search.ask("REWARD_SPEC")
    assert search.dialog.bounding_box() == {"x": 0, "y": 0, "width": 360, "height": 640}
    assert reader.page.evaluate("document.scrollingElement.scrollWidth") == 360
    search.results.first.tap()
    expect(search.dialog).to_be_hidden()


def test_without_javascript_there_is_no_button(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide, Window(javascript=False))
    reader.open("en")
    expect(Search(reader.page).button).to_be_hidden()
