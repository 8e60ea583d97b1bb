"""`make serve` from its start to its end: what it shows, and that it leaves nothing behind."""

from __future__ import annotations

import http.client
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any

import pytest

from docs_build.project import this_project
from small_site import append, edit, small_site

PATIENCE = 120.0  # seconds that a line or an event may take on a busy machine

# Loaded by every Python that the server starts, and by its own. It notes all that would ask the
# network; and MkDocs, by its hook, keeps it waiting for as long as there is a file named `hold`.
GUARD = """
import os, pathlib, socket, sys, time
here = pathlib.Path(__file__).parent

def note(name, text):
    with (here / name).open("a") as file:
        file.write(text + "\\n")

def guarded(name, ask):
    def asked(*given, **more):
        if not any(str(each).startswith(("127.", "('127.", "/")) for each in given):
            note("asked", f"{name}{given}")
        return ask(*given, **more)
    return asked

note("loaded", " ".join(sys.orig_argv))
for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getfqdn"):
    setattr(socket, name, guarded(name, getattr(socket, name)))
for name in ("connect", "connect_ex", "sendto"):
    setattr(socket.socket, name, guarded(name, getattr(socket.socket, name)))

def mkdocs_runs():
    note("loaded", "-m mkdocs build")
    if (here / "hold").exists():
        with (here / "held").open("w") as fifo:
            fifo.write("held\\n")
        time.sleep(3600)
"""
HOOK = "\nimport sitecustomize\nsitecustomize.mkdocs_runs()\n"


