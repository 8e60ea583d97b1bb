"""Nothing keeps people from reading: axe-core finds nothing serious, and the keyboard suffices."""

from __future__ import annotations

import re

import pytest

from axe import CONTRAST, LINK, colours, findings, serious
from built import LANGUAGES, BuiltSite
from reader import SCORERS, SUBMIT, NewReader, OpenPage, Scheme, Window
from tour import ALL_SHOWN

pytest_plugins = ["browser_fixtures"]

SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_open_menu_of_languages_has_no_serious_fault(
    new_reader: NewReader, guide: BuiltSite, scheme: Scheme
) -> None:
    reader = new_reader(guide, Window(prefers=scheme))
    reader.open("en")
    reader.language_button().hover()
    reader.language_link("ru").hover()  # waits until the menu has stopped moving
    found = serious(reader.page, findings(reader.page, ".md-header"))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("address", ["nowhere", "ru/nowhere"])
def test_the_answer_to_a_wrong_address_has_no_serious_fault(
    new_reader: NewReader, guide: BuiltSite, address: str, scheme: Scheme
) -> None:
    reader = new_reader(guide, Window(prefers=scheme))
    reader.guard.forgive(address)
    reader.go(f"{guide.root_url}{address}")
    found = serious(reader.page, findings(reader.page))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_choice_at_the_root_has_no_serious_fault(
    new_reader: NewReader, guide: BuiltSite, scheme: Scheme
) -> None:
    # axe needs scripts, and with scripts the root page goes on at once: so a copy is judged that
    # has none of its own.
    without = new_reader(guide, Window(javascript=False))
    without.go(guide.root_url)
    choice = re.sub(r"(?s)<script>.*?</script>", "", without.page.content())
    reader = new_reader(guide, Window(prefers=scheme, own=True))
    reader.page.set_content(choice)
    assert len(reader.page.get_by_role("link").all()) == 3
    found = serious(reader.page, findings(reader.page))
    assert not found, "\n".join(found)


def test_axe_finds_what_it_should(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide)
    reader.open("en")
    reader.page.evaluate(
        """() => {
            const faint = document.createElement("p")
            faint.textContent = "Hard to read."
            faint.style.color = "#ccc"
            const small = document.createElement("div")
            small.innerHTML = "<button>a</button><button></button>"
            for (const button of small.children)
                button.style = "width: 10px; height: 10px; padding: 0; font-size: 6px"
            document.querySelector("article").append(faint, small)
        }"""
    )
    assert {found.rule for found in findings(reader.page) if found.impact != "moderate"} == {
        CONTRAST,
        "button-name",
        "target-size",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_stop_of_the_tab_key_is_a_link_to_the_text(
    new_reader: NewReader, guide: BuiltSite, language: str
) -> None:
    reader = new_reader(guide)
    reader.open(language)
    reader.page.keyboard.press("Tab")
    assert reader.focused("a.md-skip")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_url("**#submit-a-run")
    assert reader.place == f"{language}/{SUBMIT}#submit-a-run"


def test_axe_finds_the_one_faint_word_among_many(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide)
    reader.open("en", SCORERS)
    reader.page.add_style_tag(content=ALL_SHOWN)
    assert colours(reader.page) == []
    reader.page.evaluate(
        "() => { [...document.querySelectorAll('pre .s2')].at(-1).style.color = '#ccc' }"
    )
    (found,) = colours(reader.page)
    assert "#cccccc" in found.summary


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_the_one_link_that_only_its_colour_tells_from_the_text(
    open_page: OpenPage, scheme: Scheme
) -> None:
    page = open_page("en", prefers=scheme)
    page.add_style_tag(content=ALL_SHOWN)
    assert colours(page) == []
    page.evaluate(
        """() => {
            const links = [...document.querySelectorAll("article p > a[href]")]
            links.at(-1).style.textDecoration = "none"
        }"""
    )
    (found,) = colours(page)
    assert found.rule == LINK


def test_axe_finds_a_faint_text_in_a_panel_of_our_own(
    new_reader: NewReader, guide: BuiltSite
) -> None:
    reader = new_reader(guide)
    reader.open("en", "")
    reader.page.evaluate(
        """() => {
            const faint = document.createElement("p")
            faint.textContent = "Hard to read."
            faint.style.color = "#ccc"
            const panel = document.createElement("div")
            const link = Object.assign(document.createElement("a"), { href: "#" })
            link.textContent = "A link."
            panel.attachShadow({ mode: "open" }).append(faint, link)
            document.querySelector("article").append(panel)
        }"""
    )
    (found,) = colours(reader.page)
    assert "#cccccc" in found.summary
