"""What browsers are told while the site is built again and again, and the pages with that told."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from docs_build.faults import Fault

EVENTS = "/_live/events"
"""Where the server tells of each change, as server-sent events."""

SCRIPT = "/_live/live.js"
"""Where it serves the script that listens to them."""

SCRIPT_FILE = Path(__file__).with_name("live.js")


@dataclass(frozen=True, slots=True)
class State:
    """What is served: the folder of the site, by what build, and what is wrong by now.

    `number` counts the states; `build` is the number of the state that first had this site. Both
    begin with a word that no other run of the server has.
    """

    number: str
    site: Path | None = None
    build: str = ""
    faults: tuple[Fault, ...] = ()
    searchable: bool = False

    @property
    def message(self) -> str:
        """The state as a browser is told it: one line of JSON."""
        faults = [
            {
                "place": fault.file if fault.line is None else f"{fault.file}:{fault.line}",
                "problem": fault.problem,
                "remedy": fault.remedy,
            }
            for fault in self.faults
        ]
        told = {"number": self.number, "build": self.build, "faults": faults}
        return json.dumps(told | {"searchable": self.searchable}, ensure_ascii=False)


class Live:
    """The state, shared by the threads of the server; it changes as a whole."""

    def __init__(self, word: str, site: Path | None = None) -> None:
        self._changed = threading.Condition()
        self._word = word
        self._count = 0
        self._state = State(f"{word}.0", site, f"{word}.0" if site else "")

    @property
    def state(self) -> State:
        """The state now."""
        return self._state

    def built(self, site: Path) -> None:
        """Another site is served from now on, and browsers load it."""
        number = self._next()
        self._tell(State(number, site, number))

    def mended(self, site: Path, *, searchable: bool) -> None:
        """Nothing is wrong, and all pages are as they were; a search index may be another."""
        state = replace(self._state, number=self._next(), site=site, faults=())
        self._tell(replace(state, searchable=searchable))

    def failed(self, faults: Sequence[Fault]) -> None:
        """Something is wrong; what was served before is served on."""
        self._tell(replace(self._state, number=self._next(), faults=tuple(faults)))

    def next_after(self, state: State, timeout: float) -> State:
        """Wait for another state than this one, at most as many seconds; the state by then."""
        with self._changed:
            self._changed.wait_for(lambda: self._state is not state, timeout)
            return self._state

    def _next(self) -> str:
        self._count += 1
        return f"{self._word}.{self._count}"

    def _tell(self, state: State) -> None:
        with self._changed:
            self._state = state
            self._changed.notify_all()


def with_script(page: bytes, state: State) -> bytes:
    """A page with the script that keeps it up to date, at the end of its head."""
    script = (
        f'<script src="{SCRIPT}" data-build="{state.build}" data-number="{state.number}" defer>'
        "</script>\n"
    ).encode()
    head, end, rest = page.partition(b"</head>")
    return head + script + end + rest if end else page + script


def waiting_page(state: State) -> bytes:
    """The page that stands for all others until the site is built for the first time."""
    if state.faults:
        title = "The site cannot be built yet"
        items = "".join(f"<li><p>{escape(str(fault))}</p></li>\n" for fault in state.faults)
        text = f"<p>It follows once this is mended.</p>\n<ol>\n{items}</ol>"
    else:
        title, text = "The site is being built", "<p>It follows in a moment.</p>"
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{title}</title>\n"
        "<style>body { max-width: 50rem; margin: 12vh auto; padding: 0 1.5rem;"
        " font: 1.125rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }</style>\n"
        f"</head>\n<body>\n<main>\n<h1>{title}</h1>\n{text}\n</main>\n</body>\n</html>\n"
    )
    return with_script(page.encode(), state)
