"""Each page stands beside itself as Markdown, and llms.txt leads to it."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest

from built import LANGUAGES, BuiltPage, BuiltSite

pytest_plugins = ["site_fixtures"]
FENCE = re.compile(r'^(`{3,})([a-z]+) title="([^"]+)"\n(.*?)^\1$\n?', re.DOTALL | re.MULTILINE)
INLINE_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
HEADING = re.compile(r"^(#{1,6}) (.+) \{#([a-z0-9-]+)\}$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def twin(page: BuiltPage) -> str:
    return page.file.with_name("index.md").read_text("utf-8")


def prose(markdown: str) -> str:
    """A Markdown text without its code."""
    return INLINE_CODE.sub("", FENCE.sub("", markdown))


def test_a_twin_shows_the_code_of_its_page_to_the_byte(site: BuiltSite) -> None:
    count = 0
    for page in site.all_pages.values():
        shown = [
            (block.select(".filename")[0].get_text(), pre.get_text())
            for block in page.found("div[data-snippet]")
            for pre in block.select("pre")
        ]
        found = [(title, code) for _, _, title, code in FENCE.findall(twin(page))]
        assert found == shown, page.address
        count += len(found)
    assert count >= 3 * 9


def test_a_twin_has_the_headings_of_its_page_and_begins_with_the_first(site: BuiltSite) -> None:
    for page in site.pages.values():
        markdown = FENCE.sub("", twin(page))
        found = [(f"h{len(marks)}", id_) for marks, _, id_ in HEADING.findall(markdown)]
        headings = page.article.select("h1, h2, h3, h4, h5, h6")
        assert found == [(heading.name, str(heading["id"])) for heading in headings]
        assert markdown.startswith("# ")
        assert markdown.endswith("\n")


def test_a_twin_has_the_tables_tabs_and_notes_of_its_page(site: BuiltSite) -> None:
    for page in site.pages.values():
        markdown = FENCE.sub("", twin(page))
        rows = [line for line in markdown.split("\n") if line.startswith("| ")]
        tables = page.article.select("table")
        assert len(rows) == sum(len(table.select("tr")) + 1 for table in tables), page.address
        for label in page.article.select(".tabbed-labels label"):
            assert f"\n**{label.get_text()}**\n" in markdown
        for title in page.article.select(".admonition-title"):
            assert f"\n> **{title.get_text()}**\n" in markdown


def letters(text: str) -> str:
    """Letters and digits alone: what no mark of Markdown changes."""
    return re.sub(r"\W", "", text)


def test_a_twin_says_every_word_of_its_page_in_order(site: BuiltSite) -> None:
    for page in site.pages.values():
        said = letters(re.sub(r"\]\([^)]*\)|<br>", "", twin(page)))
        place = 0
        for text in page.article.select("p, li, td"):
            if not text.select("p, ul, ol"):
                words = letters(text.get_text())
                place = said.find(words, place)
                assert place >= 0, f"{page.address}: {text.get_text()!r}"


def test_nothing_that_only_the_build_understands_is_left_in_a_twin(any_site: BuiltSite) -> None:
    for page in any_site.pages.values():
        left = re.sub(r" \{#[a-z0-9-]+\}$", "", prose(twin(page)), flags=re.MULTILINE)
        for mark in (":::", "===", "!!!", "???", "{:", "{ ", "{#", "data-", "<span", "```"):
            assert mark not in left, f"{page.address}: {mark}"
        assert not left.startswith("---")


def test_a_link_of_a_twin_leads_to_a_twin_and_to_a_heading_in_it(any_site: BuiltSite) -> None:
    count = 0
    for page in any_site.pages.values():
        for target in LINK.findall(prose(twin(page))):
            address = urljoin(f"{page.address}index.md", target)
            if address.startswith(any_site.root_url):
                address, _, anchor = address.partition("#")
                file = any_site.file_at(address)
                assert file is not None, f"{page.address}: {target}"
                if file.suffix == ".whl":
                    continue
                assert file.name == "index.md", f"{page.address}: {target}"
                ids = [id_ for _, _, id_ in HEADING.findall(file.read_text("utf-8"))]
                assert not anchor or anchor in ids, f"{page.address}: {target}"
                count += 1
    assert count >= 3 * 2


def test_a_page_names_its_twin_to_programs_and_offers_it_to_readers(any_site: BuiltSite) -> None:
    for page in any_site.pages.values():
        links = [
            link for name in ("link", "a") for link in page.found(f"{name}[type='text/markdown']")
        ]
        assert [link.name for link in links] == ["link", "a"]
        for link in links:
            file = any_site.file_at(urljoin(page.address, str(link["href"])))
            assert file == page.file.with_name("index.md")
        assert [str(rel) for rel in links[0].get_attribute_list("rel") if rel] == ["alternate"]


WORDS = {
    "en": (
        "Copy page as Markdown",
        "View as Markdown",
        "The page is copied as Markdown.",
        "Copy {name}",
        "Copied: {name}",
    ),
    "zh-Hans": (
        "复制本页的 Markdown",
        "查看 Markdown",
        "本页的 Markdown 已复制。",
        "复制 {name}",
        "已复制：{name}",
    ),
    "ru": (
        "Скопировать страницу как Markdown",
        "Открыть как Markdown",
        "Страница скопирована как Markdown.",
        "Скопировать {name}",
        "Скопировано: {name}",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_copying_speaks_the_language_of_the_reader(site: BuiltSite, language: str) -> None:
    for url in site.urls:
        page = site.page(language, url)
        (button,) = page.article.select("h1 + .guide-markdown > button[data-guide-copy-page]")
        (link,) = page.article.select("h1 + .guide-markdown > a")
        (status,) = page.soup.select("[role=status][data-guide-status]")
        assert (
            button.get_text(strip=True),
            link.get_text(strip=True),
            status["data-page-copied"],
            status["data-copy-code"],
            status["data-code-copied"],
        ) == WORDS[language]
        assert status.get_text() == ""
        assert status["data-copy-failed"]


def entries(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^- \[(.+)\]\((.+)\): \S.*$", text, re.MULTILINE)


def test_the_file_for_programs_lists_every_page_of_its_language(any_site: BuiltSite) -> None:
    for language in LANGUAGES:
        text = (any_site.folder / language / "llms.txt").read_text("utf-8")
        pages = {
            f"{page.address}index.md": str(page.article.select("h1")[0].find(string=True))
            for (of_language, _), page in any_site.all_pages.items()
            if of_language == language and page.stands_for_itself
        }
        found = entries(text)
        assert {address: title for title, address in found} == pages
        assert len(found) == len(pages)
        assert found[0][1] == f"{any_site.root_url}{language}/index.md"
        assert all(any_site.file_at(address) for _, address in found)


def test_the_file_for_programs_at_the_root_leads_to_every_language(any_site: BuiltSite) -> None:
    text = (any_site.folder / "llms.txt").read_text("utf-8")
    english = (any_site.folder / "en/llms.txt").read_text("utf-8")
    assert text.startswith(english)
    assert entries(text.removeprefix(english)) == [
        ("简体中文", f"{any_site.root_url}zh-Hans/llms.txt"),
        ("Русский", f"{any_site.root_url}ru/llms.txt"),
    ]
