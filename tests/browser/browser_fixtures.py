"""Fixtures: an installed Chromium, the built sites, readers, and what one saw of every page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import cast

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from axe import AXE
from built import AT_ROOT, BELOW_A_PATH, BuiltSite
from installed import chromium_program, node_module
from reader import SUBMIT, NewReader, OpenPage, Reader, Scheme, Window
from site_server import SiteServer
from tour import PARTS, Part, Visits, look_at
from windows import Windows

pytest_plugins = ["site_fixtures"]

QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
QUIET += ["--disable-background-networking", "--disable-component-update", "--no-proxy-server"]
# A page does not live long enough for code that is made faster to pay off, nor to need its memory
# back; and the next one has much of the same code.
QUIET += ["--js-flags=--no-opt --no-maglev --no-flush-bytecode --min-semi-space-size=32"]


@pytest.fixture(scope="session")
def server() -> Iterator[SiteServer]:
    """A server on a free port of this machine."""
    with SiteServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """The driver of all browsers of a run: one process can have no second one."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(server: SiteServer, playwright: Playwright) -> Iterator[Browser]:
    """The browser of a run. Whatever host it asks for, it finds our server or none."""
    program = chromium_program()
    here = f"MAP 127.0.0.1 127.0.0.1:{server.server_port}, MAP * ~NOTFOUND"
    browser = playwright.chromium.launch(
        executable_path=program,
        args=[*QUIET, f"--host-resolver-rules={here}"],
    )
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def serve(server: SiteServer, build: Callable[[str], BuiltSite]) -> Callable[[str], BuiltSite]:
    """Builds the site for an address, and serves it there."""
    return lambda root_url: server.add(build(root_url))


@pytest.fixture(scope="session")
def guide(serve: Callable[[str], BuiltSite]) -> BuiltSite:
    """The site at the root of a host."""
    return serve(AT_ROOT)


@pytest.fixture(scope="session", params=[AT_ROOT, BELOW_A_PATH], ids=["at root", "below a path"])
def any_guide(request: pytest.FixtureRequest, serve: Callable[[str], BuiltSite]) -> BuiltSite:
    """The site at the root of a host, and below a path."""
    return serve(request.param)


@pytest.fixture(scope="session")
def windows(chromium: Browser) -> Windows:
    """The windows of the browser."""
    return Windows(chromium)


@pytest.fixture(scope="session")
def look(
    server: SiteServer, windows: Windows, serve: Callable[[str], BuiltSite]
) -> Callable[[str, str], Visits]:
    """Looks at the pages of a site in a language, once in a run."""
    server.lend(AXE, node_module("axe-core/axe.min.js"))
    known: set[str] = set()
    return cache(lambda root_url, language: look_at(windows, serve(root_url), language, known))


@pytest.fixture(params=PARTS, ids=str)
def part(request: pytest.FixtureRequest) -> Part:
    """A site and a language; tests/conftest.py has one worker run the tests of all parts."""
    return cast(Part, request.param)


@pytest.fixture
def part_site(part: Part, serve: Callable[[str], BuiltSite]) -> BuiltSite:
    """The site of a part."""
    return serve(part.root_url)


@pytest.fixture
def visits(part: Part, look: Callable[[str, str], Visits]) -> Visits:
    """What was seen on each page of a part, by its address below the language."""
    return look(part.root_url, part.language)


@pytest.fixture
def new_reader(windows: Windows) -> Iterator[NewReader]:
    """Makes readers. A test fails where one of them met a problem."""
    readers: list[Reader] = []
    with ExitStack() as opened:

        def new(site: BuiltSite, window: Window | None = None) -> Reader:
            readers.append(opened.enter_context(windows.reading(site, window)))
            return readers[-1]

        yield new
    problems = [problem for reader in readers for problem in reader.guard.problems]
    if problems:
        pytest.fail("\n".join(problems))


@pytest.fixture
def open_page(new_reader: NewReader, guide: BuiltSite) -> OpenPage:
    """Opens pages of the guide at the root of a host; each is watched for problems."""

    def open_(
        language: str, url: str = SUBMIT, prefers: Scheme = "light", width: int = 1280
    ) -> Page:
        reader = new_reader(guide, Window(prefers=prefers, width=width))
        reader.open(language, url)
        return reader.page

    return open_
