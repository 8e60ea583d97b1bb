"""The first change that README.md leads a newcomer through: noticed, pinned, and then right."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from docs_build.project import this_project
from docs_build.warm import warm
from drill.scratch import copy_tree

ROOT = this_project().root
README = (ROOT / "README.md").read_text("utf-8")
STEPS = re.findall(r"(?s)## Your first change\n(.*?)\n## ", README)


def run(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: text for name, text in os.environ.items() if "PYTEST" not in name}
    made_ready = warm("pytest")
    return made_ready.run(module, *arguments, folder=folder, environment=environment)


def test_the_first_change_is_noticed_until_it_is_pinned(tmp_path: Path) -> None:
    (steps,) = STEPS
    file, words, others = re.findall(r"`([^`\n]+)`", steps)[:3]
    (options,) = re.findall(r"make test ARGS='(.*)'", steps)
    copy_tree(ROOT, tmp_path)
    for package in ("docs_build", "skynet_stub", "translation", "tests/stub", "tests"):
        cache = ROOT / package / "__pycache__"  # what Python has compiled, as in any checkout
        if cache.is_dir():
            shutil.copytree(cache, tmp_path / package / "__pycache__")
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
