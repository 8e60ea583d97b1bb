"""The mutation run finds what a weak test lets pass, and ends with the exit code that CI reads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

VALUES = "def larger(a, b):\n    return a if a > b else b\n"
USER = "from tiny.values import larger\n\ndef three():\n    return larger(2, 3)\n"
IMPORTS = "from tiny.values import larger\nfrom tiny.user import three\n\n"
WEAK = IMPORTS + "def test_it():\n    assert three() == 3\n"
STRONG = WEAK + "    assert larger(3, 2) == 3\n"
# Either of two equal numbers is the larger one.
LISTED = """[[survivor]]
module = "tiny.values"
function = "larger"
before = "return a if a > b else b"
after = "return a if a >= b else b"
reason = "Of two equal numbers, either is the larger."
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree with a package of two modules, one of which is tried."""
    files = {
        "tiny/__init__.py": "",
        "tiny/values.py": VALUES,
        "tiny/user.py": USER,
        "drill/deep.toml": '[[module]]\nname = "tiny.values"\ntests = ["test_tiny.py"]\n'
        '[[module]]\nname = "tiny.user"\ntests = ["test_tiny.py"]\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def run(tree: Path, test: str, listed: str = LISTED, module: str = "values") -> tuple[int, str]:
    """The exit code, and what was said."""
    (tree / "test_tiny.py").write_text(test, "utf-8")
    (tree / "drill/survivors.toml").write_text(listed, "utf-8")
    code = (
        "import sys; from pathlib import Path; from drill.deep import main;"
        "sys.exit(main(['--module', sys.argv[1]], Path(sys.argv[2])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, module, str(tree)], cwd=ROOT, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def table(tree: Path) -> list[str]:
    return (tree / "drill/mutants.md").read_text("utf-8").splitlines()[6:]


def test_a_strong_test_lets_no_mutant_survive_but_those_listed(tree: Path) -> None:
    assert run(tree, STRONG)[0] == 0
    assert table(tree) == [
        "| tiny.values | 3 | 2 | 1 |",
        "| tiny.user | not yet run |  |  |",
        "",
        "3 mutants, 2 killed, 1 listed; 1 of 2 modules not yet run.",
    ]


def test_a_mutant_that_a_weak_test_lets_pass_fails_the_run(tree: Path) -> None:
    code, said = run(tree, IMPORTS + "def test_it():\n    assert larger(2, 2) == 2\n")
    assert code == 1
    assert "No test notices it. Write one that does:" in said
    assert 'after = "return a if a <= b else b"' in said
    assert 'after = "return"' not in said
    assert "2 NOT LISTED" not in said
    assert "1 NOT LISTED" in said


def test_an_entry_that_no_longer_holds_fails_the_run(tree: Path) -> None:
    code, said = run(tree, STRONG, LISTED.replace(">= b", "<= b"))
    assert code == 1
    assert "A test notices it by now: remove it from the list:" in said
    code, said = run(tree, STRONG, LISTED + LISTED.replace("a > b", "a > c"))
    assert code == 1
    assert "It applies no more: remove it from the list:" in said


def test_a_mutant_that_never_ends_is_killed(tree: Path) -> None:
    loop = "def wait(done):\n    while not done:\n        pass\n    return done\n"
    (tree / "tiny/values.py").write_text(loop, "utf-8")
    test = "from tiny.values import wait\n\ndef test_it():\n    assert wait(True)\n"
    assert run(tree, test, "")[0] == 0
    assert table(tree)[0] == "| tiny.values | 2 | 2 | 0 |"


def test_tests_that_fail_without_a_change_end_the_run(tree: Path) -> None:
    code, said = run(tree, STRONG + "    assert larger(2, 3) == 4\n")
    assert code == 2
    assert "tiny.values: its tests fail without a change." in said


def test_a_module_that_is_not_in_the_file_is_told(tree: Path) -> None:
    code, said = run(tree, STRONG, module="value")
    assert code == 2
    assert "There is no module value. Modules: tiny.values, tiny.user." in said
