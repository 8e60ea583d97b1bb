"""Notes everything that a page of the guide must not do while a reader looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

_INSIDE = ("data:", "blob:", "about:")
_LEFT = "net::ERR_ABORTED"  # the reader went on to another page before this came


class Guard:
    """Watches a window: errors, warnings, and requests that fail or leave the site."""

    def __init__(self, root_url: str) -> None:
        self.root_url = root_url
        self._problems: list[str] = []
        self._forgiven: list[str] = []

    @contextmanager
    def watching(self, context: BrowserContext) -> Iterator[None]:
        """Watch all pages of a window inside the block."""
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", self._response)
        yield
        context.remove_listener("console", self._console)
        context.remove_listener("weberror", self._error)
        context.remove_listener("request", self._request)
        context.remove_listener("requestfailed", self._failed)
        context.remove_listener("response", self._response)

    @property
    def problems(self) -> list[str]:
        """What was seen so far, apart from what a test has asked for itself."""
        return [
            problem
            for problem in self._problems
            if not any(words in problem for words in self._forgiven)
        ]

    def forgive(self, words: str) -> None:
        """Let pass what a test asks for on purpose: every problem that has these words in it."""
        self._forgiven.append(words)

    @contextmanager
    def new_problems(self) -> Iterator[list[str]]:
        """Gather what is seen inside the block; it is known at the end of it."""
        before = len(self.problems)
        found: list[str] = []
        yield found
        found.extend(self.problems[before:])

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            place = message.location
            where = f"{place['url']}:{place['lineNumber']}"
            self._problems.append(f"console {message.type}: {message.text} ({where})")

    def _error(self, error: WebError) -> None:
        self._problems.append(f"error in a script: {error.error.stack or error.error}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.root_url, *_INSIDE)):
            self._problems.append(f"request outside of the site: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != _LEFT:
            self._problems.append(f"failed request: {request.url} ({request.failure})")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._problems.append(f"answered with {response.status}: {response.url}")
