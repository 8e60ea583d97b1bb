"""The drill changes a copy, says who noticed, and takes nothing else for noticing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from drill.kinds import DrillError, Edit, Kind, changes, chosen, read_kinds
from drill.scratch import changed
from drill.table import read_rows, rows_of, table
from drill.trial import Trial, judged
from small_sources import write


def kind(*edits: Edit, tests: tuple[str, ...] = ("test_value.py",), loading: bool = False) -> Kind:
    return Kind("a-kind", "a family", "It is so.", tests, edits, loading)


def replacing(find: str, replace: str, file: str = "value.py") -> Edit:
    return Edit(file, find, replace)


# --- The data ------------------------------------------------------------------------------------


ROW = '[[kind]]\nid = "a"\nfamily = "f"\nfalsifies = "s"\ntests = ["t"]\n'


def test_a_kind_is_read_with_all_its_edits(tmp_path: Path) -> None:
    edits = (
        'edits = [{ file = "a", find = "b", replace = "c" }, { file = "d", append = "e" },'
        ' { file = "f", write = "g" }, { file = "h", remove = true }]\n'
    )
    file = write(tmp_path, {"kinds.toml": ROW + edits}) / "kinds.toml"
    (read,) = read_kinds(file)
    assert (read.id, read.family, read.falsifies, read.tests) == ("a", "f", "s", ("t",))
    assert read.edits == (
        Edit("a", "b", "c"),
        Edit("d", None, "e"),
        Edit("f", None, "g", write=True),
        Edit("h", None, None, write=True),
    )
    assert not read.loading_fails


EDIT = 'edits = [{ file = "a", append = "b" }]\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (ROW, "a: the key 'edits' is missing."),
        (ROW + "edits = []\n", "a: it needs edits, and tests that notice."),
        (ROW + EDIT + "test = 1\n", "a: unknown key test."),
        (ROW + 'edits = [{ file = "a", find = "b" }]\n', "a: an edit has file and find, replace"),
        (2 * (ROW + EDIT), "kinds.toml: the id a stands twice."),
    ],
)
def test_a_kind_that_is_malformed_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    file = write(tmp_path, {"kinds.toml": text}) / "kinds.toml"
    with pytest.raises(DrillError) as caught:
        read_kinds(file)
    assert problem in str(caught.value)


def test_kinds_are_chosen_by_id_and_by_family() -> None:
    kinds = read_kinds()
    assert chosen(kinds, None, None) == kinds
    assert [one.id for one in chosen(kinds, kinds[3].id, None)] == [kinds[3].id]
    assert {one.family for one in chosen(kinds, None, "prose")} == {"prose"}
    with pytest.raises(DrillError, match=r"Families: snippets, "):
        chosen(kinds, "nothing", None)


def test_a_text_that_is_not_there_just_once_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"value.py": "a = 1\nb = 1\n"})
    for find, count in (("c", 0), ("= 1", 2)):
        with pytest.raises(DrillError) as caught:
            changes(kind(replacing(find, "x")), tmp_path)
        assert f"a-kind: value.py holds {find!r} {count} times, not once." in str(caught.value)
    with pytest.raises(DrillError, match=r"there is no file other\.py"):
        changes(kind(replacing("a", "b", "other.py")), tmp_path)
    with pytest.raises(DrillError, match=r"there is no file \*\.md"):
        changes(kind(replacing("a", "b", "*.md")), tmp_path)
    with pytest.raises(DrillError, match=r"value\.py stays as it was"):
        changes(kind(replacing("a", "a")), tmp_path)


def test_edits_follow_each_other_in_every_file_of_a_pattern(tmp_path: Path) -> None:
    write(tmp_path, {"en/a.md": "one", "ru/a.md": "one"})
    edits = (replacing("one", "two", "*/a.md"), Edit("*/a.md", None, " three"))
    after = changes(kind(*edits), tmp_path)
    assert after == {tmp_path / f"{name}/a.md": "two three" for name in ("en", "ru")}
    assert (tmp_path / "en/a.md").read_text() == "one"


# --- The copy ------------------------------------------------------------------------------------


def test_what_is_changed_is_as_before_afterwards(tmp_path: Path) -> None:
    write(tmp_path, {"kept.py": "a = 1\n", "gone.py": "b = 1\n"})
    before = (tmp_path / "kept.py").stat()
    after = {tmp_path / "kept.py": "a = 2\n", tmp_path / "gone.py": None, tmp_path / "n/new": "x"}
    with suppress(ZeroDivisionError), changed(tmp_path, after):
        assert (tmp_path / "kept.py").read_text() == "a = 2\n"
        # Python takes a compiled module for fresh by the second and the size of its source.
        assert int((tmp_path / "kept.py").stat().st_mtime) != int(before.st_mtime)
        assert not (tmp_path / "gone.py").exists()
        assert (tmp_path / "n/new").read_text() == "x"
        raise ZeroDivisionError
    assert (tmp_path / "kept.py").read_text() == "a = 1\n"
    assert (tmp_path / "kept.py").stat().st_mtime == before.st_mtime
    assert (tmp_path / "gone.py").read_text() == "b = 1\n"
    assert not (tmp_path / "n/new").exists()


# --- The verdict ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "first", "loading", "caught"),
    [
        (0, None, False, None),
        (1, "tests/a.py::b", False, "tests/a.py::b"),
        (2, "tests/a.py", False, None),  # a file could not be collected
        (2, "tests/a.py", True, "tests/a.py"),
        (3, None, True, None),
        (4, None, True, None),  # there is no such test
        (5, None, True, None),  # nothing was collected
        (-9, "tests/a.py::b", False, None),  # it hung
    ],
)
def test_only_a_failed_test_has_caught_a_kind(
    code: int, first: str | None, loading: bool, caught: str | None
) -> None:
    trial = judged(kind(loading=loading), code, first, "said", 1.0)
    assert trial.caught_by == caught
    assert bool(trial.problem) is (caught is None and code != 0)


def test_the_table_says_what_was_caught_by_which_test() -> None:
    one = kind(replacing("a", "b"), tests=("tests/text/test_a.py",))
    rows = rows_of([Trial(one, "tests/text/test_a.py::test_b[ru]", 1.2)])
    text = table([one], rows)
    assert text.splitlines()[4:] == [
        "## A family",
        "",
        "| Kind | It would be untrue that | Caught by | Seconds |",
        "|---|---|---|--:|",
        "| a-kind | It is so. | text/test_a.py::test_b | 2 |",
        "",
        "1 kinds, all caught.",
    ]
    assert read_rows(text) == rows


def test_a_kind_that_was_missed_or_not_tried_as_it_is_now_has_no_row() -> None:
    one = kind(replacing("a", "b"), tests=("tests/text/test_a.py",))
    caught = rows_of([Trial(one, "tests/text/test_a.py::test_b", 1)])
    assert rows_of([Trial(one, None, 1)]) == {}
    for other in (replace(one, falsifies="It is not."), replace(one, tests=("tests/text/x.py",))):
        assert table([other], caught).endswith("this table.\n\n1 kinds, 0 caught.\n")
