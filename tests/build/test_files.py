"""Files are replaced whole, or not touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs_build.files import digest, digest_of_tree, remove_others, swap_in, write_if_changed
from small_sources import write


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_file_is_written_with_its_folders(tmp_path: Path) -> None:
    assert write_if_changed(tmp_path / "a/b.txt", b"x")
    assert (tmp_path / "a/b.txt").read_bytes() == b"x"
    assert names(tmp_path) == ["a", "a/b.txt"]


def test_an_equal_file_is_not_touched(tmp_path: Path) -> None:
    path = write(tmp_path, {"a": "x"}) / "a"
    os.utime(path, ns=(1, 1))
    assert not write_if_changed(path, b"x")
    assert path.stat().st_mtime_ns == 1


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    path = write(tmp_path, {"a": "x"}) / "a"
    path.chmod(0o750)
    write_if_changed(path, b"y")
    assert path.stat().st_mode & 0o777 == 0o750


def test_a_failed_write_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, {"a": "x"}) / "a"

    def fail(self: Path, target: Path) -> Path:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_if_changed(path, b"y")
    assert path.read_bytes() == b"x"
    assert names(tmp_path) == ["a"]


def test_all_other_files_and_empty_folders_are_removed(tmp_path: Path) -> None:
    write(tmp_path, {"keep/a": "", "b": "", "c/d/e": ""})
    assert remove_others(tmp_path, [tmp_path / "keep/a"]) == [tmp_path / "b", tmp_path / "c/d/e"]
    assert names(tmp_path) == ["keep", "keep/a"]


def test_a_complete_folder_takes_the_place_of_the_earlier_one(tmp_path: Path) -> None:
    write(tmp_path, {"build/site/new": "", "site/old": ""})
    swap_in(tmp_path / "build/site", tmp_path / "site")
    assert names(tmp_path) == ["build", "site", "site/new"]


def test_a_complete_folder_takes_an_empty_place(tmp_path: Path) -> None:
    write(tmp_path, {"build/site/new": ""})
    swap_in(tmp_path / "build/site", tmp_path / "site")
    assert names(tmp_path) == ["build", "site", "site/new"]


def test_other_contents_and_another_division_of_them_have_another_digest() -> None:
    contents = [(), (b"",), (b"", b""), (b"ab",), (b"a", b"b"), (b"b", b"a")]
    assert len({digest(*each) for each in contents}) == len(contents)
    assert digest(b"a", b"b") == digest(b"a", b"b")


def test_the_digest_of_a_tree_is_that_of_the_files_that_count(tmp_path: Path) -> None:
    tree = write(tmp_path, {"a": "x", "b/c": "y", "b/d.mo": "z"})

    def now() -> tuple[str, str]:
        return digest_of_tree(tree), digest_of_tree(tree, lambda path: path.suffix != ".mo")

    first = now()
    assert now() == first
    write(tree, {"b/d.mo": "other"})
    assert [one == other for one, other in zip(now(), first, strict=True)] == [False, True]
    (tree / "a").rename(tree / "e")
    assert [one == other for one, other in zip(now(), first, strict=True)] == [False, False]
