"""The part of a translated page's front matter that says which English text it follows.

It has a line for the page's title and description, and one for each section, in the order of the
English page:

    follows:
      title and description: 2026-11-30 0f343b0931126a
      contract: 2026-11-30 2c26b46b68ff fcde2b2edba5

The date is that of the record. The first digest is that of what the English section says, the
second that of what its blocks show, for a section that has blocks. `make translated` writes it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docs_build.faults import Fault, Refusal
from docs_build.page_checks import Page
from translation.outline import Outline

HEAD = "title and description"
"""Stands for the title and the description of a page, as if they were a section."""

_KEY = "follows:"
_LINE = re.compile(
    rf"  (?P<id>{HEAD}|[a-z][a-z0-9-]*): (?P<date>\d{{4}}-\d\d-\d\d) (?P<prose>[0-9a-f]{{12}})"
    r"(?: (?P<shows>[0-9a-f]{12}))?"
)


@dataclass(frozen=True, slots=True)
class Followed:
    """What a section follows: the digests of an English text and of what its blocks showed, `""`
    for none, and the day of the record. `line` is where that stands."""

    date: datetime.date
    prose: str
    shows: str = ""
    line: int = 0


def record_of(page: Page, outline: Outline) -> dict[str, Followed]:
    """What each section of a translated page follows, by id, in the order of the record.

    Raises `Refusal` with every fault: where the record is missing or misspelt, and where its
    sections are not those of the page, in their order.
    """
    record, faults = _read(page)
    faults += _against(page, outline, record)
    if faults:
        raise Refusal(faults)
    return record


def lenient_record_of(page: Page) -> dict[str, Followed]:
    """What can be read of a record, whatever is wrong with it."""
    return _read(page)[0]


def refuse_record_of_source(page: Page) -> None:
    """Raise `Refusal` where an English page has a record: it is what the others follow."""
    for number, line in _front_matter(page):
        if line.startswith(_KEY):
            problem = "this page is the source, which follows no other."
            raise Refusal([page.fault(number, problem, f"Take {_KEY} out.")])


def without_record(page: Page) -> Iterator[int]:
    """The indexes of the lines of a page that are not its record."""
    inside = False
    for number, line in enumerate(page.lines):
        inside = 0 < number < page.body - 1 and (
            line.startswith(_KEY) or (inside and line.startswith(" "))
        )
        if not inside:
            yield number


def with_record(page: Page, record: Mapping[str, Followed]) -> str:
    """The text of a page with this record in its front matter."""
    lines = [page.lines[number] for number in without_record(page)]
    written = [_KEY]
    for id_, followed in record.items():
        digests = f"{followed.prose} {followed.shows}".rstrip()
        written.append(f"  {id_}: {followed.date.isoformat()} {digests}")
    end = lines.index("---", 1)
    return "\n".join([*lines[:end], *written, *lines[end:]])


def _front_matter(page: Page) -> Iterator[tuple[int, str]]:
    return enumerate(page.lines[1 : page.body - 1], 2)


def _read(page: Page) -> tuple[dict[str, Followed], list[Fault]]:
    record: dict[str, Followed] = {}
    faults: list[Fault] = []
    remedy = f"Run {command(page)}, which writes it."
    inside = found = False
    for number, line in _front_matter(page):
        if not line.startswith(" "):
            inside = line.rstrip() == _KEY
            found = found or inside
            if line.startswith(_KEY) and not inside:
                faults.append(page.fault(number, f"{line}: this is no record.", remedy))
        elif inside:
            id_, followed = _followed(line, number)
            if followed is None:
                problem = f"{line.strip()}: this is not ID: DATE DIGEST [DIGEST]."
                faults.append(page.fault(number, problem, remedy))
            elif id_ in record:
                problem = f"{id_} stands here again, after line {record[id_].line}."
                faults.append(page.fault(number, problem, "Keep one."))
            else:
                record[id_] = followed
    if not found and not faults:
        problem = "the page does not say which English text it follows."
        faults.append(page.fault(1, problem, f"Translate it, and run {command(page)}"))
    return record, faults


def _followed(line: str, number: int) -> tuple[str, Followed | None]:
    match = _LINE.fullmatch(line.rstrip())
    if match is None:
        return "", None
    try:
        date = datetime.date.fromisoformat(match["date"])
    except ValueError:
        return match["id"], None
    return match["id"], Followed(date, match["prose"], match["shows"] or "", number)


def _against(page: Page, outline: Outline, record: Mapping[str, Followed]) -> Iterator[Fault]:
    """What of a record does not go with the page that it stands in."""
    if not record:
        return
    if HEAD not in record:
        problem = f"the record has no line for the {HEAD}."
        yield page.fault(1, problem, f"Run {command(page)}")
    for id_, followed in record.items():
        if id_ != HEAD and id_ not in outline.by_id:
            problem = f"the record names the section {id_}, which the page does not have."
            remedy = "Give a heading this id, as in English, or take the line out."
            yield page.fault(followed.line, problem, remedy)
    order = [id_ for id_ in record if id_ in outline.by_id]
    place = 0
    for section in outline.sections:
        if section.id not in record:
            problem = f"the record has no line for the section {section.id}."
            remedy = f"Run {command(page, section.id)}, or correct the id."
            yield page.fault(section.line, problem, remedy)
        elif section.id != order[place]:
            problem = f"the section {section.id} stands where English has {order[place]}."
            yield page.fault(section.line, problem, "Put the sections in the order of the record.")
            return
        else:
            place += 1


def command(page: Page, section: str = "") -> str:
    """The command that records what a page, or a section of it, follows."""
    path = page.file.rpartition(f"/{page.language}/")[2]
    only = f" SECTION={section}" if section else ""
    return f"make translated PAGE={path} TO={page.language}{only}"
