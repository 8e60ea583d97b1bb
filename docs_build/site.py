"""Build the whole site: stage, MkDocs once per language side by side, complete, and finish."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import NamedTemporaryFile

from docs_build.faults import Fault, Refusal, refuse, shown
from docs_build.files import swap_in
from docs_build.finish import complete_pages, finish
from docs_build.project import Project
from docs_build.renderings import DEFAULT_SITE_URL
from docs_build.search import index_language, search_words
from docs_build.stage import StagedPage, Staging, stage
from docs_build.warm import Run, run_all
from skynet_stub.messages import LANGUAGES, catalog

_IMPORTED = ("docs_build.mkdocs_imports",)
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?::([0-9]{1,5}))?(/[A-Za-z0-9._~%/-]*)?")
_LEVEL = re.compile(r"^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) +- +")
_QUOTED = re.compile(r"'([^']+)'")
_NO_FAULT = re.compile(
    r"Aborted with (?:\d+ warnings? in strict mode|a BuildError|a configuration error)"
    r"|A 'dirty' build is being performed"  # which is as intended; see docs_build/rebuild.py
)
# The end of a traceback: the last place that it names, and the error.
_RAISED = re.compile(
    r'(?s)Traceback .*  File "(\S+)", line (\d+)[^\n]*\n(?:[ ]{4}[^\n]*\n)*(\w\S*: .*)'
)
_STAGED_NAME = re.compile(r"[A-Za-z0-9_./-]+\.md")


def build_site(project: Project, site_url: str = DEFAULT_SITE_URL) -> Staging:
    """Build the site for a public address, a path below the host included.

    It is made in a fresh folder that takes the place of `project.site` once it is complete. Raises
    `Refusal`, and leaves the earlier site alone, where anything at all is wrong.
    """
    root_url = public_address(site_url)
    staging = stage(project, root_url=root_url)
    fresh = project.build / "site"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        found = build_languages(project, fresh, root_url, staging.pages, LANGUAGES)
        if faults := [fault for of_language in found.values() for fault in of_language]:
            raise Refusal(distinct(faults))
        complete(project, fresh, root_url, staging.pages, staging.pages)
        for language in LANGUAGES:
            index_language(fresh, language)
        swap_in(fresh, project.site)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return staging


def build_languages(
    project: Project,
    site: Path,
    root_url: str,
    pages: Sequence[StagedPage],
    languages: Collection[str],
    dirty: Collection[str] = (),
) -> dict[str, list[Fault]]:
    """Run MkDocs for languages at once, each into its folder; whatever it warns of, by language.

    For a language that is `dirty` it builds the pages and copies the files that are missing there
    or older than their sources. Of an id that a link names it then knows only where it builds both
    pages.
    """
    with ExitStack() as files:
        outputs = {one: files.enter_context(NamedTemporaryFile()) for one in languages}
        runs = [
            _mkdocs(project, language, site, root_url, output.name, dirty=language in dirty)
            for language, output in outputs.items()
        ]
        codes = run_all(_IMPORTED, runs)
        return {
            language: list(_outcome(project, output.read().decode("utf-8"), code, pages))
            for (language, output), code in zip(outputs.items(), codes, strict=True)
        }


def complete(
    project: Project,
    site: Path,
    root_url: str,
    pages: Sequence[StagedPage],
    built: Collection[StagedPage],
) -> None:
    """Complete the pages that MkDocs built, and write what stands outside of all `pages`."""
    for language in LANGUAGES:
        complete_pages(site, language, [page for page in built if page.language == language])
    finish(site, root_url, pages, project.configuration)


def distinct(faults: Iterable[Fault]) -> list[Fault]:
    """The same faults, each once: what is wrong with the configuration comes in each language."""
    return list({str(fault): fault for fault in faults}.values())


def public_address(site_url: str) -> str:
    """The address of the root of the site, with a slash at its end.

    Raises `Refusal` for what is no such address.
    """
    if not _is_address(site_url):
        problem = f"{site_url!r} is not the address of a site."
        raise refuse("SITE_URL", None, problem, "Write, for example, https://example.org/guide/")
    return site_url if site_url.endswith("/") else f"{site_url}/"


def repository_address(repo_url: str) -> str:
    """The address of the repository on its forge, without a slash at its end; `""` for none.

    Raises `Refusal` for what is no such address.
    """
    if repo_url and not _is_address(repo_url):
        problem = f"{repo_url!r} is not the address of a repository."
        raise refuse(
            "REPO_URL", None, problem, "Write, for example, https://example.org/team/guide"
        )
    return repo_url.rstrip("/")


def _is_address(text: str) -> bool:
    parts = _ADDRESS.fullmatch(text)
    return parts is not None and int(parts[1] or 80) in range(1, 65536)


def _mkdocs(
    project: Project, language: str, site: Path, root_url: str, output: str, *, dirty: bool
) -> Run:
    arguments = (
        *("mkdocs", "build"),
        "--dirty" if dirty else "--strict",  # a dirty build always warns
        *("--config-file", str(project.configuration)),
        *("--site-dir", str(site / language)),
    )
    variables = os.environ | environment(project, language, root_url)
    return Run(arguments, str(project.root), variables, (output, output))


def environment(project: Project, language: str, root_url: str) -> dict[str, str]:
    """What mkdocs.yml takes from the environment, and with it what every page shows."""
    word = catalog(language).text
    return {
        "GUIDE_STAGED": str(project.staged),
        "GUIDE_LANGUAGE": language,
        "GUIDE_HOOK": str(Path(__file__).with_name("mkdocs_hook.py")),
        "SITE_URL": root_url,
        "GUIDE_SITE_URL": f"{root_url}{language}/",
        "GUIDE_SITE_NAME": word("page.site-name"),
        "GUIDE_SITE_DESCRIPTION": word("page.site-description"),
        "GUIDE_TO_DARK": word("page.to-dark"),
        "GUIDE_TO_LIGHT": word("page.to-light"),
        "GUIDE_PERMALINK": word("page.permalink"),
        "GUIDE_REPOSITORY": repository_address(os.environ.get("REPO_URL", "")),
        "GUIDE_EDIT": word("page.edit"),
        "GUIDE_COPY_PAGE": word("page.copy-page"),
        "GUIDE_VIEW_MARKDOWN": word("page.view-markdown"),
        "GUIDE_PAGE_COPIED": word("page.page-copied"),
        "GUIDE_COPY_CODE": word("page.copy-code", name="{name}"),  # a script fills in the file
        "GUIDE_CODE_COPIED": word("page.code-copied", name="{name}"),
        "GUIDE_COPY_FAILED": word("page.copy-failed"),
        **search_words(language),
        "NO_MKDOCS_2_WARNING": "1",  # a notice about the theme's future, on each build
    }


def _outcome(
    project: Project, said: str, code: int, pages: Sequence[StagedPage]
) -> Iterator[Fault]:
    """The faults of one language's build: all that it said, since a good build has no warnings."""
    faults = [
        fault for message in mkdocs_messages(said) for fault in translated(message, project, pages)
    ]
    yield from faults
    if code != 0 and not faults:
        problem = f"MkDocs ended with code {code} and gave no reason."
        yield Fault(shown(project.configuration), None, problem, "Run it alone to see more.")


