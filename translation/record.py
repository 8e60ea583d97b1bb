"""Record that a translated page, or a section of it, follows the English text as it is now."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from docs_build.faults import Fault, Refusal, refuse
from docs_build.files import write_if_changed
from translation.exemptions import read_exemptions, unexempted
from translation.follows import HEAD, Followed, lenient_record_of, with_record
from translation.outline import Outline, Section
from translation.pages import SOURCE, Pages, Read
from translation.structure import differences


def record(
    pages: Pages, path: str, language: str, section: str | None, today: datetime.date
) -> list[str]:
    """Write the record of a page, or of one of its sections; the ids that were recorded anew.

    What still follows the English text as it was recorded keeps its date. Raises `Refusal`, and
    writes nothing, where the structure differs.
    """
    english, translated = pages.read(SOURCE, path), pages.read(language, path)
    before = lenient_record_of(translated.page)
    now = _now(pages, english, today)
    if section is None:
        faults = [*_order_faults(english.outline, translated), *_faults(english, translated, None)]
        after = now
    else:
        _refuse_unknown(section, english, translated)
        faults = list(_faults(english, translated, section))
        after = _with_section(before, now, section)
    if faults := list(unexempted(faults, read_exemptions(pages.project.exemptions))):
        raise Refusal(faults)
    kept = {id_: _kept(before.get(id_), followed) for id_, followed in after.items()}
    text = with_record(translated.page, kept)
    write_if_changed(pages.file(language, path), text.encode())
    return [id_ for id_, followed in kept.items() if before.get(id_) is not followed]


def _now(pages: Pages, english: Read, today: datetime.date) -> dict[str, Followed]:
    """What a translation follows that follows all of the English page as it is now."""
    file = english.page.file
    record = {HEAD: Followed(today, english.outline.head)}
    for section in english.outline.sections:
        record[section.id] = Followed(today, section.digest, pages.shows(section, file))
    return record


def _kept(before: Followed | None, now: Followed) -> Followed:
    same = before and (before.prose, before.shows) == (now.prose, now.shows)
    return before if before and same else now


def _with_section(
    before: dict[str, Followed], now: dict[str, Followed], section: str
) -> dict[str, Followed]:
    """A record with one section anew, behind what stands before it in English."""
    others = {id_: followed for id_, followed in before.items() if id_ != section}
    ids = list(now)
    earlier = [id_ for id_ in ids[: ids.index(section)] if id_ in others]
    after: dict[str, Followed] = {} if earlier else {section: now[section]}
    for id_, followed in others.items():
        after[id_] = followed
        if earlier and id_ == earlier[-1]:
            after[section] = now[section]
    return after


def _refuse_unknown(section: str, english: Read, translated: Read) -> None:
    for read in (english, translated):
        if section != HEAD and section not in read.outline.by_id:
            known = ", ".join(read.outline.by_id)
            problem = f"there is no section {section}."
            raise refuse(read.page.file, None, problem, f"Sections: {known}.")


def _faults(english: Read, translated: Read, only: str | None) -> Iterator[Fault]:
    files = english.page.file, translated.page.file
    for section in english.outline.sections:
        other = translated.outline.by_id.get(section.id)
        if other and only in (None, section.id):
            yield from differences(section, other, files, translated.page.language)


def _order_faults(english: Outline, translated: Read) -> Iterator[Fault]:
    """Where the sections of a page are not those of the English one, in their order."""
    page, outline = translated.page, translated.outline
    for section in english.sections:
        if section.id not in outline.by_id:
            problem = f"the section {section.id} is missing, {english.file}:{section.line}."
            yield page.fault(None, problem, f"Translate it: ## … {{#{section.id}}}")
    for section in outline.sections:
        if section.id not in english.by_id:
            problem = f"the section {section.id} is not there in {english.file}."
            yield page.fault(section.line, problem, "Remove it, or correct its id.")
    yield from _first_out_of_order(english.sections, translated)


def _first_out_of_order(sections: tuple[Section, ...], translated: Read) -> Iterator[Fault]:
    wanted = [section.id for section in sections if section.id in translated.outline.by_id]
    found = [section for section in translated.outline.sections if section.id in wanted]
    for id_, section in zip(wanted, found, strict=True):
        if id_ != section.id:
            problem = f"the section {section.id} stands where English has {id_}."
            yield translated.page.fault(section.line, problem, "Put it in the English order.")
            return
