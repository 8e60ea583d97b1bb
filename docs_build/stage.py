"""Turn `docs/` into plain Markdown for each language under `build/staged/`, which mirrors it.

Only what changed is written, what has lost its source is removed, and each staged line remembers
the source line that it came from, so that a message about it can name that. What a language lacks
is taken from English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from docs_build.catalogs import compile_catalogs
from docs_build.converter import markdown_of
from docs_build.faults import Fault, Refusal, refuse, shown
from docs_build.files import remove_others, write_if_changed
from docs_build.page_maker import PageMaker, PageSource, page_url
from docs_build.project import Project
from docs_build.renderings import DEFAULT_SITE_URL
from docs_build.staging_memory import StagingMemory
from docs_build.wheel import DOWNLOADS, wheel_of
from skynet_stub.messages import LANGUAGES


@dataclass(frozen=True, slots=True)
class StagedPage:
    """A page that was staged. `path` lies within the language's folder, such as
    `concepts/scorers.md`; `lines` and `snippets` are those of `Resolved`. `untranslated` are the
    languages that lack the page; what is staged for them is the English text."""

    language: str
    path: PurePosixPath
    source: Path
    staged: Path
    lines: tuple[int, ...]
    snippets: frozenset[str]
    untranslated: tuple[str, ...] = ()

    @property
    def is_translated(self) -> bool:
        """Whether the page is in its language, and not shown in English."""
        return self.language not in self.untranslated

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


def stage(
    project: Project, memory: StagingMemory | None = None, root_url: str = DEFAULT_SITE_URL
) -> Staging:
    """Stage the pages of all languages for an address; a memory gives those that are known already.

    Beside the pages of a language lies the wheel of the stub, which they offer.

    Raises `Refusal` with every fault of every page, and then changes no staged file.
    """
    compile_catalogs(project.catalogs, LANGUAGES)
    wheel = wheel_of(project)
    files = {language: dict(_files(project, language)) for language in LANGUAGES}
    faults = [*_strays(project, files)]
    maker = PageMaker(project, markdown_of(project.configuration), root_url, wheel)
    pages: list[StagedPage] = []
    contents: dict[Path, bytes] = {}
    for source in _sources(files):
        staged = project.staged / source.language / source.path
        contents[staged] = source.data
        if source.path.suffix != ".md":
            continue
        made_from = (source.data, source.english, repr(source.untranslated).encode())
        resolved = memory.recall(staged, *made_from) if memory else None
        if resolved is None:
            try:
                resolved = maker.made(source)
            except Refusal as refusal:
                faults += refusal.faults
                continue
            if memory:
                memory.keep(staged, *made_from, resolved=resolved)
        contents[staged] = resolved.text.encode()
        place = (source.language, source.path, source.file, staged)
        pages.append(StagedPage(*place, resolved.lines, resolved.snippets, source.untranslated))
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


def _sources(files: Mapping[str, Mapping[PurePosixPath, Path]]) -> Iterator[PageSource]:
    """What is staged for each language, English first: its own files, else the English ones."""
    english = files[LANGUAGES[0]]
    for language, own in files.items():
        for path, file in sorted({**english, **own}.items()):
            if path.suffix == ".md" and path not in english:
                continue  # which is a fault
            data = file.read_bytes()
            source = english[path].read_bytes() if path in english else data
            untranslated = tuple(other for other in LANGUAGES if path not in files[other])
            yield PageSource(language, path, file, data, source, untranslated)


def _files(project: Project, language: str) -> Iterator[tuple[PurePosixPath, Path]]:
    """The files of a language, by their paths in its folder; not those that editors hide there."""
    folder = project.docs / language
    for path in sorted(folder.rglob("*")):
        if path.name.startswith("."):
            continue
        if path.is_file() or path.is_symlink():
            if not path.resolve().is_relative_to(project.docs.resolve()):
                problem = f"this is a link that leads out of {shown(project.docs)}."
                raise refuse(shown(path), None, problem, "Put the file itself there.")
            yield PurePosixPath(path.relative_to(folder).as_posix()), path


def _strays(project: Project, files: Mapping[str, Mapping[PurePosixPath, Path]]) -> Iterator[Fault]:
    """What belongs to no language, and pages that English does not have."""
    for path in sorted(project.docs.glob("*")):
        if path.name not in LANGUAGES or not path.is_dir():
            problem = "this is no folder of a language."
            raise refuse(shown(path), None, problem, f"Languages: {', '.join(LANGUAGES)}.")
    english = LANGUAGES[0]
    for own in files.values():
        for place in sorted(own.keys() - files[english].keys()):
            if place.suffix == ".md":
                problem = f"the page is not there in {english}, which is the source."
                remedy = f"Write {shown(project.docs / english / place)}, or remove this one."
                yield Fault(shown(own[place]), None, problem, remedy)
