"""The server answers as the site's host would, on this machine alone."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docs_build.__main__ import main
from docs_build.faults import Refusal
from docs_build.serve import server_of
from small_sources import the_fault, write

SITE = {"index.html": "root", "404.html": "missing", "en/index.html": "hello", "en/a/b.js": "1"}


@contextmanager
def answering(site: Path) -> Iterator[http.client.HTTPConnection]:
    with server_of(site, 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
        try:
            yield connection
        finally:
            connection.close()
            server.shutdown()
            thread.join()


def answer(connection: http.client.HTTPConnection, path: str) -> tuple[int, str, str]:
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.headers["Content-Type"], response.read().decode()


def test_pages_and_files_are_served(tmp_path: Path) -> None:
    with answering(write(tmp_path, SITE)) as connection:
        assert answer(connection, "/") == (200, "text/html", "root")
        assert answer(connection, "/en/?q=1") == (200, "text/html", "hello")
        assert answer(connection, "/en/a/b.js") == (200, "text/javascript", "1")


@pytest.mark.parametrize("path", ["/nothing", "/ru/", "/en/a/", "/../x", "/%2e%2e/x"])
def test_the_sites_own_page_answers_with_404(tmp_path: Path, path: str) -> None:
    site = write(tmp_path / "site", SITE)
    write(tmp_path, {"x": "secret"})
    with answering(site) as connection:
        assert answer(connection, path) == (404, "text/html; charset=utf-8", "missing")


def test_nothing_is_kept_by_the_browser(tmp_path: Path) -> None:
    with answering(write(tmp_path, SITE)) as connection:
        connection.request("HEAD", "/en/")
        assert connection.getresponse().headers["Cache-Control"] == "no-store"


def test_a_port_in_use_is_refused_in_one_line(tmp_path: Path) -> None:
    with server_of(tmp_path, 0) as server:
        with pytest.raises(Refusal) as caught:
            server_of(tmp_path, server.server_port)
        fault = the_fault(caught)
    assert fault.file == f"127.0.0.1:{server.server_port}"
    assert fault.problem == "the port is in use, perhaps by another `make serve`."
    assert fault.remedy == "Stop that one, or set PORT=8001."


def test_the_command_says_so_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with server_of(tmp_path, 0) as server:
        monkeypatch.setenv("PORT", str(server.server_port))
        assert main(["serve"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("port", ["x", "0", "65536", "-1", "８０００"])
def test_a_port_that_is_none_is_refused(
    port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PORT", port)
    assert main(["serve"]) == 1
    assert "is no port. Write a number from 1 to 65535." in capsys.readouterr().err


def test_ctrl_c_ends_the_server_quietly(tmp_path: Path) -> None:
    site = write(tmp_path, SITE)
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from pathlib import Path\n"
        "from docs_build.serve import serve_until_interrupted, server_of\n"
        f"with server_of(Path({str(site)!r}), 0) as server: serve_until_interrupted(server)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stdout is not None
    with process:
        assert process.stdout.readline().startswith("Serving http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out.strip(), err) == (0, "", "")
