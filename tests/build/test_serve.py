"""The server answers as the site's host would, on this machine alone, and tells of each change."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from docs_build.__main__ import main
from docs_build.faults import Fault, Refusal
from docs_build.live import Live
from docs_build.serve import server_of
from small_sources import the_fault, write

SITE = {
    "index.html": "<html><head></head>root",
    "404.html": "missing",
    "en/index.html": "hello",
    "en/a/b.js": "1",
    "ru/index.md": "# Метрики",
    "ru/llms.txt": "# Метрики",
}
SCRIPT = '<script src="/_live/live.js" data-build="run.0" data-number="run.0" defer></script>\n'
HTML = "text/html; charset=utf-8"


@contextmanager
def answering(live: Live) -> Iterator[http.client.HTTPConnection]:
    with server_of(live, 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
        try:
            yield connection
        finally:
            connection.close()
            server.shutdown()
            thread.join()


def of_site(tmp_path: Path) -> Live:
    return Live("run", write(tmp_path / "site", SITE))


def answer(connection: http.client.HTTPConnection, path: str) -> tuple[int, str, str]:
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.headers["Content-Type"], response.read().decode()


def told(response: http.client.HTTPResponse) -> dict[str, Any]:
    """The next state that a stream of events tells."""
    while not (line := response.readline()).startswith(b"data: "):
        assert line, "the stream ended"
    state: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
    return state


def test_pages_and_files_are_served_and_pages_get_the_script(tmp_path: Path) -> None:
    with answering(of_site(tmp_path)) as connection:
        page = f"<html><head>{SCRIPT}</head>root"
        assert answer(connection, "/") == (200, HTML, page)
        assert answer(connection, "/index.html") == (200, HTML, page)
        assert answer(connection, "/en/?q=1") == (200, HTML, f"hello{SCRIPT}")
        assert answer(connection, "/en/a/b.js") == (200, "text/javascript", "1")


def test_text_is_served_as_utf_8(tmp_path: Path) -> None:
    with answering(of_site(tmp_path)) as connection:
        markdown, plain = "text/markdown; charset=utf-8", "text/plain; charset=utf-8"
        assert answer(connection, "/ru/index.md") == (200, markdown, "# Метрики")
        assert answer(connection, "/ru/llms.txt") == (200, plain, "# Метрики")


@pytest.mark.parametrize("path", ["/nothing", "/ru/", "/en/a/", "/../x", "/%2e%2e/x", "/404.html/"])
def test_the_sites_own_page_answers_with_404(tmp_path: Path, path: str) -> None:
    write(tmp_path, {"x": "secret"})
    with answering(of_site(tmp_path)) as connection:
        assert answer(connection, path) == (404, HTML, f"missing{SCRIPT}")


@pytest.mark.parametrize(("path", "length"), [("/en/", 5 + len(SCRIPT)), ("/en/a/b.js", 1)])
def test_a_head_has_the_length_and_nothing_is_kept(tmp_path: Path, path: str, length: int) -> None:
    with answering(of_site(tmp_path)) as connection:
        connection.request("HEAD", path)
        response = connection.getresponse()
        assert response.headers["Content-Length"] == str(length)
        assert response.headers["Cache-Control"] == "no-store"
        assert response.read() == b""


def test_the_script_is_served_beside_the_site(tmp_path: Path) -> None:
    with answering(of_site(tmp_path)) as connection:
        status, kind, script = answer(connection, "/_live/live.js")
    assert (status, kind) == (200, "text/javascript; charset=utf-8")
    assert "EventSource" in script


def test_what_is_live_is_told_at_once_and_each_change_after_it(tmp_path: Path) -> None:
    live = of_site(tmp_path)
    with answering(live) as connection:
        connection.request("GET", "/_live/events")
        with connection.getresponse() as stream:
            assert stream.headers["Content-Type"] == "text/event-stream"
            first = {"number": "run.0", "build": "run.0", "faults": [], "searchable": False}
            assert told(stream) == first
            live.failed([Fault("a.md", 3, "Wrong.", "Mend it."), Fault("b.md", None, "Bad.", "")])
            assert told(stream) == first | {
                "number": "run.1",
                "faults": [
                    {"place": "a.md:3", "problem": "Wrong.", "remedy": "Mend it."},
                    {"place": "b.md", "problem": "Bad.", "remedy": ""},
                ],
            }
            live.built(tmp_path / "second")
            second = first | {"number": "run.2", "build": "run.2"}
            assert told(stream) == second
            live.mended(tmp_path / "third", searchable=True)
            assert told(stream) == second | {"number": "run.3", "searchable": True}
            live.failed([])
            assert told(stream)["number"] == "run.4"


def test_another_site_is_served_as_soon_as_it_is_built(tmp_path: Path) -> None:
    live = of_site(tmp_path)
    with answering(live) as connection:
        assert "hello" in answer(connection, "/en/")[2]
        live.built(write(tmp_path / "second", {"en/index.html": "another"}))
        page = 'another<script src="/_live/live.js" data-build="run.1" data-number="run.1" defer>'
        assert answer(connection, "/en/") == (200, HTML, f"{page}</script>\n")


def test_before_there_is_a_site_every_address_says_why(tmp_path: Path) -> None:
    live = Live("run")
    with answering(live) as connection:
        status, kind, page = answer(connection, "/en/any/")
        assert (status, kind) == (503, HTML)
        assert "<h1>The site is being built</h1>" in page
        assert '<script src="/_live/live.js" data-build="" data-number="run.0" defer>' in page
        live.failed([Fault("a.md", 3, "<x> is wrong.", "Mend it.")])
        status, _, page = answer(connection, "/")
        assert status == 503
        assert "<h1>The site cannot be built yet</h1>" in page
        assert "a.md:3: &lt;x&gt; is wrong. Mend it." in page
        live.built(write(tmp_path, SITE))
        assert answer(connection, "/en/")[0] == 200


def test_a_browser_that_goes_away_is_no_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = of_site(tmp_path)
    with answering(live) as connection:
        connection.request("GET", "/_live/events")
        stream = connection.getresponse()
        told(stream)
        stream.close()
        connection.close()
        for _ in range(3):  # what is written first may still be taken
            live.failed([])
        assert answer(connection, "/en/")[0] == 200
    assert capsys.readouterr().err == ""


def test_a_port_in_use_is_refused_in_one_line() -> None:
    with server_of(Live("one"), 0) as server:
        with pytest.raises(Refusal) as caught:
            server_of(Live("two"), server.server_port)
        fault = the_fault(caught)
    assert fault.file == f"127.0.0.1:{server.server_port}"
    assert fault.problem == "the port is in use, perhaps by another `make serve`."
    assert fault.remedy == "Stop that one, or set PORT=8001."


def test_the_command_says_so_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with server_of(Live("one"), 0) as server:
        monkeypatch.setenv("PORT", str(server.server_port))
        assert main(["serve"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    "port", ["x", "0", "65536", "-1", "８０００", "8" * 5000], ids=lambda port: port[:5]
)
def test_a_port_that_is_none_is_refused(
    port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PORT", port)
    assert main(["serve"]) == 1
    assert "is no port. Write a number from 1 to 65535." in capsys.readouterr().err
