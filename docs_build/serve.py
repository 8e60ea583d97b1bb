"""Serve the site on this machine, and build it again whenever its sources change."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import socketserver
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import ThreadingHTTPServer
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from docs_build.faults import Fault, refuse, shown
from docs_build.handler import SiteHandler
from docs_build.live import Live
from docs_build.project import Project
from docs_build.watch import Watch, changed, snapshot, watching

HOST = "127.0.0.1"
PORT = 8000

_QUIET = 0.05  # seconds without a change, after which the changes are taken for complete
_LONGEST = 1.0  # seconds after which they are looked at in any case
_GRACE = 3.0  # seconds for a build to end by itself
_RING = object()  # something happened to the sources
_STOP = object()  # Ctrl-C, or another signal to end
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_FRAME = re.compile(r'^ *File "(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE)


class Server(ThreadingHTTPServer):
    """A thread for each request; a browser that goes away is no error."""

    def server_bind(self) -> None:
        """Bind without asking for the host's name, which may ask the network."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """Say what went wrong, unless it is only that nobody listens any more."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def server_of(live: Live, port: int) -> Server:
    """A server of what is live, listening. Raises `Refusal` where the port is taken."""
    try:
        return Server((HOST, port), lambda *connection: SiteHandler(*connection, live=live))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        problem = "the port is in use, perhaps by another `make serve`."
        raise refuse(f"{HOST}:{port}", None, problem, "Stop that one, or set PORT=8001.") from None


def address_of(server: Server) -> str:
    """The address of the root of a server's site."""
    return f"http://{HOST}:{server.server_port}/"


def serve(project: Project, port: int = PORT) -> None:
    """Build the site, serve it, and keep it up to date, until Ctrl-C or another signal to end.

    Raises `Refusal` where the port is taken, or the sources cannot be watched. Mistakes in the
    sources are shown, in the terminal and in the browser, until they are mended.
    """
    live = Live(f"{time.time_ns():x}")
    inbox: SimpleQueue[Any] = SimpleQueue()
    with server_of(live, port) as server:  # first: a second server must not build
        # All that is made lies in one folder, which the port makes ours alone.
        served = Project(project.root, f"{project.work}/serve-{server.server_port}")
        with (
            _ended_by_signals(inbox),
            _folder_for_now(served.build),
            _answering(server),
            watching(served, lambda: inbox.put(_RING)) as watch,
        ):
            _Builds(served, live, address_of(server), inbox, watch).run()