class Serving:
    """`python -m docs_build serve` on a small site, and a browser's stream of its events."""

    def __init__(self, root: Path, guard: Path) -> None:
        self.root = root
        self.guard = guard
        self.port = free_port()
        self.made = root / f"build/serve-{self.port}"
        (self.made / "left").mkdir(parents=True)  # by one that was killed
        self.process = self.start()
        self._lines = lines_of(self.process.stdout)
        self._events: queue.Queue[str] | None = None

    def start(self) -> subprocess.Popen[str]:
        """Start a server on the port; the second one is refused it."""
        return subprocess.Popen(
            (sys.executable, "-m", "docs_build", "serve"),
            cwd=self.root,
            env=os.environ | {"PORT": str(self.port), "PYTHONPATH": str(self.guard)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )

    def line(self) -> str:
        """The next line in the terminal."""
        return self._lines.get(timeout=PATIENCE).rstrip("\n")

    def event(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next state that a browser is told of which this holds."""
        if self._events is None:
            with closing(self._connection()) as connection:  # the answer keeps it open
                connection.request("GET", "/_live/events")
                self._events = lines_of(connection.getresponse())
        while True:
            line = self._events.get(timeout=PATIENCE)
            assert line, "the stream ended"
            if line.startswith("data: "):
                state: dict[str, Any] = json.loads(line.removeprefix("data: "))
                if wanted(state):
                    return state

    def get(self, path: str) -> tuple[int, str]:
        """What a browser gets at a path."""
        with closing(self._connection()) as connection:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read().decode()

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def end_by(self, number: signal.Signals) -> str:
        """End it by a signal; what it still said. Nothing is left of it."""
        self.process.send_signal(number)
        assert self.process.wait(PATIENCE) == 0
        said = ""
        while line := self._lines.get(timeout=PATIENCE):
            said += line
        assert processes_in(self.root) == []
        assert not self.made.exists()
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            other.bind(("127.0.0.1", self.port))
        return said

    def asked_of_the_network(self) -> list[str]:
        """What any of its processes asked; each of them is known to have been watched."""
        loaded = (self.guard / "loaded").read_text().splitlines()
        for module in ("docs_build serve", "docs_build.build_again", "mkdocs build"):
            assert any(f"-m {module}" in command for command in loaded)
        asked = self.guard / "asked"
        return asked.read_text().splitlines() if asked.exists() else []


def lines_of(stream: IO[str] | http.client.HTTPResponse | None) -> queue.Queue[str]:
    """The lines of a stream, as they come; the last one is empty."""
    assert stream is not None
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        with stream:
            for line in stream:
                lines.put(line if isinstance(line, str) else line.decode())
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    return lines


def free_port() -> int:
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        port: int = any_port.getsockname()[1]
        return port


def processes_in(folder: Path) -> list[str]:
    """The processes whose working directory is a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink() == folder:
                found.append((process / "cmdline").read_text().replace("\0", " "))
        except OSError:  # it ended, or is another's
            continue
    return found


@pytest.fixture
def guard(tmp_path: Path) -> Path:
    folder = tmp_path / "guard"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(GUARD, "utf-8")
    os.mkfifo(folder / "held")
    return folder


@pytest.fixture
def serve(tmp_path: Path, guard: Path) -> Iterator[Callable[[], Serving]]:
    """Starts the server; the sources are there before."""
    root = tmp_path / "project"
    root.mkdir()
    append(small_site(root).root / "docs_build/mkdocs_hook.py", HOOK)
    started: list[Serving] = []

    def start() -> Serving:
        started.append(Serving(root, guard))
        return started[-1]

    yield start
    for serving in started:
        serving.process.kill()
        serving.process.wait()


def test_changes_and_mistakes_are_shown_in_the_terminal_and_in_the_browser(
    serve: Callable[[], Serving],
) -> None:
    serving = serve()
    page, limits = serving.root / "docs/ru/index.md", serving.root / "skynet_stub/limits.py"
    assert serving.line() == "Building the site ..."
    assert not (serving.made / "left").exists()
    assert serving.line() == f"Serving http://127.0.0.1:{serving.port}/ (Ctrl-C ends it)"
    first = serving.event(lambda state: state["searchable"])
    assert serving.get("/ru/pagefind/nothing")[0] == 404
    assert f'data-build="{first["build"]}"' in serving.get("/ru/")[1]

    append(page, "\nНовая строка.\n")
    built = serving.event(lambda state: state["build"] != first["build"])
    assert "Новая строка." in serving.get("/ru/")[1]
    assert "docs/ru/index.md changed: ru built again, 1 page, " in serving.line()
    assert serving.event(lambda state: state["searchable"])["build"] == built["build"]

    append(page, "\n[Нет](nowhere.md)\n")
    wrong = serving.event(lambda state: state["faults"])
    (fault,) = wrong["faults"]
    assert wrong["build"] == built["build"]
    assert fault["place"] == "docs/ru/index.md:17"
    assert fault["remedy"] == "Mend the page; a warning fails the build."
    assert serving.line() == f"{fault['place']}: {fault['problem']} {fault['remedy']}"
    assert "docs/ru/index.md changed: not built, 1 mistake, " in serving.line()
    assert "Новая строка." in serving.get("/ru/")[1]

    edit(page, "\n[Нет](nowhere.md)\n", "")
    mended = serving.event(lambda state: not state["faults"])
    assert mended["build"] == built["build"]
    assert "docs/ru/index.md changed: all pages stay as they were, " in serving.line()

    edit(limits, "METRIC_TIMEOUT_SECONDS = 60", "METRIC_TIMEOUT_SECONDS = = 60")
    (fault,) = serving.event(lambda state: state["faults"])["faults"]
    assert fault["place"].startswith("skynet_stub/limits.py:")
    assert fault["problem"] == "the build itself failed: SyntaxError: invalid syntax"
    assert serving.line().startswith(fault["place"])
    assert "skynet_stub/limits.py changed: not built, 1 mistake, " in serving.line()
    edit(limits, "METRIC_TIMEOUT_SECONDS = = 60", "METRIC_TIMEOUT_SECONDS = 61")
    serving.event(lambda state: not state["faults"])
    assert "skynet_stub/limits.py changed: en, ru built again, 2 pages, " in serving.line()
    assert "61" in serving.get("/en/concepts/first/")[1]

    assert serving.end_by(signal.SIGINT).strip() == ""
    assert serving.asked_of_the_network() == []


def test_a_site_that_cannot_be_built_at_first_is_served_once_it_is_mended(
    serve: Callable[[], Serving], tmp_path: Path
) -> None:
    page = tmp_path / "project/docs/en/index.md"
    edit(page, "# Start {#start}", "# Start")
    serving = serve()
    assert serving.line() == "Building the site ..."
    fault = serving.line()
    assert fault.startswith("docs/en/index.md:6: ")
    assert serving.line() == f"Serving http://127.0.0.1:{serving.port}/ (Ctrl-C ends it)"
    status, shown = serving.get("/en/")
    assert (status, fault.split(": ")[0] in shown) == (503, True)
    assert serving.event(lambda state: state["faults"])["build"] == ""
    edit(page, "# Start", "# Start {#start}")
    assert serving.event(lambda state: state["build"])["faults"] == []
    assert serving.get("/en/")[0] == 200
    assert "docs/en/index.md changed: en, ru built again, 6 pages, " in serving.line()
    serving.end_by(signal.SIGTERM)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_of_a_build_that_is_interrupted(
    serve: Callable[[], Serving], guard: Path, number: signal.Signals
) -> None:
    (guard / "hold").touch()
    serving = serve()
    assert serving.line() == "Building the site ..."
    (guard / "held").read_text()  # MkDocs is running, in a fork of the build
    builds = [one for one in processes_in(serving.root) if "-m docs_build.build_again" in one]
    assert len(builds) > 1
    assert serving.end_by(number).strip() == ""


def test_a_change_during_a_build_is_in_what_is_served(
    serve: Callable[[], Serving], guard: Path
) -> None:
    (guard / "hold").touch()
    serving = serve()
    assert serving.line() == "Building the site ..."
    (guard / "held").read_text()
    (guard / "hold").unlink()
    append(serving.root / "docs/en/index.md", "\nMeanwhile.\n")
    assert "docs/en/index.md changed: en, ru built again, 6 pages, " in serving.line()
    assert "Meanwhile." in serving.get("/en/")[1]
    serving.end_by(signal.SIGINT)


def test_a_second_server_is_refused_before_it_builds_anything(
    serve: Callable[[], Serving], guard: Path
) -> None:
    (guard / "hold").touch()
    serving = serve()
    assert serving.line() == "Building the site ..."
    (guard / "held").read_text()
    second = serving.start()
    said, _ = second.communicate(timeout=PATIENCE)
    assert second.returncode == 1
    assert said == (
        f"127.0.0.1:{serving.port}: the port is in use, perhaps by another `make serve`."
        " Stop that one, or set PORT=8001.\n"
    )
    assert serving.made.exists()
    assert serving.get("/")[0] == 503
    serving.end_by(signal.SIGINT)


def test_make_serve_asks_no_registry_once_the_lock_is_installed(tmp_path: Path) -> None:
    """A Python that only notes what it is called for stands in for that of the environment."""
    shutil.copy(this_project().root / "Makefile", tmp_path)
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements/site.txt").touch()
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/called\n', "utf-8")
    python.chmod(0o755)
    for name in ("pyvenv.cfg", "site.stamp"):
        (tmp_path / ".venv" / name).touch()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    done = subprocess.run(
        ("make", "serve"), cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    called = [
        call for call in (tmp_path / "called").read_text().splitlines() if "import" not in call
    ]
    assert called == ["-m docs_build catalogs", "-m docs_build serve"]
    assert (done.stdout, done.stderr) == ("", "")
