"""The processes below a process are found, measured and ended (B4)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from skynet_stub import process_tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@dataclass(frozen=True)
class Tree:
    """A process with a child in a session of its own, which holds 50 MiB and has a child."""

    root: int
    holder: int
    leaf: int


ROOT = """
import subprocess, sys
holder = subprocess.Popen([sys.executable, "-c", sys.argv[1]], start_new_session=True)
print(holder.pid, flush=True)
holder.wait()
"""
HOLDER = """
import subprocess, sys
held = b"x" * (50 << 20)
leaf = subprocess.Popen(["cat"], stdout=subprocess.DEVNULL)
print(leaf.pid, flush=True)
leaf.wait()
"""


@pytest.fixture
def tree() -> Iterator[Tree]:
    """It ends when the standard input does that its leaf reads."""
    with subprocess.Popen(
        [sys.executable, "-c", ROOT, HOLDER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="ascii",
    ) as root:
        assert root.stdin is not None
        assert root.stdout is not None
        yield Tree(root.pid, *(int(root.stdout.readline()) for _ in range(2)))
        root.stdin.close()


@pytest.mark.parametrize("lists_children", [True, False])
def test_descendants_are_found_each_after_its_parent(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, lists_children: bool
) -> None:
    monkeypatch.setattr(process_tree, "_LISTS_CHILDREN", lists_children)
    assert process_tree.children(tree.root) == [tree.holder]
    assert process_tree.descendants(tree.root) == [tree.holder, tree.leaf]
    assert process_tree.descendants(tree.root, {tree.holder}) == []
    assert tree.root in process_tree.children(os.getpid())


def test_the_memory_of_descendants_is_measured(tree: Tree) -> None:
    resident = process_tree.resident_bytes(tree.root)
    proportional = process_tree.proportional_bytes(tree.root)
    assert 50 << 20 < proportional < resident < 100 << 20


def test_a_process_that_has_ended_has_no_children_and_no_memory() -> None:
    with subprocess.Popen(["true"]) as ended:
        pass
    assert process_tree.descendants(ended.pid) == []
    assert process_tree.resident_bytes(ended.pid) == process_tree.proportional_bytes(ended.pid) == 0


def test_what_is_to_be_spared_is_not_ended() -> None:
    code = """
import os, subprocess
from skynet_stub import process_tree
process_tree.adopt_orphans()
spared = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
other = subprocess.Popen(["sleep", "600"], start_new_session=True)
process_tree.end_descendants({spared.pid})
assert process_tree.children(os.getpid()) == [spared.pid]
spared.communicate()
print(spared.returncode)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="ascii", check=True
    )
    assert done.stdout == "0\n"


@pytest.mark.parametrize(
    ("states", "tracks"), [(["R", "D", "R"], True), (["R", "Z"], False), (["R", ""], False)]
)
def test_a_process_that_becomes_a_tracker_just_now_is_one(
    monkeypatch: pytest.MonkeyPatch, states: list[str], tracks: bool
) -> None:
    # Between the end of the program before and the start of this one it has no arguments.
    program = "python\0-c\0from multiprocessing.resource_tracker import main;main(3)\0"
    monkeypatch.setattr(process_tree, "_state", lambda _: states.pop(0))
    monkeypatch.setattr(process_tree, "_read", lambda _: "" if states else program)
    assert process_tree._tracks_resources(1) is tracks
