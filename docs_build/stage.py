"""Turn `docs/` into plain Markdown for each language under `build/staged/`, which mirrors it.

Only what changed is written, what has lost its source is removed, and each staged line remembers
the source line that it came from, so that a message about it can name that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from markdown import Markdown

from docs_build.blocks import Resolved, resolve
from docs_build.catalogs import compile_catalogs
from docs_build.converter import markdown_of
from docs_build.faults import Fault, Refusal, refuse, shown
from docs_build.files import remove_others, write_if_changed
from docs_build.page_checks import check_page, read_page
from docs_build.project import Project
from docs_build.renderings import DEFAULT_SITE_URL, Sources
from docs_build.staging_memory import StagingMemory
from docs_build.wheel import DOWNLOADS, wheel_of
from skynet_stub.messages import LANGUAGES, catalog


@dataclass(frozen=True, slots=True)
class StagedPage:
    """A page that was staged. `path` lies within the language's folder, such as
    `concepts/scorers.md`; `lines` and `snippets` are those of `Resolved`."""

    language: str
    path: PurePosixPath
    source: Path
    staged: Path
    lines: tuple[int, ...]
    snippets: frozenset[str]

    @property
    def url(self) -> str:
        """The address of the page below its language's, such as `concepts/scorers/`."""
        return page_url(self.path)

    def source_line(self, staged_line: int) -> int:
        """The line of the source that a line of the staged page came from."""
        return self.lines[min(staged_line, len(self.lines)) - 1]


@dataclass(frozen=True, slots=True)
class Staging:
    """All staged pages, in order of their paths, and the staged files that changed."""

    pages: tuple[StagedPage, ...]
    written: tuple[Path, ...]
    removed: tuple[Path, ...]


def page_url(path: PurePosixPath) -> str:
    """The address of the page at a path: `concepts/scorers/` for `concepts/scorers.md`."""
    return "".join(f"{part}/" for part in path.with_suffix("").parts if part != "index")


def stage(
    project: Project, memory: StagingMemory | None = None, root_url: str = DEFAULT_SITE_URL
) -> Staging:
    """Stage the pages of all languages for an address; a memory gives those that are known already.

    Beside the pages of a language lies the wheel of the stub, which they offer.

    Raises `Refusal` with every fault of every page, and then changes no staged file.
    """
    compile_catalogs(project.catalogs, LANGUAGES)
    wheel = wheel_of(project)
    made_from = {
        language: Sources(project.snippets, catalog(language), root_url, wheel)
        for language in LANGUAGES
    }
    sources = list(_files(project))
    faults = list(_missing_pages(project, sources))
    markdown = markdown_of(project.configuration)
    pages: list[StagedPage] = []
    contents: dict[Path, bytes] = {}
    for language, source in sources:
        path = PurePosixPath(source.relative_to(project.docs / language).as_posix())
        staged = project.staged / language / path
        data = contents[staged] = source.read_bytes()
        if source.suffix != ".md":
            continue
        resolved = memory.recall(source, data) if memory else None
        if resolved is None:
            try:
                resolved = _resolved(made_from[language], language, shown(source), data, markdown)
            except Refusal as refusal:
                faults += refusal.faults
                continue
            if memory:
                memory.keep(source, data, resolved)
        contents[staged] = resolved.text.encode()
        pages.append(StagedPage(language, path, source, staged, resolved.lines, resolved.snippets))
    if wheel:
        for language in LANGUAGES:
            contents[project.staged / language / DOWNLOADS / wheel.name] = wheel.data
    if memory:
        memory.save()
    if faults:  # a fault of a snippet comes in each language
        raise Refusal(dict.fromkeys(faults))
    written = [path for path, data in contents.items() if write_if_changed(path, data)]
    removed = remove_others(project.staged, contents)
    return Staging(tuple(pages), tuple(written), tuple(removed))


def _resolved(
    sources: Sources, language: str, file: str, data: bytes, markdown: Markdown
) -> Resolved:
    """One page, checked and with its blocks resolved."""
    page = read_page(data, file, language)
    faults: list[Fault] = []
    try:
        check_page(page, markdown)
    except Refusal as refusal:
        faults += refusal.faults
    try:
        resolved = resolve("\n".join(page.lines), file, sources)
    except Refusal as refusal:
        faults += refusal.faults
    if faults:
        raise Refusal(sorted(faults, key=lambda fault: (fault.file, fault.line or 0)))
    return resolved


def _files(project: Project) -> Iterator[tuple[str, Path]]:
    """The files of each language, and a refusal for what belongs to none."""
    for path in sorted(project.docs.glob("*")):
        if path.name not in LANGUAGES or not path.is_dir():
            problem = "this is no folder of a language."
            raise refuse(shown(path), None, problem, f"Languages: {', '.join(LANGUAGES)}.")
    for language in LANGUAGES:
        for path in sorted((project.docs / language).rglob("*")):
            if path.is_file() or path.is_symlink():
                if not path.resolve().is_relative_to(project.docs.resolve()):
                    problem = f"this is a link that leads out of {shown(project.docs)}."
                    raise refuse(shown(path), None, problem, "Put the file itself there.")
                yield language, path


def _missing_pages(project: Project, sources: Sequence[tuple[str, Path]]) -> Iterator[Fault]:
    """Each page must be there in every language."""
    paths = {
        language: {
            path.relative_to(project.docs / language)
            for of_language, path in sources
            if of_language == language and path.suffix == ".md"
        }
        for language in LANGUAGES
    }
    source, *translations = LANGUAGES
    for language in translations:
        for path in sorted(paths[source] - paths[language]):
            problem = f"the page is missing in {language}; {source} has it."
            remedy = f"Translate {shown(project.docs / source / path)}."
            yield Fault(shown(project.docs / language / path), None, problem, remedy)
        for path in sorted(paths[language] - paths[source]):
            problem = f"the page is not there in {source}, which is the source."
            remedy = f"Write {shown(project.docs / source / path)}, or remove this one."
            yield Fault(shown(project.docs / language / path), None, problem, remedy)
