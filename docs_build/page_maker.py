"""Make one page ready to be staged: check it, resolve its blocks, and tell readers of its state.

A page that has no translation is made from the English one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from markdown import Markdown

from docs_build.blocks import Resolved, resolve
from docs_build.faults import Fault, Refusal, shown
from docs_build.page_checks import Page, check_page, read_page
from docs_build.project import Project
from docs_build.renderings import Sources
from skynet_stub.messages import LANGUAGES, catalog
from translation.follows import record_of, refuse_record_of_source
from translation.notices import Shown, with_notices
from translation.outline import Outline, outline
from translation.states import CURRENT_PAGE, PageState, missing_page, page_state


@dataclass(frozen=True, slots=True)
class PageSource:
    """A file that is staged for a language, and its contents.

    `path` lies within the language's folder. `english` are the contents of the English file, and
    `untranslated` the languages that have none of their own: for these, `file` is the English one.
    """

    language: str
    path: PurePosixPath
    file: Path
    data: bytes
    english: bytes
    untranslated: tuple[str, ...] = ()

    @property
    def is_english(self) -> bool:
        """Whether the text is the English one."""
        return self.language in (LANGUAGES[0], *self.untranslated)


def page_url(path: PurePosixPath) -> str:
    """The address of the page at a path: `concepts/scorers/` for `concepts/scorers.md`."""
    return "".join(f"{part}/" for part in path.with_suffix("").parts if part != "index")


class PageMaker:
    """Makes pages, English ones before their translations; it remembers their outlines."""

    def __init__(self, project: Project, markdown: Markdown) -> None:
        self._project = project
        self._markdown = markdown
        self._english: dict[PurePosixPath, Outline | None] = {}

    def made(self, source: PageSource) -> Resolved:
        """The page as it is staged. Raises `Refusal` with every fault of it."""
        language = LANGUAGES[0] if source.is_english else source.language
        page = read_page(source.data, shown(source.file), language)
        faults: list[Fault] = []
        state = CURRENT_PAGE
        try:
            outlined = outline(page, check_page(page, self._markdown))
            state = self._state(source, page, outlined)
        except Refusal as refusal:
            faults += refusal.faults
        try:
            sources = Sources(self._project.snippets, catalog(language))
            resolved = resolve("\n".join(page.lines), page.file, sources)
        except Refusal as refusal:
            faults += refusal.faults
        if faults:
            raise Refusal(sorted(faults, key=lambda fault: (fault.file, fault.line or 0)))
        url = page_url(source.path)
        return with_notices(page, resolved, Shown(source.language, url, state, source.untranslated))

    def _state(self, source: PageSource, page: Page, outlined: Outline) -> PageState:
        if source.is_english:
            refuse_record_of_source(page)
            self._english[source.path] = outlined
            return CURRENT_PAGE if source.language == LANGUAGES[0] else missing_page(outlined)
        record = record_of(page, outlined)
        english = self._english_outline(source)
        return page_state(english, outlined, record) if english else CURRENT_PAGE

    def _english_outline(self, source: PageSource) -> Outline | None:
        """The outline of the English page; `None` where that page is refused itself."""
        if source.path not in self._english:
            try:
                page = read_page(source.english, "", LANGUAGES[0])
                found = outline(page, check_page(page, self._markdown))
            except Refusal:
                self._english[source.path] = None
            else:
                self._english[source.path] = found
        return self._english[source.path]
