"""On paper nothing can be clicked: all tabs are printed, and what only a screen needs is not."""

from __future__ import annotations

from itertools import pairwise

import pytest

from built import LANGUAGES, BuiltSite
from reader import SCORERS, NewReader, Window

pytest_plugins = ["browser_fixtures"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_tabs_are_printed(new_reader: NewReader, guide: BuiltSite, language: str) -> None:
    reader = new_reader(guide)
    reader.open(language, SCORERS)
    reader.tab_sets()[0].locator(".tabbed-labels label").nth(2).click()
    reader.page.emulate_media(media="print")
    sets = reader.page.locator(".tabbed-set").evaluate_all(
        """sets => sets.map(set => [...set.querySelectorAll(".tabbed-block")].map(block => {
            const { top, bottom } = block.getBoundingClientRect()
            return { visible: block.checkVisibility({ visibilityProperty: true }), top, bottom }
        }))"""
    )
    assert sets
    for blocks in sets:
        assert [block["visible"] for block in blocks] == [True, True, True]
        assert [block["bottom"] - block["top"] > 20 for block in blocks] == [True, True, True]
        assert all(above["bottom"] <= below["top"] + 1 for above, below in pairwise(blocks))


def test_buttons_are_not_printed(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide)
    reader.open("en", SCORERS)
    reader.page.emulate_media(media="print")
    assert not [button for button in reader.page.get_by_role("button").all() if button.is_visible()]
    assert not reader.page.locator(".md-header").is_visible()


def test_a_long_line_is_not_cut_off_on_paper(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide, Window(width=720))  # about the width of a sheet
    reader.open("en", SCORERS)
    reader.page.emulate_media(media="print")
    hidden = reader.page.locator("pre > code").evaluate_all(
        "codes => codes.filter(code => code.scrollWidth > code.clientWidth + 1)"
        ".map(code => code.textContent.slice(0, 60))"
    )
    assert hidden == []
