"""The copy buttons give the exact bytes of the files that are shown, and of a page's Markdown."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from built import LANGUAGES, BuiltSite
from docs_build.project import this_project
from reader import NewReader, Reader
from sitemap import pages_in

pytest_plugins = ["browser_fixtures"]

SNIPPETS = this_project().snippets
NOTHING = "nothing was copied"
NAMES = {"en": "Copy {}", "zh-Hans": "复制 {}", "ru": "Скопировать {}"}
SAID = {"en": "Copied: {}", "zh-Hans": "已复制：{}", "ru": "Скопировано: {}"}
PAGE = {
    "en": ("Copy page as Markdown", "View as Markdown", "The page is copied as Markdown."),
    "zh-Hans": ("复制本页的 Markdown", "查看 Markdown", "本页的 Markdown 已复制。"),
    "ru": (
        "Скопировать страницу как Markdown",
        "Открыть как Markdown",
        "Страница скопирована как Markdown.",
    ),
}


def allow_clipboard(reader: Reader) -> None:
    reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])


def empty_clipboard(reader: Reader) -> None:
    reader.page.evaluate("text => navigator.clipboard.writeText(text)", NOTHING)


def clipboard(reader: Reader) -> str:
    """What was copied, once it is there."""
    reader.page.wait_for_function(
        "async nothing => await navigator.clipboard.readText() !== nothing", arg=NOTHING
    )
    text = reader.page.evaluate("navigator.clipboard.readText()")
    assert isinstance(text, str)
    return text


def text_of(block: Locator) -> str:
    """The text of the file, or of its lines, that a block of code says it shows."""
    text = (SNIPPETS / (block.get_attribute("data-snippet") or "")).read_bytes().decode()
    lines = block.get_attribute("data-lines")
    if lines is None:
        return text
    first, last = map(int, lines.split("-"))
    return "".join(text.splitlines(keepends=True)[first - 1 : last])


def what_is_copied(block: Locator) -> str:
    """What a block of code shows; of a terminal the commands alone."""
    text = block.locator("pre > code").text_content() or ""
    if "language-console" not in (block.get_attribute("class") or ""):
        return text
    return "".join(f"{line[2:]}\n" for line in text.split("\n") if line.startswith("$ "))


def show(block: Locator) -> None:
    """Choose the tab that a block of code is in, if it is in one."""
    block.evaluate(
        """block => {
            const panel = block.closest(".tabbed-block")
            const place = panel && [...panel.parentElement.children].indexOf(panel)
            panel?.closest(".tabbed-set").querySelectorAll(":scope > input")[place].click()
        }"""
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_copy_button_gives_the_exact_text_of_its_file(
    new_reader: NewReader, any_guide: BuiltSite, language: str
) -> None:
    reader = new_reader(any_guide)
    allow_clipboard(reader)
    count = 0
    for url in pages_in(any_guide, language):
        reader.open(language, url)
        for block in reader.page.locator("[data-snippet]").all():
            file = (block.locator(".filename").text_content() or "").strip()
            show(block)
            empty_clipboard(reader)
            block.get_by_role("button", name=NAMES[language].format(file), exact=True).click()
            expect(reader.page.get_by_role("status")).to_have_text(SAID[language].format(file))
            assert clipboard(reader) == what_is_copied(block), block.get_attribute("data-snippet")
            count += 1
    assert count >= 9  # the signature, and code and cases of four examples


def test_a_copy_button_works_by_keyboard(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide)
    allow_clipboard(reader)
    reader.open("en")
    empty_clipboard(reader)
    reader.page.locator("#contract .headerlink").focus()
    reader.press_tab_until("[data-snippet] button", at_most=3)
    reader.page.keyboard.press("Enter")
    assert clipboard(reader) == (SNIPPETS / "signature.py").read_bytes().decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_on_every_page_copies_its_markdown(
    new_reader: NewReader, any_guide: BuiltSite, language: str
) -> None:
    copy, view, said = PAGE[language]
    reader = new_reader(any_guide)
    allow_clipboard(reader)
    for url in pages_in(any_guide, language):
        reader.open(language, url)
        empty_clipboard(reader)
        markdown = (any_guide.folder / language / url / "index.md").read_bytes().decode()
        reader.page.get_by_role("button", name=copy).click()
        expect(reader.page.get_by_role("status")).to_have_text(said)
        assert clipboard(reader) == markdown, url
        link = reader.page.get_by_role("link", name=view)
        assert link.evaluate("link => fetch(link.href).then(answer => answer.text())") == markdown


def test_where_copying_is_refused_the_reader_is_told(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide)
    reader.page.add_init_script(
        "navigator.clipboard.write = () => Promise.reject(new Error('refused'))"
    )
    reader.open("en", "")
    reader.page.get_by_role("button", name="Copy page as Markdown").click()
    expect(reader.page.get_by_role("status")).to_have_text(
        "Could not copy. Select the text and copy it yourself."
    )


def test_the_clipboard_is_read_as_it_was_written(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide)
    allow_clipboard(reader)
    reader.open("en", "")
    for text in ("a\n", "a\n\n", " \tb", "ё 中文\n"):
        reader.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        assert clipboard(reader) == text
