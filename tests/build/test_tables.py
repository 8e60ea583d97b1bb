"""A cell of a table shows its text exactly, whatever the text holds."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag
from hypothesis import given
from hypothesis import strategies as st

from docs_build.converter import markdown_of
from docs_build.project import this_project
from docs_build.tables import code_cell, lines_cell, table, text_cell

MARKDOWN = markdown_of(this_project().configuration)
CHARACTERS = "ab `|\\*_<>&{}[]()#!~:+-.\"'$^=，。“”\u00a0\u202f"
TRICKY = st.text(alphabet=CHARACTERS, min_size=1, max_size=30)
ONE_LINE = TRICKY.map(str.strip).filter(bool)


def cells(markdown: str) -> list[Tag]:
    html = MARKDOWN.reset().convert(table(["a", "b"], [[markdown, "end"]]))
    return BeautifulSoup(html, "html.parser").find_all("td")


@given(ONE_LINE)
def test_code_comes_through_unchanged(text: str) -> None:
    found = cells(code_cell(text))
    assert len(found) == 2
    assert len(found[0].find_all("code")) == len(found[0].find_all()) == 1
    assert found[0].get_text() == text


@given(TRICKY.map(lambda text: text.replace("~", "\n")))
def test_plain_text_comes_through_as_text_with_single_blanks(text: str) -> None:
    found = cells(text_cell(text))
    assert len(found) == 2
    assert not found[0].find_all()
    single = re.sub("[ \n]+", " ", text).strip(" ")
    assert found[0].get_text() == single


@given(st.lists(ONE_LINE, min_size=1, max_size=4))
def test_lines_of_code_stay_apart(lines: list[str]) -> None:
    found = cells(lines_cell(lines))
    assert [code.get_text() for code in found[0].find_all("code")] == lines
    assert len(found[0].find_all("br")) == len(lines) - 1


def test_a_table_is_plain_markdown() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
