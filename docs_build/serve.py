"""Build the site and serve it on this machine."""

from __future__ import annotations

import errno
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from docs_build.faults import refuse
from docs_build.project import Project
from docs_build.site import build_site

HOST = "127.0.0.1"
PORT = 8000


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves a built site as its host would: no listings, and the site's own 404 page."""

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
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing about each request."""


def server_of(site: Path, port: int) -> ThreadingHTTPServer:
    """A server of a built site, listening. Raises `Refusal` where the port is taken."""
    handler = partial(SiteHandler, directory=str(site))
    try:
        return ThreadingHTTPServer((HOST, port), handler)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        problem = "the port is in use, perhaps by another `make serve`."
        raise refuse(f"{HOST}:{port}", None, problem, "Stop that one, or set PORT=8001.") from None


def serve(project: Project, port: int = PORT) -> None:
    """Build the site and serve it until Ctrl-C. Raises `Refusal` where it cannot be built."""
    with server_of(project.site, port) as server:  # first: a second server must not build
        print("Building the site ...", flush=True)
        build_site(project, address_of(server))
        serve_until_interrupted(server)


def serve_until_interrupted(server: ThreadingHTTPServer) -> None:
    """Say where the site is, and answer requests until Ctrl-C."""
    try:
        print(f"Serving {address_of(server)} (Ctrl-C ends it)", flush=True)
        server.serve_forever()
    except KeyboardInterrupt:
        print()  # the terminal shows ^C


def address_of(server: ThreadingHTTPServer) -> str:
    """The address of the root of a server's site."""
    return f"http://{HOST}:{server.server_port}/"
