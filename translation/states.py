"""Whether the sections of a translated page are current, behind, or missing.

A pure function of the two pages and of the record: no clock, no history, so that every build of the
same sources says the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from translation.follows import HEAD, Followed
from translation.outline import Outline, Section


class State(StrEnum):
    """The state of a section, and of a page."""

    CURRENT = "current"
    BEHIND = "behind"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class SectionState:
    """The state of a section, and for one that is behind, why: the English one was "changed",
    "moved" or "removed". `english` is `None` for one that was removed, `translated` and `followed`
    for one that is missing."""

    id: str
    state: State
    why: str
    english: Section | None
    translated: Section | None
    followed: Followed | None


@dataclass(frozen=True, slots=True)
class PageState:
    """The states of the sections of a page, in the order of the English page.

    `head` is whether the page's title and description follow the English ones.
    """

    state: State
    sections: tuple[SectionState, ...]
    head: bool = True

    @property
    def not_current(self) -> list[SectionState]:
        """The sections that are behind or missing."""
        return [section for section in self.sections if section.state is not State.CURRENT]


CURRENT_PAGE = PageState(State.CURRENT, ())
"""The state of an English page."""


def page_state(english: Outline, translated: Outline, record: Mapping[str, Followed]) -> PageState:
    """The state of a translated page that is there."""
    moved = _moved(english, record)
    sections = [_state(section, translated, record, moved) for section in english.sections]
    sections += [
        SectionState(section.id, State.BEHIND, "removed", None, section, record[section.id])
        for section in translated.sections
        if section.id not in english.by_id
    ]
    current = all(section.state is State.CURRENT for section in sections)
    state = State.CURRENT if current else State.BEHIND
    return PageState(state, tuple(sections), record[HEAD].prose == english.head)


def missing_page(english: Outline) -> PageState:
    """The state of a page that has no translation."""
    sections = (
        SectionState(section.id, State.MISSING, "", section, None, None)
        for section in english.sections
    )
    return PageState(State.MISSING, tuple(sections), head=False)


def _state(
    section: Section, translated: Outline, record: Mapping[str, Followed], moved: set[str]
) -> SectionState:
    translation, followed = translated.by_id.get(section.id), record.get(section.id)
    if translation is None or followed is None:
        return SectionState(section.id, State.MISSING, "", section, None, None)
    changed = followed.prose != section.digest
    why = "changed" if changed else "moved" if section.id in moved else ""
    state = State.BEHIND if why else State.CURRENT
    return SectionState(section.id, state, why, section, translation, followed)


def _moved(english: Outline, record: Mapping[str, Followed]) -> set[str]:
    """The sections, as few as possible, that English has in another order than the record."""
    rank = {id_: number for number, id_ in enumerate(record)}
    ids = [section.id for section in english.sections if section.id in rank]
    return set(ids) - set(_longest_in_order(ids, rank))


def _longest_in_order(ids: Sequence[str], rank: Mapping[str, int]) -> list[str]:
    chains: list[list[str]] = []
    for id_ in ids:
        before = [chain for chain in chains if rank[chain[-1]] < rank[id_]]
        chains.append([*max(before, key=len, default=[]), id_])
    return max(chains, key=len, default=[])
