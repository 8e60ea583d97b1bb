"""The first change that README.md leads a newcomer through: noticed, pinned, and then right."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from docs_build.project import this_project
from drill.scratch import copy_tree

ROOT = this_project().root
README = (ROOT / "README.md").read_text("utf-8")
STEPS = re.findall(r"(?s)## Your first change\n(.*?)\n## ", README)


def run(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: text for name, text in os.environ.items() if "PYTEST" not in name}
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_first_change_is_noticed_until_it_is_pinned(tmp_path: Path) -> None:
    (steps,) = STEPS
    file, words, others = re.findall(r"`([^`\n]+)`", steps)[:3]
    (options,) = re.findall(r"make test ARGS='(.*)'", steps)
    copy_tree(ROOT, tmp_path)
    assert run(tmp_path, "docs_build", "catalogs").returncode == 0
    snippet = tmp_path / file
    assert words in snippet.read_text("utf-8")
    snippet.write_text(snippet.read_text("utf-8").replace(words, others), "utf-8")

    tests = ("-q", "-p", "no:cacheprovider", *options.split(), "tests/stub")
    noticed = run(tmp_path, "pytest", *tests)
    assert noticed.returncode == 1
    assert others in noticed.stdout

    pinned = run(tmp_path, "docs_build", "pin")
    assert pinned.returncode == 0, pinned.stderr
    assert "results changed" in pinned.stdout
    passed = run(tmp_path, "pytest", *tests)
    assert passed.returncode == 0, passed.stdout
