"""The wheel of the stub: built with the site, once for the same sources, the same each time."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from docs_build.blocks import resolve
from docs_build.faults import Refusal
from docs_build.project import Project, this_project
from docs_build.renderings import Sources
from docs_build.stage import stage
from docs_build.wheel import Wheel, wheel_of
from skynet_stub.messages import LANGUAGES, catalog
from small_sources import PAGE, write

WHEEL = Wheel("skynet_stub-9-py3-none-any.whl", b"wheel")
ROOT = "https://guide.example/a/"


def copy_of_package(folder: Path) -> Project:
    real = this_project().root
    for name in ("skynet_stub", "docs_build"):
        shutil.copytree(real / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(real / name, folder)
    return Project(folder)


def test_the_same_sources_give_the_same_bytes_wherever_they_are(tmp_path: Path) -> None:
    one, other = (
        wheel_of(copy_of_package(tmp_path / "a")),
        wheel_of(copy_of_package(tmp_path / "b")),
    )
    assert one is not None
    assert one == other
    assert one.name == "skynet_stub-0.1.0-py3-none-any.whl"
    assert one.sha256 == hashlib.sha256(one.data).hexdigest()


def test_it_is_built_again_only_where_its_sources_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = copy_of_package(tmp_path)
    first = wheel_of(project)
    with monkeypatch.context() as without_builder:
        without_builder.setattr(subprocess, "run", None)
        assert wheel_of(project) == first
    write(project.root, {"skynet_stub/more.py": '"""More."""\n'})
    second = wheel_of(project)
    assert first is not None
    assert second is not None
    assert second.data != first.data


def test_a_package_that_cannot_be_built_is_refused(tmp_path: Path) -> None:
    project = copy_of_package(tmp_path)
    text = (tmp_path / "pyproject.toml").read_text("utf-8")
    write(tmp_path, {"pyproject.toml": text + "[\n"})
    with pytest.raises(Refusal, match="the wheel cannot be built: "):
        wheel_of(project)


def test_a_project_without_a_package_has_none(tmp_path: Path) -> None:
    assert wheel_of(Project(tmp_path)) is None


def test_it_lies_beside_the_pages_of_each_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_build.stage.wheel_of", lambda project: WHEEL)
    real = this_project()
    write(tmp_path, {"docs/en/index.md": PAGE})
    shutil.copytree(real.catalogs, tmp_path / "skynet_stub" / "locale")
    shutil.copy(real.configuration, tmp_path)
    project = Project(tmp_path)
    stage(project)
    for language in LANGUAGES:
        assert (project.staged / language / "download" / WHEEL.name).read_bytes() == b"wheel"


def resolved(tmp_path: Path, block: str, wheel: Wheel | None = WHEEL) -> str:
    snippets = write(
        tmp_path / "snippets",
        {"install.txt": "$ pip install {wheel}\n", "check-metric.yml": "run: {wheel}#{sha256}\n"},
    )
    given = Sources(snippets, catalog("ru"), ROOT, wheel)
    return resolve(block, "docs/ru/x.md", given).text


def test_a_page_shows_the_address_and_the_digest(tmp_path: Path) -> None:
    address = f"https://guide.example/a/ru/download/{WHEEL.name}"
    assert resolved(tmp_path, "::: install") == (
        '``` { .console title="Терминал" data-snippet="install.txt" }\n'
        f"$ pip install {address}\n```\n\n"
        f"Сам файл: [`{WHEEL.name}`]({address}). Его дайджест SHA-256: `{WHEEL.sha256}`."
    )
    assert f"run: {address}#{WHEEL.sha256}\n" in resolved(tmp_path, "::: workflow")


@pytest.mark.parametrize("block", ["install", "workflow"])
def test_without_a_wheel_its_blocks_are_refused(tmp_path: Path, block: str) -> None:
    with pytest.raises(Refusal, match=r"docs/ru/x\.md:1: there is no wheel to offer\."):
        resolved(tmp_path, f"::: {block}", None)


def test_the_workflow_is_yaml_and_runs_two_commands_on_every_push() -> None:
    text = (this_project().snippets / "check-metric.yml").read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert set(workflow) == {"name", True, "permissions", "jobs"}  # to YAML, `on` is a truth value
    assert workflow[True] == ["push", "pull_request"]
    (job,) = workflow["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == [
        'pip install "{wheel}#sha256={sha256}"',
        "skynet-stub check metric.py --all --format github",
    ]
    assert [step["uses"] for step in job["steps"] if "uses" in step] == [
        "actions/checkout@v4",
        "actions/setup-python@v5",
    ]
