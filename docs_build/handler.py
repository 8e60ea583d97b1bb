"""Answer requests for a site as its host would, and keep the pages in the browser up to date."""

from __future__ import annotations

import io
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from docs_build.live import EVENTS, SCRIPT, SCRIPT_FILE, Live, waiting_page, with_script

_STILL_HERE = 15.0  # seconds after which a browser is written to, to notice that it went away


class SiteHandler(SimpleHTTPRequestHandler):
    """Answers one request, with the site that is served when it comes.

    There are no listings of folders, and the site has its own 404 page.
    """

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".md": "text/markdown; charset=utf-8",  # or a browser takes them for Latin letters
        ".txt": "text/plain; charset=utf-8",
    }

    def __init__(self, *connection: Any, live: Live) -> None:
        self._live = live
        self._state = live.state
        super().__init__(*connection, directory=str(self._state.site or ""))

    def do_GET(self) -> None:
        """Answer, or tell of each change from now on."""
        if urlsplit(self.path).path == EVENTS:
            self._tell()
        else:
            super().do_GET()

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Send the headers of what is at the address; what is to be sent after them."""
        address = urlsplit(self.path).path
        if address == SCRIPT:
            return self._send(SCRIPT_FILE.read_bytes(), "text/javascript")
        if self._state.site is None:
            page = waiting_page(self._state)
            return self._send(page, "text/html", HTTPStatus.SERVICE_UNAVAILABLE)
        path = Path(self.translate_path(address))
        if address.endswith("/"):
            path /= "index.html"
        if path.suffix == ".html" and path.is_file():
            return self._send(with_script(path.read_bytes(), self._state), "text/html")
        return super().send_head()

    def end_headers(self) -> None:
        """Let no browser keep a page that the next build replaces."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def list_directory(self, path: object) -> None:
        """A folder without a page is no page."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's 404 page where there is nothing at the address."""
        page = Path(self.directory, "404.html")
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = self._send(with_script(page.read_bytes(), self._state), "text/html", code)
        if self.command != "HEAD":
            self.wfile.write(body.getvalue())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing about each request."""

    def _send(self, body: bytes, type_: str, code: int = HTTPStatus.OK) -> io.BytesIO:
        self.send_response(code)
        self.send_header("Content-Type", f"{type_}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)

    def _tell(self) -> None:
        """Send the state now, and each later one, until the browser goes away."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b"retry: 500\n\n")
        state = self._live.state
        self.wfile.write(f"data: {state.message}\n\n".encode())
        while True:
            later = self._live.next_after(state, _STILL_HERE)
            if later is state:
                self.wfile.write(b": still here\n\n")
            else:
                self.wfile.write(f"data: {later.message}\n\n".encode())
            state = later
