"""What is shipped and locked: the wheel, the lock files, and what may stand in no tracked file."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = ("site", "test", "pyodide", "node")


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, capture_output=True, encoding="utf-8", timeout=300, check=False
    )


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    return path


@dataclass(frozen=True)
class Environment:
    """A virtual environment that holds the wheel alone, and a folder outside the checkout."""

    python: Path
    command: Path
    folder: Path

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return run(*command, cwd=self.folder)


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    home = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    install = ("install", "--quiet", "--no-deps", "--no-index", wheel)
    done = run(sys.executable, "-m", "pip", "--python", python, *install, cwd=home)
    assert done.returncode == 0, done.stderr
    return Environment(python, home / "bin" / "skynet-stub", tmp_path_factory.mktemp("outside"))


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_the_compiled_catalogs_and_the_types(wheel: Path) -> None:
    assert names_in(wheel) >= {
        "skynet_stub/locale/en.mo",
        "skynet_stub/locale/ru.mo",
        "skynet_stub/locale/zh-Hans.mo",
        "skynet_stub/py.typed",
        "skynet_stub/command.py",
        "skynet_stub/report.schema.json",
        "skynet_stub/template/metric.py",
        "skynet_stub/template/cases.jsonl",
        "skynet-stubs/__init__.pyi",
    }


def test_the_wheel_holds_nothing_else_of_the_repository(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in names_in(wheel)}
    assert tops == {"skynet_stub", "skynet-stubs", "skynet_stub-0.1.0.dist-info"}
    kinds = {Path(name).suffix for name in names_in(wheel) if ".dist-info/" not in name}
    assert kinds == {".py", ".pyi", ".mo", ".typed", ".json", ".jsonl"}
    assert not any(name.startswith("skynet_stub/skynet-stubs") for name in names_in(wheel))


def test_the_wheel_asks_for_no_other_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read("skynet_stub-0.1.0.dist-info/METADATA").decode()
    assert "Requires-Python: >=3.11" in metadata
    assert "Requires-Dist:" not in metadata


def test_the_wheel_offers_the_command_and_the_plugin_of_pytest(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        offered = archive.read("skynet_stub-0.1.0.dist-info/entry_points.txt").decode()
    assert "[console_scripts]\nskynet-stub = skynet_stub.__main__:main\n" in offered
    assert "[pytest11]\nskynet_stub.pytest_plugin = skynet_stub.pytest_plugin\n" in offered


def test_what_the_installed_init_writes_passes_the_installed_check(installed: Environment) -> None:
    assert installed.run(installed.command, "init", "mine").returncode == 0
    done = installed.run(installed.command, "check", "mine/metric.py", "--strict")
    assert (done.returncode, done.stderr) == (0, "")


def test_building_the_wheel_leaves_nothing_in_the_checkout(wheel: Path) -> None:
    status = run("git", "status", "--porcelain", "--ignored", cwd=ROOT).stdout
    assert wheel.name not in status
    assert " dist/" not in status


@pytest.mark.parametrize("language", ["en", "zh-Hans", "ru"])
def test_the_installed_stub_checks_a_metric_in_each_language(
    installed: Environment, language: str
) -> None:
    metric = shutil.copytree(
        ROOT / "snippets" / "exact_match", installed.folder / language, dirs_exist_ok=True
    )
    names = {
        "en": "Metric return value",
        "zh-Hans": "指标返回值",
        "ru": "Возвращаемое значение метрики",
    }
    for command in ([installed.command], [installed.python, "-m", "skynet_stub"]):
        checked = installed.run(*command, "check", metric / "metric.py", "--lang", language)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert names[language] in checked.stdout


def test_the_console_script_and_the_module_give_the_same_help(installed: Environment) -> None:
    script = installed.run(installed.command, "--help")
    module = installed.run(installed.python, "-m", "skynet_stub", "--help")
    assert script.returncode == module.returncode == 0, script.stderr + module.stderr
    assert "check" in script.stdout
    assert script.stdout == module.stdout


@pytest.fixture(scope="session")
def checked(installed: Environment) -> list[tuple[str, str, str]]:
    """The errors of mypy in the snippets and in a file with wrong uses: file, line, code.

    It runs as the user of the wheel would run it: the types are found where it is installed.
    """
    wrong = installed.folder / "wrong.py"
    wrong.write_text(WRONG, encoding="utf-8")
    # A metric needs no annotations, so its bodies are checked without them. All are named alike, so
    # each is a module of the folder that it lies in.
    loose = ("--strict", "--allow-untyped-defs", "--allow-incomplete-defs", "--allow-untyped-calls")
    names = ("--explicit-package-bases",)
    # What it knows of Python's own modules is kept, apart from what it knows under our options.
    cache = ROOT / ".mypy_cache" / "of_the_wheel"
    own = ("--config-file=", "--python-executable", installed.python, "--cache-dir", cache)
    snippets = shutil.copytree(ROOT / "snippets", installed.folder / "snippets")
    files = [file.relative_to(installed.folder) for file in sorted(snippets.rglob("*.py"))]
    assert len(files) >= 5
    done = installed.run(sys.executable, "-m", "mypy", *own, *loose, *names, wrong, *files)
    found = re.findall(r"^(\S+):(\d+): error: .*\[([a-z-]+)\]", done.stdout, re.MULTILINE)
    assert f"(checked {len(files) + 1} source files)" in done.stdout, done.stdout + done.stderr
    return found


def test_the_snippets_agree_with_the_types_of_the_skynet_module(
    checked: list[tuple[str, str, str]],
) -> None:
    assert [error for error in checked if error[0] != "wrong.py"] == []


WRONG = """\
from skynet import llm, observation, reward
import skynet_stub.return_value
llm(3)
reward({}, 'high', 'feedback')
observation().seconds
skynet_stub.return_value.check_return_value()
"""


def test_a_wrong_use_of_the_skynet_module_is_a_type_error(
    checked: list[tuple[str, str, str]],
) -> None:
    assert [error[1:] for error in checked if error[0] == "wrong.py"] == [
        ("3", "arg-type"),
        ("4", "arg-type"),
        ("5", "attr-defined"),
        ("6", "call-arg"),
    ]


def group(name: str) -> Iterator[Requirement]:
    """The requirements of a dependency group in pyproject.toml, with those of the groups in it."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    for entry in groups[name]:
        if isinstance(entry, str):
            yield Requirement(entry)
        else:
            yield from group(entry["include-group"])