def mkdocs_messages(output: str) -> Iterator[str]:
    """What MkDocs says besides its progress: each warning, error or other text as one message."""
    message: list[str] = []
    for line in [*output.splitlines(), "INFO - end"]:
        begins = _LEVEL.match(line)
        if begins or not line.strip():
            if message:
                yield "\n".join(message)
            message = []
        text = line[begins.end() :] if begins else line
        if text.strip() and not line.startswith("INFO") and not _NO_FAULT.match(text):
            message.append(text)


def translated(message: str, project: Project, pages: Sequence[StagedPage]) -> Iterator[Fault]:
    """A message of MkDocs in terms of the sources: it knows only the staged pages."""
    names = {f"{page.language}/{page.path}": page for page in pages}
    named = [name for name in _STAGED_NAME.findall(message) if name in names]
    configuration = shown(project.configuration)
    if "not included in the" in message:
        for name in named:
            remedy = f"Add it to nav in {configuration}, with its title."
            yield Fault(shown(names[name].source), None, "the page has no place in nav.", remedy)
        return
    text = " ".join(message.split())
    raised = _RAISED.search(message)
    if not named and raised and Path(raised[1]).is_relative_to(project.root):
        error = " ".join(raised[3].split())
        yield Fault(shown(Path(raised[1])), int(raised[2]), error, "Mend it.")
        return
    for name in named:
        text = text.replace(name, shown(names[name].source))
    if not named:
        line = _line_with(project.configuration.read_text("utf-8"), _QUOTED.findall(message))
        yield Fault(configuration, line, text, "")
        return
    page = names[named[0]]
    staged_line = _line_with(page.staged.read_text("utf-8"), _QUOTED.findall(message))
    line = page.source_line(staged_line) if staged_line else None
    yield Fault(shown(page.source), line, text, "Mend the page; a warning fails the build.")


def _line_with(text: str, targets: list[str]) -> int | None:
    """The first line that links to, or else holds, one of the texts that a message quotes."""
    lines = text.split("\n")
    for form in ("]({}", "{}"):
        for target in targets:
            for number, line in enumerate(lines, 1):
                if form.format(target) in line:
                    return number
    return None
