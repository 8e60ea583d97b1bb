"""Other forms of a Russian word, for a search that by itself knows only the word's stem.

(And its dictionary forms, by which terms are found in a text.)

The search engine strips the marks of letters (й becomes и) and then stems by Snowball, so движок
and движки, точный and точная have nothing in common there. For each further stem that a word takes
in its forms there is one form here, a form that the engine reduces to just that stem.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Protocol

# What the engine finds by the beginning of a word is found without help, but for so short a
# beginning it finds too much, and the reader is shown only what is like her word.
_TELLING = 3
# A reading of a word that is rarer than this is not taken for what the writer meant.
_LIKELY = 0.1
# Small words, which nobody searches for, and pronouns among the adjectives (этот, каждый).
_SMALL = frozenset({"CONJ", "INTJ", "NPRO", "PRCL", "PRED", "PREP", "Apro"})
_VERB = frozenset({"GRND", "INFN", "VERB"})
_PARTICIPLE = frozenset({"PRTF", "PRTS"})
_VOICE_AND_TENSE = frozenset({"actv", "past", "pres", "pssv"})
# Forms that a guide does not use, so that nobody types them: archaic, colloquial, misspelt,
# superlative (наиточнейший), «поточнее», «проверимте».
_UNUSUAL = frozenset(
    {"Arch", "Cmp2", "Dist", "Erro", "Infr", "Slng", "Supr", "V-be", "V-bi", "V-en", "V-ey"}
    | {"V-ie", "V-oy", "V-sh", "incl"}
)


class _Tag(Protocol):
    grammemes: frozenset[str]


class _Parse(Protocol):
    word: str
    normal_form: str
    score: float
    tag: _Tag
    lexeme: list[_Parse]


class _Analyzer(Protocol):
    def parse(self, word: str) -> list[_Parse]: ...


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@cache
def other_forms(word: str) -> tuple[str, ...]:
    """Forms of a Russian word for the stems that its own stem does not stand for, sorted.

    Lower case, and й as и, as the search engine has them. Empty for most words, for small words,
    and for what is no Russian word.
    """
    own = stem(word)
    forms = {stem(form): form for form in reversed(list(_forms(word)))}  # the first one stays
    return tuple(sorted(forms[key] for key in _needed(own, forms)))


@cache
def stem(word: str) -> str:
    """The stem that the search engine has for a Russian word."""
    return _stemmer().stemWord(plain(word))


@cache
def lemmas(word: str) -> frozenset[str]:
    """The dictionary forms that a Russian word may be a form of: оценки is one of оценка."""
    return frozenset(parse.normal_form for parse in _analyzer().parse(word.lower()))


@cache
def plain(word: str) -> str:
    """A word as the search engine compares it: lower case, without marks (ё is е, й is и)."""
    letters = unicodedata.normalize("NFD", word.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _needed(own: str, stems: Iterable[str]) -> Iterator[str]:
    """The stems that are not the beginning of one that is indexed anyway."""
    all_stems = {own, *stems}
    for key in all_stems - {own}:
        longer = any(other != key and other.startswith(key) for other in all_stems)
        if not longer or len(key) < _TELLING:
            yield key


def _forms(word: str) -> Iterator[str]:
    for parse in _analyzer().parse(word.lower()):
        if parse.score >= _LIKELY and not parse.tag.grammemes & _SMALL:
            for form in parse.lexeme:
                if _used_like(form.tag.grammemes, parse.tag.grammemes):
                    yield plain(form.word)


@cache
def _used_like(form: frozenset[str], word: frozenset[str]) -> bool:
    """Whether a reader would take a form of the dictionary's entry for a form of this word.

    An entry of a verb holds all its participles too: a verb is taken without them, and a
    participle with those of its voice and tense, and the infinitive.
    """
    if form & _UNUSUAL - word:
        return False
    if word & _VERB:
        return bool(form & _VERB)
    if word & _PARTICIPLE:
        alike = form & _VOICE_AND_TENSE == word & _VOICE_AND_TENSE
        return "INFN" in form or bool(form & _PARTICIPLE and alike)
    return True


@cache
def _analyzer() -> _Analyzer:
    from pymorphy3 import MorphAnalyzer  # type: ignore[import-untyped]  # loads its dictionary

    analyzer: _Analyzer = MorphAnalyzer(lang="ru")
    return analyzer


@cache
def _stemmer() -> _Stemmer:
    from snowballstemmer import stemmer  # type: ignore[import-untyped]

    russian: _Stemmer = stemmer("russian")
    return russian
