"""Serves built sites as their hosts would: each at its own address, below a path too."""

from __future__ import annotations

import gzip
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from built import BuiltSite


class SiteServer(ThreadingHTTPServer):
    """One server on a free port for any number of sites, told apart by the address asked for.

    The browser is told that the host of every site is this server, so a page is seen at the very
    address that it was built for, and no test needs a certain port.
    """

    request_queue_size = 64

    def __init__(self, compresses: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folders: dict[str, Path] = {}
        self.lent: dict[str, Path] = {}
        self.compresses = compresses

    def add(self, site: BuiltSite) -> BuiltSite:
        """Serve one more site."""
        self.folders[site.root_url] = site.folder
        return site

    def lend(self, name: str, file: Path) -> None:
        """Let a file be found at the root of every site, as if it were of the site."""
        self.lent[name] = file


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: SiteServer

    def translate_path(self, path: str) -> str:
        """The file at an address; one that is not there for an address outside of all sites."""
        address = f"http://{self.headers['Host']}{path}"
        for root_url, folder in self.server.folders.items():
            if address.startswith(root_url):
                self.directory = str(folder)
                lent = self.server.lent.get(address.removeprefix(root_url))
                if lent is not None:
                    return str(lent)
                return super().translate_path(f"/{address.removeprefix(root_url)}")
        self.directory = ""
        return "/nothing/here"

    def do_GET(self) -> None:
        """Compress what is text, where the server does so, as the hosts of sites do."""
        file = Path(self.translate_path(self.path))
        file = file / "index.html" if file.is_dir() else file
        kind = self.guess_type(file)
        if not self.server.compresses or not file.is_file() or not kind.startswith("text/"):
            super().do_GET()
            return
        body = gzip.compress(file.read_bytes())
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def list_directory(self, path: object) -> None:
        """A folder without a page is no page."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's own 404 page."""
        page = Path(self.directory, "404.html")
        if code != HTTPStatus.NOT_FOUND or not self.directory or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing about each request."""
