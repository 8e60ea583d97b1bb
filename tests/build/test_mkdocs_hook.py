"""The hook of MkDocs keeps templates compiled, lists no hidden files, and changes nothing else."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from jinja2 import Environment, FileSystemLoader

from docs_build import mkdocs_hook
from docs_build.mkdocs_hook import on_config
from small_sources import write


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty memory, of a Python that writes bytecode."""
    monkeypatch.setattr(mkdocs_hook, "_MEMORY", tmp_path / "memory")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "memory"


def environment(*folders: Path) -> Environment:
    """The environment of a theme in these folders, as MkDocs gets it."""
    theme = SimpleNamespace(get_env=lambda: Environment(loader=FileSystemLoader(folders)))
    made = on_config(SimpleNamespace(theme=theme)).theme.get_env()
    assert isinstance(made, Environment)
    return made


def kept(memory: Path) -> list[str]:
    return sorted(path.name for path in memory.iterdir())


def test_a_template_is_compiled_once_also_for_a_copy_of_it(memory: Path, tmp_path: Path) -> None:
    files = {"a.html": "{{ x }}", "b.html": "{% include 'a.html' %}!"}
    one, copy = write(tmp_path / "one", files), write(tmp_path / "copy", files)
    assert environment(one).get_template("b.html").render(x=1) == "1!"
    before = kept(memory)
    assert len(before) == 2
    template = environment(copy).get_template("b.html")
    assert template.render(x=2) == "2!"
    assert template.filename == str(copy / "b.html")
    assert kept(memory) == before


def test_a_template_that_changed_is_compiled_anew(memory: Path, tmp_path: Path) -> None:
    write(tmp_path / "theme", {"a.html": "before"})
    assert environment(tmp_path / "theme").get_template("a.html").render() == "before"
    write(tmp_path / "theme", {"a.html": "after"})
    assert environment(tmp_path / "theme").get_template("a.html").render() == "after"


def test_nothing_is_kept_where_python_keeps_no_bytecode(
    memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    write(tmp_path / "theme", {"a.html": "a"})
    assert environment(tmp_path / "theme").get_template("a.html").render() == "a"
    assert not memory.exists()


def test_files_of_hidden_folders_are_loaded_and_not_listed(memory: Path, tmp_path: Path) -> None:
    ours = write(tmp_path / "ours", {"main.html": "ours", "assets/a.css": ""})
    theirs = write(tmp_path / "theirs", {"main.html": "", ".icons/b/c.svg": "<svg/>", "d/.e/f": ""})
    made = environment(ours, theirs)
    assert made.list_templates() == ["assets/a.css", "main.html"]
    assert made.get_template("main.html").render() == "ours"
    assert made.get_template(".icons/b/c.svg").render() == "<svg/>"
