"""Compile the message catalogs (.po) to what the stub reads (.mo), once all languages agree.

Messages are keyed: `msgid` is an id such as "reason.no-side-info", and the English text stands in
en.po like every other translation. So gettext's own fallback to the `msgid` must never happen, and
everything that would cause it is refused here.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from gettext import c2py
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import PoFileError, read_po

from docs_build.faults import Fault, Refusal, refuse, shown
from docs_build.files import write_if_changed
from skynet_stub.messages import placeholders

_MSGID = re.compile(r'^msgid\s+"(?P<key>[^"]+)"')
_NEAR_PLACEHOLDER = re.compile(r"\{(\s*[A-Za-z_][A-Za-z_0-9]*\s*)\}")
_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # equal sources compile to equal bytes


@dataclass(frozen=True, slots=True)
class _Entry:
    """One message of one catalog. `texts` has one text, or all plural forms."""

    key: str
    line: int
    texts: tuple[str, ...]
    plural: bool
    fuzzy: bool

    @property
    def placeholders(self) -> frozenset[str]:
        return placeholders(self.texts[0])


def compile_catalogs(folder: Path, languages: Sequence[str]) -> list[Path]:
    """Check `<language>.po` in a folder and compile each to `<language>.mo` beside it.

    Every language must have the same keys with the same placeholders, nothing empty or fuzzy, and
    as many plural forms as the language has. Returns the files that had to be written. Raises
    `Refusal`, and writes nothing, where anything is wrong.
    """
    faults: list[Fault] = []
    catalogs: dict[str, Catalog] = {}
    for language in languages:
        path = folder / f"{language}.po"
        try:
            catalogs[language] = _read(path, language)
        except Refusal as refusal:
            faults += refusal.faults
            continue
        faults += _own_faults(shown(path), language, catalogs[language])
    if len(catalogs) == len(languages):
        files = tuple(shown(folder / f"{language}.po") for language in languages)
        faults += _differences(files, tuple(languages), tuple(catalogs.values()))
    if faults:
        raise Refusal(faults)
    return [
        path
        for language, catalog in catalogs.items()
        if write_if_changed(path := folder / f"{language}.mo", _compiled(catalog))
    ]


def _read(path: Path, language: str) -> Catalog:
    file = shown(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        problem = f"the message catalog of {language} is missing."
        raise Refusal(
            [Fault(file, None, problem, "Add the file, with every key of en.po.")]
        ) from None
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the file is not UTF-8."
        raise refuse(file, None, problem, "Save the file as UTF-8.") from None
    try:
        catalog = _parsed(text, language)
    except PoFileError as error:
        problem = f"{str(error).rpartition(' on ')[0]}: this is not a valid catalog entry."
        if "num_plurals" in str(error):
            problem = (
                f"the message has more plural forms than the {_plural_forms(language)} needed."
            )
        remedy = "Write msgid, then msgstr with a quoted text, or msgid_plural and its msgstr[...]."
        raise refuse(file, error.lineno + 1, problem, remedy) from None
    faults = _repeated(file, text)
    if faults:
        raise Refusal(faults)
    return catalog


@lru_cache(maxsize=8)
def _parsed(text: str, language: str) -> Catalog:
    """Every build begins with the catalogs, which change seldom."""
    locale = Locale.parse(language, sep="-")
    return read_po(io.StringIO(text), locale=locale, abort_invalid=True)


@lru_cache(maxsize=8)
def _repeated(file: str, text: str) -> tuple[Fault, ...]:
    """Babel merges a repeated key in silence."""
    return tuple(_repetitions(file, text))


def _repetitions(file: str, text: str) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        match = _MSGID.match(line)
        if match is None:
            continue
        key = match["key"]
        if key in first:
            problem = f"the key {key} stands here again, after line {first[key]}."
            yield Fault(file, number, problem, "Keep one of the two.")
        first.setdefault(key, number)


@lru_cache(maxsize=8)
def _entries(catalog: Catalog) -> Mapping[str, _Entry]:
    """The messages of a catalog by their keys."""
    entries = (_entry(message) for message in catalog if message.id)
    return {entry.key: entry for entry in entries}


def _entry(message: Message) -> _Entry:
    plural = isinstance(message.id, list | tuple)
    key = message.id[0] if isinstance(message.id, list | tuple) else message.id
    texts = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
    return _Entry(key, message.lineno or 1, texts, plural, message.fuzzy)


@lru_cache(maxsize=8)
def _own_faults(file: str, language: str, catalog: Catalog) -> tuple[Fault, ...]:
    """What is wrong with one catalog, whatever the others say."""
    return tuple(_found_in(file, language, catalog))


def _found_in(file: str, language: str, catalog: Catalog) -> Iterator[Fault]:
    forms = _plural_forms(language)
    if not _same_plurals(catalog, language):
        problem = f"the header does not say how {language} forms plurals."
        remedy = f'Write "Plural-Forms: {get_plural(_babel_name(language))}\\n" in it.'
        yield Fault(file, 1, problem, remedy)
        return
    for entry in _entries(catalog).values():
        if entry.fuzzy:
            problem = f"the translation of {entry.key} is marked fuzzy."
            yield Fault(file, entry.line, problem, "Check it, then remove the mark.")
        if entry.plural and sum(1 for text in entry.texts if text) not in (0, forms):
            given = sum(1 for text in entry.texts if text)
            problem = f"{entry.key} has {given} plural forms; {language} has {forms}."
            yield Fault(file, entry.line, problem, f"Write msgstr[0] to msgstr[{forms - 1}].")
        elif not all(text.strip() for text in entry.texts):
            problem = f"the text of {entry.key} is empty."
            yield Fault(file, entry.line, problem, "Write the message.")
        for text in entry.texts:
            yield from _placeholder_faults(file, entry, text)


def _placeholder_faults(file: str, entry: _Entry, text: str) -> Iterator[Fault]:
    for near_miss in sorted(set(_NEAR_PLACEHOLDER.findall(text)) - placeholders(text)):
        problem = f"{{{near_miss}}} in {entry.key} is no placeholder."
        yield Fault(file, entry.line, problem, "Write {name}, with small letters and no blanks.")
    if text.strip() and placeholders(text) != entry.placeholders:
        problem = f"the plural forms of {entry.key} differ in their placeholders."
        yield Fault(file, entry.line, problem, "Use the same ones in every form.")


@lru_cache(maxsize=2)
def _differences(
    files: tuple[str, ...], languages: tuple[str, ...], catalogs: tuple[Catalog, ...]
) -> tuple[Fault, ...]:
    """Where a catalog has other keys or placeholders than the first language's."""
    first, *others = zip(files, languages, map(_entries, catalogs), strict=True)
    return tuple(fault for one in others for fault in _differing(first, one))


