"""What must hold of the pages: records, the structure of what is current, terms and typography.

What is behind or missing is no fault: it is told to readers, and listed by `make status`.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_build.faults import Fault, Refusal
from docs_build.project import Project
from docs_build.typography import typography_faults
from translation.exemptions import read_exemptions, unexempted, unneeded
from translation.pages import SOURCE, TRANSLATIONS, Pages
from translation.states import SectionState, State
from translation.structure import differences
from translation.terms import Term, read_glossary, unused_terms


def faults(project: Project) -> list[Fault]:
    """All faults of all pages, those that are exempt apart, and exemptions that are not needed."""
    found = list(_all_faults(Pages(project)))
    exemptions = read_exemptions(project.exemptions)
    return [
        *unexempted(found, exemptions),
        *unneeded(found, exemptions, project.exemptions),
    ]


def term_report(pages: Pages, language: str) -> Iterator[str]:
    """Where a translation does not use a term that is not strict. That may be right."""
    glossary = [term for term in read_glossary(pages.project.glossary) if not term.strict]
    for path in pages.paths:
        yield from (str(fault) for fault in _term_faults(pages, language, path, glossary))


def _all_faults(pages: Pages) -> Iterator[Fault]:
    glossary = read_glossary(pages.project.glossary)
    strict = [term for term in glossary if term.strict]
    for path in pages.paths:
        for language in (SOURCE, *TRANSLATIONS):
            try:
                if pages.file(language, path).is_file():
                    yield from _page_faults(pages, language, path, strict)
            except Refusal as refusal:
                yield from refusal.faults


def _page_faults(pages: Pages, language: str, path: str, strict: list[Term]) -> Iterator[Fault]:
    page = pages.read(language, path).page
    yield from typography_faults(page.file, "\n".join(page.lines), language)
    if language == SOURCE:
        return
    files = pages.read(SOURCE, path).page.file, page.file
    for section in current_sections(pages, language, path):
        if section.english and section.translated:
            yield from differences(section.english, section.translated, files, language)
    yield from _term_faults(pages, language, path, strict)


def current_sections(pages: Pages, language: str, path: str) -> Iterator[SectionState]:
    """The sections of a page that follow the English ones."""
    for section in pages.state(language, path).sections:
        if section.state is State.CURRENT:
            yield section


def _term_faults(pages: Pages, language: str, path: str, terms: list[Term]) -> Iterator[Fault]:
    english = pages.read(SOURCE, path).page.file
    for section in current_sections(pages, language, path):
        if section.english and section.translated:
            for term in unused_terms(section.english, section.translated, language, terms):
                place = f"{english}:{section.english.line}"
                problem = f"the section {section.id} lacks the term for “{term.english}” ({place})."
                file = pages.read(language, path).page.file
                remedy = f"Write {term.words(language)}."
                yield Fault(file, section.translated.line, problem, remedy)
