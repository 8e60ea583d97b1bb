"""The drill tries kinds in copies of a checkout, which it leaves as it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from drill.__main__ import drill
from drill.kinds import DrillError, Edit, Kind
from drill.scratch import copy_tree

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "value.py": "VALUE = 1\n",
    "test_value.py": "from value import VALUE\n\ndef test_value():\n    assert VALUE == 1\n",
    ".gitignore": "ignored\n",
    "ignored": "x",
    "drill/__init__.py": "",
    "drill/noticed.py": (ROOT / "drill" / "noticed.py").read_text("utf-8"),
    "docs_build/__main__.py": "",
}


def replacing(find: str, replace: str) -> Kind:
    edit = Edit("value.py", find, replace)
    return Kind("a-kind", "a family", "It is so.", ("test_value.py",), (edit,))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one test, and the drill's plugin."""
    root = tmp_path / "checkout"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def test_a_copy_has_what_git_would_take(checkout: Path, tmp_path: Path) -> None:
    (checkout / ".venv").mkdir()
    copy_tree(checkout, tmp_path / "copy")
    copied = {path.name for path in (tmp_path / "copy").iterdir()}
    assert copied == {"value.py", "test_value.py", ".gitignore", "drill", "docs_build", ".venv"}
    assert (tmp_path / "copy/.venv").is_symlink()


def test_kinds_are_caught_or_missed_and_the_checkout_is_not_touched(checkout: Path) -> None:
    before = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}
    kinds = [
        replacing("1", "2"),
        replacing("VALUE = 1", "VALUE = 1  # the same"),
        replacing("VALUE", "OTHER"),
    ]
    trials = drill(checkout, kinds, jobs=2)
    assert [trial.caught_by for trial in trials] == ["test_value.py::test_value", None, None]
    assert [bool(trial.problem) for trial in trials] == [False, False, True]
    assert {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()} == before


def test_tests_that_fail_without_a_change_end_the_drill(checkout: Path) -> None:
    (checkout / "value.py").write_text("VALUE = 2  # 1\n", "utf-8")
    with pytest.raises(DrillError, match="Without a change, not all is green:"):
        drill(checkout, [replacing("1", "3")], jobs=1)


def test_an_edit_that_does_not_apply_ends_the_drill_before_any_test(checkout: Path) -> None:
    (checkout / "test_value.py").write_text("1 / 0\n", "utf-8")
    with pytest.raises(DrillError, match="0 times, not once"):
        drill(checkout, [replacing("nowhere", "x")], jobs=1)
