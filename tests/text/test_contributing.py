"""CONTRIBUTING.md is true: its commands run, and what is wrong looks as it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs_build.faults import Refusal
from docs_build.project import Project, this_project
from docs_build.stage import stage
from docs_build.watch import FILES, FOLDERS
from docs_build.wording import wording_faults
from following import DAY
from skynet_stub.messages import LANGUAGES
from translation.checks import faults
from translation.pages import Pages
from translation.record import record
from translation.status import is_current, standings

ROOT = this_project().root
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
OLD = ("--old-file=.venv/site.stamp", "--old-file=.venv/test.stamp")
COMMANDS = [
    line
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
    for line in block.splitlines()
]
PROSE = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
SAID = [text for text in re.findall(r"`([^`\n]+)`", PROSE) if re.match(r"\S+:[0-9]+: ", text)]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the commands read and write."""
    root = tmp_path_factory.mktemp("scratch")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, root / name)
    for name in (*FILES, "Makefile", "tests/text/wording.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    (root / ".venv").symlink_to(sys.prefix)
    return root


@pytest.mark.parametrize("command", list(dict.fromkeys(COMMANDS)))
def test_each_command_runs(scratch: Path, command: str) -> None:
    program, *arguments = command.split()
    assert program == "make"
    done = subprocess.run(
        # All is installed already: the stamps of that are taken for old, whatever their times.
        ("make", "--no-print-directory", *OLD, *arguments),
        cwd=scratch,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if "STRICT=1" in arguments and not is_current(standings(Pages(Project(scratch)))):
        assert done.returncode == 2  # as it should: this is no release
        return
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout


def test_every_kind_of_change_has_its_command() -> None:
    sections = re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert [title for title, _ in sections] == [
        *("A page", "A snippet", "A message", "A term", "A translation")
    ]
    assert all("```console\nmake " in text for _, text in sections)


def said(problem: str) -> bool:
    """Whether CONTRIBUTING.md quotes a fault, up to what it leaves out; the line apart."""
    file, _, text = problem.partition(":")
    return any(
        quoted.startswith(file) and text.split(": ", 1)[1].startswith(_begin(quoted))
        for quoted in SAID
    )


def _begin(quoted: str) -> str:
    return quoted.split(": ", 1)[1].removesuffix("…").strip()


def test_what_is_wrong_looks_as_it_says(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(scratch)
    project = Project(scratch)
    found = [
        refused_for_a_heading(project),
        refused_for_a_link(project),
        *wrong_term(project),
        *wrong_message(project),
    ]
    assert len(found) == len(SAID) == 4
    assert [problem for problem in found if not said(problem)] == []


def changed(path: Path, old: str, new: str) -> str:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return text


def refused_for_a_heading(project: Project) -> str:
    page = project.docs / "en/index.md"
    before = changed(page, " {#read-and-copy}", "")
    with pytest.raises(Refusal) as caught:
        stage(project)
    page.write_text(before, "utf-8")
    return str(caught.value.faults[0])


def refused_for_a_link(project: Project) -> str:
    page = project.docs / "ru/concepts/scorers.md"
    before = changed(page, "](optimization.md)", "](engines.md)")
    with pytest.raises(Refusal) as caught:
        record(Pages(project), "concepts/scorers.md", "ru", None, DAY)
    page.write_text(before, "utf-8")
    return str(caught.value.faults[0])


def wrong_term(project: Project) -> list[str]:
    page = project.docs / "ru/index.md"
    before = changed(page, "возвращаемое значение", "итог")
    found = faults(project)
    page.write_text(before, "utf-8")
    return [str(fault) for fault in found]


def wrong_message(project: Project) -> list[str]:
    catalog = project.catalogs / "ru.po"
    before = changed(catalog, 'msgid "verdict.valid"\nmsgstr "', 'msgid "verdict.valid"\nmsgstr "+')
    found = list(wording_faults(project.catalogs, LANGUAGES, project.wording))
    catalog.write_text(before, "utf-8")
    return [str(fault) for fault in found]
