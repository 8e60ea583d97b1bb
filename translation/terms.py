"""Find the terms that an English section uses, and the translated one does not."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from docs_build.faults import refuse, shown
from docs_build.word_forms import lemmas
from translation.outline import Section
from translation.pages import SOURCE, TRANSLATIONS
from translation.structure import prose_text

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Term:
    """A term: its English words, and its words in the translations. A strict one must be used."""

    english: str
    translations: tuple[tuple[str, str], ...]
    strict: bool

    def words(self, language: str) -> str:
        """The term in a language."""
        return dict(self.translations)[language]


def read_glossary(path: Path) -> tuple[Term, ...]:
    """The terms of a glossary. Raises `Refusal` where it is not what it should be."""
    try:
        entries: list[dict[str, Any]] = _read(path.read_text("utf-8"))["term"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise refuse(shown(path), None, f"this is no glossary: {error}.", "Correct it.") from None
    return tuple(_term(entry, path) for entry in entries)


@lru_cache(maxsize=4)
def _read(glossary: str) -> dict[str, Any]:
    return tomllib.loads(glossary)


def unused_terms(
    english: Section, translated: Section, language: str, terms: Sequence[Term]
) -> Iterator[Term]:
    """The terms that the English section uses, and the translated one does not."""
    text = prose_text(translated)
    for term in _used(prose_text(english), terms):
        if not _holds(text, term.words(language), language):
            yield term


def _used(text: str, terms: Sequence[Term]) -> list[Term]:
    """The terms of an English text. A longer one is not also the shorter ones that it holds."""
    words = [word.lower() for word in _WORD.findall(re.sub(r"['’]s\b", "", text))]
    taken: set[int] = set()
    found = []
    for term in sorted(terms, key=lambda term: -len(_wanted(term.english)[0])):
        first, last = _wanted(term.english)
        for end in (index for index, word in enumerate(words) if word in last):
            place = range(end - len(first), end + 1)
            if place.start < 0 or words[place.start : end] != first:
                continue
            if taken.isdisjoint(place):
                taken.update(place)
                if term not in found:
                    found.append(term)
    return found


@cache
def _wanted(term: str) -> tuple[list[str], frozenset[str]]:
    """The words of an English term: the first ones, and the last one, maybe in the plural."""
    *first, last = (word.lower() for word in _WORD.findall(term))
    return first, frozenset({last, f"{last}s", f"{last}es", f"{last.removesuffix('y')}ies"})


def _holds(text: str, term: str, language: str) -> bool:
    if language != "ru":
        return term.lower() in text.lower()
    wanted, words = _russian(term), _russian(text)
    return any(
        all(a & b for a, b in zip(wanted, words[start:], strict=False))
        for start in range(len(words) - len(wanted) + 1)
    )


@cache
def _russian(text: str) -> tuple[frozenset[str], ...]:
    """What each word of a text may be a form of."""
    return tuple(lemmas(word) for word in _WORD.findall(text))


def _term(entry: dict[str, Any], path: Path) -> Term:
    needed = {SOURCE, *TRANSLATIONS}
    if not needed <= entry.keys() <= needed | {"strict", "note"}:
        problem = f"the term {entry.get(SOURCE)!r} has the keys {', '.join(entry)}."
        remedy = f"It needs {', '.join(sorted(needed))}; strict and note may be there."
        raise refuse(shown(path), None, problem, remedy)
    words = tuple((language, entry[language]) for language in TRANSLATIONS)
    return Term(entry["en"], words, entry.get("strict", False))