def lock_text(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")


def locked(name: str) -> dict[str, set[str]]:
    """The versions of each package in a lock; two where older Pythons need an older one."""
    versions: dict[str, set[str]] = {}
    pins = re.findall(r"^([a-z0-9-]+)==([^ ]+)", lock_text(name), re.MULTILINE)
    for package, version in pins:
        versions.setdefault(package, set()).add(version)
    return versions


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_meets_its_group_in_pyproject(name: str) -> None:
    pins = locked(name)
    for requirement in group(name):
        versions = pins.get(canonicalize_name(requirement.name), set())
        assert versions, f"{requirement.name} is not in the lock {name}: run `make lock`"
        for version in versions:
            assert version in requirement.specifier, f"{requirement} in {name}: run `make lock`"


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_of_a_lock_has_a_hash_and_no_address(name: str) -> None:
    text = lock_text(name)
    entries = re.findall(r"^\S+==.*(?:\n .*)*", text, re.MULTILINE)
    assert len(entries) >= len(locked(name)) > 0
    for entry in entries:
        assert "--hash=sha256:" in entry, entry
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE), "an option, perhaps an index"


def test_all_locks_pin_a_package_to_the_same_version() -> None:
    everything = locked("test")
    assert locked("site").items() <= everything.items()
    for package, versions in locked("pyodide").items():
        assert versions <= everything[package], package


def test_each_package_of_a_group_has_its_reason_beside_it() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    section = text.partition("[dependency-groups]\n")[2].partition("\n[")[0]
    lines = [line for line in section.splitlines() if re.match(r'\s+["{]', line)]
    assert len(lines) >= 15
    for line in lines:
        assert re.search(r",\s+# \w.{10}", line), line


def test_the_node_lock_has_hashes_and_no_address() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    installs = {place: entry for place, entry in packages.items() if place}
    assert "node_modules/pyodide" in installs
    for place, entry in installs.items():
        assert entry["integrity"].startswith("sha512-"), place
        assert "resolved" not in entry, place


# Spelt in pieces, or this file would be the first to be found.
FORBIDDEN = {
    "a registry's address": (
        "pypi" + r"\.(org|python)",
        "python" + r"hosted\.org",
        "npm" + r"js\.(org|com)",
        "deb" + r"\.debian\.org",
    ),
    "a path of one machine": ("/" + "work/", "/" + "root/", "/" + r"home/\w", "/" + r"Users/\w"),
    "a path outside the repository": (r"\.\./" + "shared",),
}


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_no_tracked_file_names(kind: str) -> None:
    listed = run("git", "ls-files", "-z", cwd=ROOT)
    assert listed.returncode == 0, listed.stderr
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    assert ROOT / "pyproject.toml" in files
    pattern = re.compile("|".join(FORBIDDEN[kind]))
    found = [
        f"{file.relative_to(ROOT)}:{number}: {kind}: {line.strip()}"
        for file in files
        if file.is_file()
        for number, line in enumerate(file.read_bytes().decode(errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)
