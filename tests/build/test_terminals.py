"""Commands are run in a fresh folder, and recorded in each language."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_build.blocks import resolve
from docs_build.faults import Refusal
from docs_build.project import Project, this_project
from docs_build.terminals import Terminal, printed, read_terminals, record_terminals
from small_sources import sources, the_fault, write

VERSION = '[[terminal]]\nname = "version"\nrun = ["skynet-stub --version"]\n'


def project_of(tmp_path: Path, toml: str) -> Project:
    write(tmp_path / "snippets", {"terminals.toml": toml})
    return Project(tmp_path)


def in_the_checkout(one: Terminal, language: str = "en") -> str:
    return printed(this_project(), one, language)


def test_the_commands_stand_above_what_they_print() -> None:
    one = Terminal("x", ["skynet-stub --version", "skynet-stub check"], exit=2)
    assert in_the_checkout(one) == (
        "$ skynet-stub --version\nskynet-stub 0.1.0\n"
        "$ skynet-stub check\n"
        "skynet-stub: no metric file was given; write `skynet-stub check metric.py`\n"
    )


def test_the_reader_of_another_language_sees_the_option_for_it() -> None:
    one = Terminal("x", ["skynet-stub check none.py{lang}"], exit=2)
    assert in_the_checkout(one).startswith("$ skynet-stub check none.py\nskynet-stub: none.py: ")
    assert in_the_checkout(one, "ru").startswith("$ skynet-stub check none.py --lang ru\n")
    assert "такого файла нет" in in_the_checkout(one, "ru")


def test_the_folder_and_the_time_of_a_call_are_always_the_same() -> None:
    one = Terminal(
        "x",
        ["skynet-stub check metric.py --format json"],
        texts={
            "metric.py": "def score(input, output):\n    print(__file__)\n    return 1, {}\n",
            "cases.jsonl": '{"input": {}, "output": 1}',
        },
        exit=1,
    )
    text = in_the_checkout(one)
    assert '"printed": "/metrics/labels/metric.py\\n"' in text
    assert '"ms": 0.1,' in text


def test_another_exit_code_than_the_one_that_is_expected_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        in_the_checkout(Terminal("x", ["skynet-stub check none.py"]))
    assert "the terminal x ended with 2, not 0: $ skynet-stub check none.py" in str(caught.value)


@pytest.mark.parametrize(
    ("toml", "problem"),
    [
        (VERSION.replace("run", "runs"), "toml:3: unknown key runs."),
        (VERSION.replace('["skynet-stub --version"]', '"x"'), "toml:3: run is 'x'. Write a list."),
        (VERSION.replace('"version"', '""'), "toml:1: the terminal has no name."),
        (VERSION.replace("skynet-stub", "rm"), "toml:3: the command rm --version cannot be run"),
    ],
)
def test_what_is_wrong_with_a_terminal_is_named_with_its_line(
    tmp_path: Path, toml: str, problem: str
) -> None:
    with pytest.raises(Refusal) as caught:
        read_terminals(project_of(tmp_path, toml).snippets)
    assert problem in str(caught.value)


def test_a_page_shows_the_recording_in_its_language(tmp_path: Path) -> None:
    recorded = {"terminals.toml": VERSION, "terminal/version.ru.txt": "$ skynet-stub\n0.1\n"}
    resolved = resolve("::: terminal version", "docs/ru/x.md", sources(tmp_path, "ru", **recorded))
    assert resolved.text == (
        '``` { .console title="Терминал" data-snippet="terminal/version.ru.txt" }\n'
        "$ skynet-stub\n0.1\n```"
    )
    assert resolved.snippets == {"terminals.toml", "terminal/version.ru.txt"}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "versoin",
            "there is no terminal versoin. Add it to snippets/terminals.toml. Did you mean",
        ),
        ("version", "the terminal version is not recorded. Run `make pin`."),
    ],
)
def test_a_terminal_that_is_not_there_is_refused(tmp_path: Path, name: str, problem: str) -> None:
    given = sources(tmp_path, **{"terminals.toml": VERSION})
    with pytest.raises(Refusal) as caught:
        resolve(f"::: terminal {name}", "docs/en/x.md", given)
    fault = the_fault(caught)
    assert f"{fault.problem} {fault.remedy}".startswith(problem)


def test_recording_says_what_changed_and_removes_what_has_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_build.terminals.printed", lambda project, one, language: "new\n")
    project = project_of(tmp_path, VERSION)
    write(project.snippets / "terminal", {"version.en.txt": "new\n", "gone.en.txt": "old\n"})
    said = [line.rpartition("terminal/")[2] for line in record_terminals(project)]
    assert said == [
        "version.zh-Hans.txt was recorded anew",
        "version.ru.txt was recorded anew",
        "gone.en.txt was removed: no terminal has this name",
    ]
    assert [*record_terminals(project)] == []


def test_what_names_no_language_is_run_once_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[tuple[str, str]] = []

    def noted(project: Project, one: Terminal, language: str) -> str:
        runs.append((one.name, language))
        return f"{one.name} in {language}\n"

    monkeypatch.setattr("docs_build.terminals.printed", noted)
    table = '[[terminal]]\nname = "{}"\nrun = ["{}"]\n'
    tables = (("json", "skynet-stub --version"), ("said", "skynet-stub check{lang}"))
    project = project_of(tmp_path, "".join(table.format(*one) for one in tables))
    [*record_terminals(project)]
    assert runs == [("json", "en"), ("said", "en"), ("said", "zh-Hans"), ("said", "ru")]
    recorded = project.snippets / "terminal"
    assert (recorded / "json.ru.txt").read_text("utf-8") == "json in en\n"
    assert (recorded / "said.ru.txt").read_text("utf-8") == "said in ru\n"
