"""Commands and what they print: run and recorded by `make pin`, shown by pages, run again by tests.

`snippets/terminals.toml` says what is run, on which files; the recordings in `snippets/terminal/`
are one text a language.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docs_build.faults import Fault, Refusal, closest, refuse, shown
from docs_build.files import write_if_changed
from docs_build.project import Project
from docs_build.reason_examples import read_reason_examples
from docs_build.renderings import METRIC, Rendering, Sources
from docs_build.rows import tables_of
from docs_build.snippets import Place, code_fence, read_snippet
from docs_build.warm import warm
from skynet_stub.messages import LANGUAGES

TERMINALS = "terminals.toml"
FOLDER = "terminal"

PROMPT = "$ "
"""What stands before a command."""

PLACE = "/metrics/labels"
"""Stands in a recording for the folder that the commands were run in."""

_PLUGIN = "skynet_stub.pytest_plugin"
_PROGRAMS = {
    "skynet-stub": ("docs_build.steady_command",),
    # As where the wheel is installed, and no other plugin.
    "pytest": ("pytest", "-p", "no:cacheprovider", "-p", _PLUGIN),
    "python": (),
}
_IMPORTED = ("pytest", "skynet_stub.command", "skynet_stub.supervisor", "ctypes")
_ENVIRONMENT = {
    "COLUMNS": "80",
    "NO_COLOR": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTEST_ADDOPTS": "",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}
_KINDS = {
    "name": str,
    "run": list,
    "before": list,
    "files": dict,
    "texts": dict,
    "reason": str,
    "exit": int,
}
_PYTEST_SECONDS = re.compile(r"(?<=\bin )[0-9.]+s\b")


@dataclass(frozen=True, slots=True)
class Terminal:
    """Commands that are run in a fresh folder, one after the other.

    `before` are run first, and not shown. In a command `{lang}` stands for the option that names
    the reader's language. In the folder lie `files`, snippets by their names there, and `texts`;
    with `reason`, the example of that reason code is its metric. `exit` is the exit code of the
    last command.
    """

    name: str
    run: list[str]
    before: list[str] = field(default_factory=list)
    files: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    exit: int = 0

    @property
    def languages(self) -> tuple[str, ...]:
        """Those that it prints different texts in: the first alone where no command names one."""
        names_one = any("{lang}" in command for command in (*self.before, *self.run))
        return LANGUAGES if names_one else LANGUAGES[:1]


def read_terminals(folder: Path) -> dict[str, Terminal]:
    """All terminals by name. Raises `Refusal` with the line of each that is malformed."""
    file, tables = tables_of(folder, TERMINALS, "terminal")
    faults = [
        Fault(file, table.line_of(key), problem, remedy)
        for table in tables
        for key, problem, remedy in _faults(table.values)
    ]
    if faults:
        raise Refusal(faults)
    return {table.values["name"]: Terminal(**table.values) for table in tables}


def terminal(sources: Sources, place: Place, name: str) -> Rendering:
    """The commands of a terminal with what they print, in the language of the page."""
    known = read_terminals(sources.snippets)
    if name not in known:
        problem = f"there is no terminal {name}."
        remedy = f"Add it to {sources.snippets.name}/{TERMINALS}.{closest(name, known)}"
        raise refuse(place.file, place.line, problem, remedy)
    path = recording(name, sources.catalog.language)
    if not (sources.snippets / path).is_file():
        problem = f"the terminal {name} is not recorded."
        raise refuse(place.file, place.line, problem, "Run `make pin`.")
    text = read_snippet(sources.snippets, path, place).text
    fence = code_fence(text, "console", sources.catalog.text("page.terminal"), snippet=path)
    return Rendering(fence, frozenset({TERMINALS, path}))


def recording(name: str, language: str) -> str:
    """The path of a recording within the snippets."""
    return f"{FOLDER}/{name}.{language}.txt"


def record_terminals(project: Project) -> Iterator[str]:
    """Run all terminals in each language, and write down what they print; says what changed."""
    wanted = set()
    for one in read_terminals(project.snippets).values():
        texts = {language: printed(project, one, language) for language in one.languages}
        for language in LANGUAGES:
            path = project.snippets / recording(one.name, language)
            wanted.add(path)
            text = texts.get(language, texts[LANGUAGES[0]])
            if write_if_changed(path, text.encode()):
                yield f"{shown(path)} was recorded anew"
    for path in sorted((project.snippets / FOLDER).glob("*")):
        if path not in wanted:
            path.unlink()
            yield f"{shown(path)} was removed: no terminal has this name"


def printed(project: Project, one: Terminal, language: str) -> str:
    """The commands of a terminal, and what they print now.

    Raises `Refusal` where the last one ends with another code than it should.
    """
    text, code = "", 0
    with TemporaryDirectory() as name:
        folder = Path(name, "metric")
        folder.mkdir()
        _put_files(project.snippets, one, folder)
        for command in one.before:
            _run(_in_language(command, language), folder, project.root)
        for command in one.run:
            command = _in_language(command, language)
            done = _run(command, folder, project.root)
            text += f"{PROMPT}{command}\n{done.stdout.replace(str(folder), PLACE)}"
            code = done.returncode
    if code != one.exit:
        problem = f"the terminal {one.name} ended with {code}, not {one.exit}: {text}"
        file = f"{project.snippets.name}/{TERMINALS}"
        raise refuse(file, None, problem, "Correct its exit code, or what it runs.")
    return _PYTEST_SECONDS.sub("0.05s", text)


def _in_language(command: str, language: str) -> str:
    option = "--skynet-lang" if command.startswith("pytest") else "--lang"
    return command.replace("{lang}", "" if language == LANGUAGES[0] else f" {option} {language}")


def _run(command: str, folder: Path, root: Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(command)
    # On a build server (CI) pytest would say more than on a reader's machine.
    environment = {**os.environ, "CI": "", **_ENVIRONMENT, "PYTHONPATH": str(root)}
    if module := _PROGRAMS[program]:
        imported = warm(*_IMPORTED)
        return imported.run(
            *module, *arguments, folder=folder, environment=environment, merged=True
        )
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


def _put_files(snippets: Path, one: Terminal, folder: Path) -> None:
    for name, path in one.files.items():
        (folder / name).write_bytes((snippets / path).read_bytes())
    for name, text in one.texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    if one.reason:
        source = read_reason_examples(snippets)[one.reason].source
        (folder / METRIC).write_text(source, encoding="utf-8")


def _faults(values: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The faults of a terminal: the key, the problem, the remedy."""
    for key, value in values.items():
        if key not in _KINDS:
            yield key, f"unknown key {key}.", f"Use {', '.join(_KINDS)}.{closest(key, _KINDS)}"
        elif not isinstance(value, _KINDS[key]):
            yield key, f"{key} is {value!r}.", f"Write a {_KINDS[key].__name__}."
    for key in ("name", "run"):
        if not values.get(key):
            yield "", f"the terminal has no {key}.", f"Add {key} = ..."
    for command in (*values.get("before", ()), *values.get("run", ())):
        if str(command).partition(" ")[0] not in _PROGRAMS:
            known = ", ".join(_PROGRAMS)
            yield "run", f"the command {command} cannot be run here.", f"Begin it with {known}."
