"""Hold the wording of every message to how it was when it was last read in all languages.

No program can tell that two sentences say the same. So each message's texts are remembered by
digests; where one has changed, a test fails until somebody has read it beside the others, and says
so with `make pin`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from babel.messages.pofile import read_po

from docs_build.faults import Fault, shown
from docs_build.files import write_if_changed

_HEADING = (
    "# Digests of the messages as they were last read side by side; `make pin` writes them.\n"
)


def wording_faults(folder: Path, languages: Sequence[str], remembered: Path) -> Iterator[Fault]:
    """Each message that is worded otherwise than remembered, with its file and line."""
    known = _remembered(remembered)
    now = {language: _digests(folder / f"{language}.po") for language in languages}
    for language, digests in now.items():
        others = ", ".join(other for other in languages if other != language)
        for key, (line, digest) in digests.items():
            if known.get(f"{language} {key}") != digest:
                problem = f"{key} is worded otherwise than when it was last read beside {others}."
                remedy = "Read it in each language; where all say the same, run `make pin`."
                yield Fault(shown(folder / f"{language}.po"), line, problem, remedy)
    for name in known:
        language, key = name.split(" ", 1)
        if key not in now.get(language, {}):
            problem = f"{name} is remembered, but there is no such message."
            yield Fault(shown(remembered), None, problem, "Run `make pin`.")


def remember_wording(folder: Path, languages: Sequence[str], remembered: Path) -> tuple[str, ...]:
    """Remember every message as it is worded now. Returns those that had changed, a line each."""
    before = _remembered(remembered)
    now = {
        f"{language} {key}": (line, digest)
        for language in languages
        for key, (line, digest) in _digests(folder / f"{language}.po").items()
    }
    lines = "".join(f"{digest} {name}\n" for name, (_, digest) in now.items())
    write_if_changed(remembered, (_HEADING + lines).encode())
    return tuple(
        f"{shown(folder / f'{language}.po')}:{line}: {key} is worded anew"
        for language, key, line in _changed(before, now)
    )


def _changed(
    before: Mapping[str, str], now: Mapping[str, tuple[int | None, str]]
) -> Iterator[tuple[str, str, int | None]]:
    for name, (line, digest) in now.items():
        if before.get(name) != digest:
            language, key = name.split(" ", 1)
            yield language, key, line


def _digests(path: Path) -> Mapping[str, tuple[int | None, str]]:
    """The line and the digest of each message of a catalog, by key."""
    with path.open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    digests = {}
    for message in messages:
        key = message.id if isinstance(message.id, str) else message.id[0]
        forms = message.string
        texts = forms if isinstance(forms, tuple | list) else (forms,)
        digest = hashlib.sha256("\0".join(map(str, texts)).encode()).hexdigest()[:12]
        digests[key] = (message.lineno, digest)
    return digests


def _remembered(path: Path) -> Mapping[str, str]:
    """The remembered digests, by language and key; none where there is no file yet."""
    if not path.exists():
        return {}
    lines = path.read_text("utf-8").splitlines()
    pairs = (line.split(" ", 1) for line in lines if not line.startswith("#"))
    return {name: digest for digest, name in pairs}
