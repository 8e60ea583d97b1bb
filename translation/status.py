"""Say how the translations stand: pages × languages, and each section that is behind or missing."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docs_build.faults import Refusal
from translation.follows import HEAD
from translation.history import History
from translation.pages import SOURCE, TRANSLATIONS, Pages
from translation.states import PageState, SectionState, State
from translation.structure import code_differences


@dataclass(frozen=True, slots=True)
class Standing:
    """How one page stands in one language.

    `behind` are the sections that are not current, and since when, if that is known. `look` is what
    a maintainer should look at. `malformed` is what is wrong with the page; then no more is known.
    """

    page: str
    language: str
    state: str
    behind: tuple[tuple[SectionState, datetime.date | None], ...] = ()
    look: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()


def standings(pages: Pages, languages: Sequence[str] = TRANSLATIONS) -> list[Standing]:
    """How all pages stand, in order of their paths."""
    return [_standing(pages, path, language) for path in pages.paths for language in languages]


def as_text(found: Sequence[Standing]) -> Iterator[str]:
    """The standings for a terminal."""
    languages = list(dict.fromkeys(one.language for one in found))
    width = max([len("page"), *(len(one.page) for one in found)]) + 2
    yield "page".ljust(width) + "".join(language.ljust(14) for language in languages).rstrip()
    for start in range(0, len(found), len(languages)):
        row = found[start : start + len(languages)]
        cells = "".join(_cell(one).ljust(14) for one in row)
        yield row[0].page.ljust(width) + cells.rstrip()
    for one in found:
        yield from _details(one)
    counts = _counts(found)
    yield ""
    yield ", ".join(f"{counts[state]} {state}" for state in counts) + f" of {len(found)} pages"


def as_json(found: Sequence[Standing]) -> str:
    """The standings for a program."""
    said = {"counts": _counts(found), "pages": [_said(one) for one in found]}
    return json.dumps(said, ensure_ascii=False, indent=2)


def is_current(found: Sequence[Standing]) -> bool:
    """Whether all pages are current."""
    return all(one.state == State.CURRENT for one in found)


def _standing(pages: Pages, path: str, language: str) -> Standing:
    try:
        state = pages.state(language, path)
        if state.state is State.MISSING:
            return Standing(path, language, state.state)
        history = History(pages, path)
        behind = [(one, _since(one, history)) for one in state.not_current]
        look = (*_look(pages, path, language, state),)
        return Standing(path, language, state.state, tuple(behind), look)
    except Refusal as refusal:
        return Standing(path, language, "malformed", malformed=tuple(map(str, refusal.faults)))


def _since(section: SectionState, history: History) -> datetime.date | None:
    """The day when English changed, from git; where that does not tell, the day of the record."""
    if section.followed is None:
        return None
    changed = history.changed(section.id, section.followed.prose)
    return changed or section.followed.date


def _look(pages: Pages, path: str, language: str, state: PageState) -> Iterator[str]:
    english, file = pages.read(SOURCE, path).page.file, pages.read(language, path).page.file
    if not state.head:
        yield f"{file}:2: the English {HEAD} changed; look whether these still fit."
    for one in state.sections:
        if one.state is State.CURRENT and one.english and one.translated and one.followed:
            if one.followed.shows != pages.shows(one.english, english):
                blocks = ", ".join(mark.value for mark in one.english.blocks)
                place = f"{file}:{one.translated.line}"
                yield f"{place}: {blocks} changed; look whether the prose still fits."
            yield from code_differences(one.english, one.translated, file)


def _cell(one: Standing) -> str:
    return f"{len(one.behind)} behind" if one.behind else one.state


def _details(one: Standing) -> Iterator[str]:
    if one.behind or one.look or one.malformed:
        yield ""
        yield f"{one.page} in {one.language}"
    for section, since in one.behind:
        if section.state is State.MISSING:
            yield f"  {section.id}: missing"
        else:
            yield f"  {section.id}: behind since {since}, {section.why} in English"
    yield from (f"  {line}" for line in (*one.look, *one.malformed))
    if one.behind:
        yield f"  To see what changed: make diff PAGE={one.page} TO={one.language}"


def _counts(found: Sequence[Standing]) -> dict[str, int]:
    counts = Counter(one.state for one in found)
    known = (*State, "malformed") if counts["malformed"] else tuple(State)
    return {str(state): counts[state] for state in known}


def _said(one: Standing) -> dict[str, Any]:
    sections = [
        {
            "id": section.id,
            "state": str(section.state),
            "why": section.why,
            "since": since and since.isoformat(),
        }
        for section, since in one.behind
    ]
    return {
        "page": one.page,
        "language": one.language,
        "state": str(one.state),
        "sections": sections,
        "look": list(one.look),
        "malformed": list(one.malformed),
    }