_Known = tuple[str, str, Mapping[str, _Entry]]  # file, language, entries


def _differing(first: _Known, one: _Known) -> Iterator[Fault]:
    source_file, source, wanted = first
    file, _, found = one
    for key, entry in wanted.items():
        other = found.get(key)
        if other is None:
            problem = f"the key {key} of {source_file}:{entry.line} is missing here."
            yield Fault(file, None, problem, "Add it, translated.")
        elif other.plural != entry.plural:
            kind = "has plural forms" if entry.plural else "has no plural forms"
            problem = f"{key} {kind} in {source_file}:{entry.line}, and here it is otherwise."
            yield Fault(file, other.line, problem, "Make the two alike.")
        elif other.placeholders != entry.placeholders:
            problem = (
                f"{key} has the placeholders {_listed(other.placeholders)} here and "
                f"{_listed(entry.placeholders)} in {source_file}:{entry.line}."
            )
            yield Fault(file, other.line, problem, "Use the same ones; never translate them.")
    for key, entry in found.items():
        if key not in wanted:
            problem = f"the key {key} is not in {source_file}."
            yield Fault(file, entry.line, problem, f"Add it to {source}.po, or remove it here.")


def _listed(names: frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"


def _same_plurals(catalog: Catalog, language: str) -> bool:
    wanted = get_plural(_babel_name(language))
    if catalog.num_plurals != wanted.num_plurals:
        return False
    given, right = c2py(catalog.plural_expr), c2py(wanted.plural_expr)
    return all(given(n) == right(n) for n in range(200))  # the rules repeat after 100


def _plural_forms(language: str) -> int:
    return get_plural(_babel_name(language)).num_plurals


def _babel_name(language: str) -> str:
    return str(Locale.parse(language, sep="-"))


@lru_cache(maxsize=8)
def _compiled(catalog: Catalog) -> bytes:
    catalog.creation_date = catalog.revision_date = _NO_DATE
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()
