"""Fixtures: an installed Chromium, the built sites served to it, and readers with fresh windows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from built import AT_ROOT, BELOW_A_PATH, BuiltSite
from installed import chromium_program
from reader import SCORERS, NewReader, OpenPage, Reader, Scheme, Window, reading
from site_server import SiteServer

pytest_plugins = ["site_fixtures"]

QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
QUIET += ["--disable-background-networking", "--disable-component-update", "--no-proxy-server"]


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


@pytest.fixture
def new_reader(chromium: Browser) -> Iterator[NewReader]:
    """Makes readers, each in a fresh window. A test fails where one of them met a problem."""
    readers: list[Reader] = []
    with ExitStack() as windows:

        def new(site: BuiltSite, window: Window | None = None) -> Reader:
            readers.append(windows.enter_context(reading(chromium, site, window)))
            return readers[-1]

        yield new
    problems = [problem for reader in readers for problem in reader.guard.problems]
    if problems:
        pytest.fail("\n".join(problems))


@pytest.fixture
def open_page(new_reader: NewReader, guide: BuiltSite) -> OpenPage:
    """Opens pages of the guide at the root of a host; each is watched for problems."""

    def open_(
        language: str, url: str = SCORERS, prefers: Scheme = "light", width: int = 1280
    ) -> Page:
        reader = new_reader(guide, Window(prefers=prefers, width=width))
        reader.open(language, url)
        return reader.page

    return open_
