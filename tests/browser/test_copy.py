"""The copy buttons give the exact bytes of the files that are shown, and of a page's Markdown."""

from __future__ import annotations

from playwright.sync_api import expect

from built import BuiltSite
from copied import NOTHING, Copied
from docs_build.project import this_project
from reader import SCORERS, NewReader, Reader, Window
from tour import Part, Visits

pytest_plugins = ["browser_fixtures"]

SNIPPETS = this_project().snippets
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


def what_is_copied(shown: Copied) -> str:
    """What a block of code shows; of a terminal the commands alone."""
    if not shown.terminal:
        return shown.source
    return "".join(f"{line[2:]}\n" for line in shown.source.split("\n") if line.startswith("$ "))


def test_every_copy_button_gives_the_exact_text_of_its_file(visits: Visits, part: Part) -> None:
    found = [copied for visit in visits.values() for copied in visit.copied]
    for copied in found:
        assert copied.shown, copied.name
        assert copied.name == NAMES[part.language].format(copied.title)
        assert copied.said == SAID[part.language].format(copied.title)
        assert copied.text == what_is_copied(copied), copied.name
    assert len(found) >= 9  # the signature, and code and cases of four examples


def test_a_copy_button_works_by_pointer(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide)
    allow_clipboard(reader)
    reader.open("en", SCORERS)
    empty_clipboard(reader)
    reader.page.get_by_role("button", name="Copy signature.py", exact=True).click()
    expect(reader.page.get_by_role("status")).to_have_text("Copied: signature.py")
    assert clipboard(reader) == (SNIPPETS / "signature.py").read_bytes().decode()


def test_a_copy_button_works_by_keyboard(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide)
    allow_clipboard(reader)
    reader.open("en", SCORERS)
    empty_clipboard(reader)
    reader.page.locator("#contract .headerlink").focus()
    reader.press_tab_until("[data-snippet] button", at_most=3)
    reader.page.keyboard.press("Enter")
    assert clipboard(reader) == (SNIPPETS / "signature.py").read_bytes().decode()


def test_a_button_on_every_page_copies_its_markdown(
    visits: Visits, part: Part, part_site: BuiltSite
) -> None:
    copy, view, said = PAGE[part.language]
    for url, visit in visits.items():
        file = part_site.folder / part.language / url / "index.md"
        markdown = file.read_bytes().decode()
        assert visit.copied_page == Copied(copy, True, said, markdown, view, markdown, False), url


def test_the_button_of_a_page_works_by_pointer(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide)
    allow_clipboard(reader)
    reader.open("ru", "")
    empty_clipboard(reader)
    reader.page.get_by_role("button", name=PAGE["ru"][0]).click()
    expect(reader.page.get_by_role("status")).to_have_text(PAGE["ru"][2])
    assert clipboard(reader) == (guide.folder / "ru" / "index.md").read_bytes().decode()


def test_where_copying_is_refused_the_reader_is_told(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide, Window(own=True))
    reader.page.add_init_script(
        "navigator.clipboard.write = () => Promise.reject(new Error('refused'))"
    )
    reader.open("en", "")
    reader.page.get_by_role("button", name=PAGE["en"][0]).click()
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
