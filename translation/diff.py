"""Show what changed in the English text since a translated page followed it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from translation.history import History
from translation.pages import SOURCE, Pages
from translation.states import SectionState, State

_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+")


def changes(pages: Pages, path: str, language: str) -> Iterator[str]:
    """What changed, line by line: sentences that went begin with -, those that came with +."""
    state = pages.state(language, path)
    english = pages.read(SOURCE, path).page.file
    if state.state is State.MISSING:
        yield f"{path} is missing in {language}: translate all of {english}."
        return
    history = History(pages, path)
    for section in state.not_current:
        yield from _section(section, history, english, pages.read(language, path).page.file)
    if not state.head:
        yield f"The title or the description changed: {english}:2"
    if not state.not_current and state.head:
        yield f"Nothing changed: {language} follows {english} as it is now."


def _section(
    section: SectionState, history: History, english: str, translated: str
) -> Iterator[str]:
    there = f"{english}:{section.english.line}" if section.english else english
    here = f"{translated}:{section.translated.line}" if section.translated else translated
    yield f"== {section.id}: {section.why or section.state} · {there} · {here}"
    now = sentences(section.english.source) if section.english else []
    before = None
    if section.followed:
        before = history.text(section.id, section.followed.prose)
        if before is None:
            yield (
                f"The text of {section.followed.date} is not in git (digest "
                f"{section.followed.prose}); this is how it reads now:"
            )
    if section.why == "moved":
        yield "The text is the same, at another place."
        return
    old = sentences(before.source) if before else []
    for line in list(difflib.unified_diff(old, now, n=1, lineterm=""))[2:]:
        if not line.startswith("@@"):
            yield line
    yield ""


def sentences(lines: Sequence[str]) -> list[str]:
    """The sentences of a text, one a line, without blank lines."""
    text = "\n".join(line.strip() for line in lines)
    wrapped = re.sub(r"(?<=\S)\n(?=[a-z])", " ", text)
    return [
        sentence
        for line in wrapped.split("\n")
        for sentence in _SENTENCE_END.split(line)
        if sentence
    ]
