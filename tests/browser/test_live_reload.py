"""The page that a writer looks at under `make serve` follows what is built, and shows mistakes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Playwright, expect

from axe import findings, serious
from docs_build.faults import Fault
from docs_build.live import Live
from docs_build.serve import address_of, server_of
from installed import chromium_program

pytest_plugins = ["browser_fixtures"]

POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " object-src 'none'; base-uri 'none'"
)
FAULT = Fault("docs/en/index.md", 3, "<b>This</b> is wrong.", "Mend it.")


def site(folder: Path, word: str) -> Path:
    """A site of one long page under a policy as strict as the guide's."""
    folder.mkdir()
    (folder / "index.html").write_text(
        f'<!doctype html><html lang="en"><head><title>{word}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<link rel="icon" href="data:,"></head><body><main><h1>{word}</h1>'
        f"{'<p>Prose.</p>' * 200}</main></body></html>",
        "utf-8",
    )
    return folder


@pytest.fixture
def live(tmp_path: Path) -> Live:
    return Live("run", site(tmp_path / "first", "First"))


@pytest.fixture
def page(live: Live, playwright: Playwright) -> Iterator[Page]:
    """A page that a browser shows, with nothing in its console."""
    said: list[str] = []
    with server_of(live, 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        browser = playwright.chromium.launch(executable_path=chromium_program())
        page = browser.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        with page.expect_response("**/_live/events"):  # from now on it is told
            page.goto(address_of(server))
        yield page
        browser.close()
        server.shutdown()
        thread.join()
    assert said == []


def alert(page: Page) -> Locator:
    return page.get_by_role("alert")


def test_the_page_is_loaded_again_where_it_was_scrolled_to(
    page: Page, live: Live, tmp_path: Path
) -> None:
    page.evaluate("scrollTo(0, 1234)")
    live.built(site(tmp_path / "second", "Second"))
    expect(page).to_have_title("Second")
    page.wait_for_function("() => scrollY === 1234")


def test_mistakes_are_shown_as_text_and_go_away_once_they_are_mended(
    page: Page, live: Live
) -> None:
    live.failed([FAULT, Fault("mkdocs.yml", None, "Bad.", "")])
    expect(alert(page).get_by_role("heading")).to_have_text("Not built: 2 mistakes")
    expect(alert(page).get_by_role("listitem")).to_have_text(
        ["docs/en/index.md:3<b>This</b> is wrong.Mend it.", "mkdocs.ymlBad."]
    )
    live.failed([FAULT])
    expect(alert(page).get_by_role("heading")).to_have_text("Not built: 1 mistake")
    assert serious(page, findings(page)) == []
    live.mended(live.state.site or Path(), searchable=True)
    expect(alert(page)).to_have_count(0)
    expect(page).to_have_title("First")


def test_mistakes_can_be_hidden_by_the_keyboard(page: Page, live: Live) -> None:
    live.failed([FAULT])
    button = alert(page).get_by_role("button", name="Hide")
    button.focus()
    page.keyboard.press("Enter")
    expect(alert(page)).to_have_count(0)


def test_the_page_that_waits_for_a_first_site_follows_what_is_wrong(
    tmp_path: Path, playwright: Playwright
) -> None:
    live = Live("run")
    with server_of(live, 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        browser = playwright.chromium.launch(executable_path=chromium_program())
        page = browser.new_page()
        page.goto(address_of(server))
        expect(page).to_have_title("The site is being built")
        live.failed([FAULT])
        expect(page).to_have_title("The site cannot be built yet")
        expect(page.get_by_role("listitem")).to_contain_text("docs/en/index.md:3: <b>This</b> is")
        assert serious(page, findings(page)) == []
        live.built(site(tmp_path / "first", "First"))
        expect(page).to_have_title("First")
        browser.close()
        server.shutdown()
        thread.join()
