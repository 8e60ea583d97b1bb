"""The blocks that say where the wheel of the stub is: how to install it, by hand or in CI."""

from __future__ import annotations

from docs_build.faults import refuse
from docs_build.renderings import Rendering, Sources
from docs_build.snippets import Place, code_fence, read_snippet
from docs_build.tables import code_cell
from docs_build.wheel import DOWNLOADS, Wheel

INSTALL = "install.txt"
WORKFLOW = "check-metric.yml"


def install(sources: Sources, place: Place) -> Rendering:
    """The commands that install the wheel, and its file to download with its digest."""
    wheel = _offered(sources, place)
    word = sources.catalog.text
    commands = _filled(sources, place, INSTALL, "console", word("page.terminal"))
    sentence = word("page.download", file=_link(sources, wheel), digest=code_cell(wheel.sha256))
    return Rendering(f"{commands}\n{sentence}\n", frozenset({INSTALL}))


def workflow(sources: Sources, place: Place) -> Rendering:
    """The workflow for GitHub, which installs the wheel from this site and checks its digest."""
    return Rendering(_filled(sources, place, WORKFLOW, "yaml", WORKFLOW), frozenset({WORKFLOW}))


def address(root_url: str, language: str, wheel: Wheel) -> str:
    """The public address of the wheel."""
    return f"{root_url}{language}/{DOWNLOADS}/{wheel.name}"


def _filled(sources: Sources, place: Place, path: str, language: str, title: str) -> str:
    """A snippet with the address of the wheel, and its digest, in their places."""
    wheel = _offered(sources, place)
    text = read_snippet(sources.snippets, path, place).text
    text = text.replace("{wheel}", address(sources.root_url, sources.catalog.language, wheel))
    return code_fence(text.replace("{sha256}", wheel.sha256), language, title, snippet=path)


def _offered(sources: Sources, place: Place) -> Wheel:
    if sources.wheel is None:
        problem = "there is no wheel to offer."
        raise refuse(place.file, place.line, problem, "Build the site where pyproject.toml is.")
    return sources.wheel


def _link(sources: Sources, wheel: Wheel) -> str:
    return (
        f"[{code_cell(wheel.name)}]({address(sources.root_url, sources.catalog.language, wheel)})"
    )