class _Builds:
    """Starts builds, one at a time, and passes on what they say."""

    def __init__(
        self, project: Project, live: Live, url: str, inbox: SimpleQueue[Any], watch: Watch
    ) -> None:
        self._project = project
        self._live = live
        self._url = url
        self._inbox = inbox
        self._watch = watch
        self._sources: dict[str, str] = {}
        self._changes: set[str] = set()  # since the last build that came to its end
        self._build: subprocess.Popen[str] | None = None
        self._outcome = ""  # what the running build has said so far
        self._started = 0.0
        self._count = 0
        self._trees: list[str] = []  # the one that is served, and the one before

    def run(self) -> None:
        """Build, and build again after each change, until the end is asked for."""
        print("Building the site ...", flush=True)
        self._sources = snapshot(self._project)
        self._start()
        try:
            self._listen()
        finally:
            self._stop()

    def _listen(self) -> None:
        first: float | None = None  # when it first rang, since the last look
        due: float | None = None
        while True:
            try:
                timeout = None if due is None else max(0.0, due - time.monotonic())
                message = self._inbox.get(timeout=timeout)
            except Empty:
                first = due = None
                self._look()
                continue
            if message is _STOP:
                if sys.stdout.isatty():
                    print()  # the terminal shows ^C
                return
            if message is _RING:
                now = time.monotonic()
                first = first or now
                due = min(now + _QUIET, first + _LONGEST)
            else:
                self._hear(*message)

    def _look(self) -> None:
        """Build again if a source changed, whatever rang."""
        self._watch.follow()
        sources = snapshot(self._project)
        names = changed(self._sources, sources)
        if names:
            self._sources = sources
            self._changes |= set(names)
            self._stop()
            self._start()

    def _start(self) -> None:
        self._count += 1
        self._started = time.monotonic()
        self._outcome = ""
        self._remove_trees()
        temporary = self._project.build / "tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        command = [
            *(sys.executable, "-m", "docs_build.build_again"),
            *("--work", self._project.work, "--url", self._url, "--fresh", str(self._count)),
            *(("--current", self._trees[-1]) if self._trees else ()),
        ]
        with self._errors.open("wb") as errors:
            self._build = subprocess.Popen(
                command,
                cwd=self._project.root,
                env=os.environ | {"TMPDIR": str(temporary)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                encoding="utf-8",
                start_new_session=True,  # Ctrl-C is for us, and all that it starts ends with it
            )
        Thread(target=_read, args=(self._build, self._inbox), daemon=True).start()

    def _stop(self) -> None:
        """End the build that runs, with all that it started."""
        if self._build is None:
            return
        self._build.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._build.wait(_GRACE)
        with suppress(ProcessLookupError):
            os.killpg(self._build.pid, signal.SIGKILL)
        self._build.wait()
        self._build = None

    def _hear(self, build: subprocess.Popen[str], event: Mapping[str, Any] | None) -> None:
        if build is not self._build:
            return  # of one that was stopped
        if event is None:
            self._ended(build.wait())
        elif "faults" in event:
            self._failed([Fault(**fault) for fault in event["faults"]])
        else:
            self._built(event)

    def _built(self, event: Mapping[str, Any]) -> None:
        tree = event["tree"]
        site = self._project.build / "trees" / tree / "site"
        if event["searchable"]:
            self._live.mended(site, searchable=True)
        elif event["languages"] or not self._trees:
            self._live.built(site)
            pages = f"{event['pages']} page{'' if event['pages'] == 1 else 's'}"
            self._say(f"{', '.join(event['languages'])} built again, {pages}")
        else:
            self._live.mended(site, searchable=False)
            self._say("all pages stay as they were")
        if tree not in self._trees:
            self._trees = [*self._trees[-1:], tree]
            self._remove_trees(f"{self._count}-searchable")

    def _failed(self, faults: Sequence[Fault]) -> None:
        for fault in faults:
            print(fault, file=sys.stderr, flush=True)
        self._live.failed(faults)
        self._say(f"not built, {len(faults)} mistake{'' if len(faults) == 1 else 's'}")

    def _ended(self, code: int) -> None:
        self._build = None
        said = self._errors.read_text("utf-8", "replace")
        if code != 0 and self._outcome != "failed":
            self._failed([_crash(said, self._project.root)])
        elif said.strip():
            print(said, file=sys.stderr, end="", flush=True)

    def _say(self, outcome: str) -> None:
        """One line: what changed, what came of it, how long it took."""
        seconds = f"{time.monotonic() - self._started:.1f} s"
        self._outcome = "failed" if outcome.startswith("not built") else "built"
        if self._changes:
            print(f"{_listed(self._changes)} changed: {outcome}, {seconds}", flush=True)
        elif self._count == 1:
            print(f"Serving {self._url} (Ctrl-C ends it)", flush=True)
        self._changes = set()

    def _remove_trees(self, *but: str) -> None:
        """Remove the trees that nobody asks for any more, and what a stopped build left."""
        for tree in (self._project.build / "trees").glob("*"):
            if tree.name not in (*self._trees, *but):
                shutil.rmtree(tree)

    @property
    def _errors(self) -> Path:
        return self._project.build / "errors.txt"


def _read(build: subprocess.Popen[str], inbox: SimpleQueue[Any]) -> None:
    """Pass on each event of a build, and `None` once it has ended."""
    assert build.stdout is not None
    with build.stdout:
        for line in build.stdout:
            inbox.put((build, json.loads(line)))
    inbox.put((build, None))


def _crash(said: str, root: Path) -> Fault:
    """The fault of a build that ended by an error in the code itself, which a change may bring."""
    *_, last = said.strip().splitlines() or ["it gave no reason."]
    frames = [
        (file, int(match["line"]))
        for match in _FRAME.finditer(said)
        if (file := Path(match["file"])).is_relative_to(root) and ".venv" not in file.parts
    ]
    file, line = frames[-1] if frames else (root / "docs_build", None)
    remedy = "Mend the code; `make site` shows the whole traceback."
    return Fault(shown(file), line, f"the build itself failed: {last}", remedy)


def _listed(names: set[str]) -> str:
    first, *others = sorted(names)
    return f"{first} and {len(others)} more" if others else first


@contextmanager
def _ended_by_signals(inbox: SimpleQueue[Any]) -> Iterator[None]:
    """Put a wish to end into the inbox, instead of ending at once, wherever that may be."""
    earlier = {each: signal.signal(each, lambda *_: inbox.put(_STOP)) for each in _SIGNALS}
    try:
        yield
    finally:
        for each, handler in earlier.items():
            signal.signal(each, handler)


@contextmanager
def _folder_for_now(folder: Path) -> Iterator[None]:
    shutil.rmtree(folder, ignore_errors=True)  # of a server that was killed
    folder.mkdir(parents=True)
    try:
        yield
    finally:
        shutil.rmtree(folder)
        with suppress(OSError):
            folder.parent.rmdir()  # if nothing else is there


@contextmanager
def _answering(server: Server) -> Iterator[None]:
    thread = Thread(target=server.serve_forever, args=(0.1,))
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
