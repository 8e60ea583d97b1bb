"""The mutants of a module are made, shown and counted, and the list of survivors only shrinks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drill.deep import Row, read_modules, read_rows, totals, written
from drill.forked import Module, Tried
from drill.kinds import DrillError
from drill.mutants import Change, mutants
from drill.survivors import outdated, problems, read_survivors
from small_sources import write

ROOT = Path(__file__).resolve().parents[2]


def changed(source: str) -> set[str]:
    """The code after each change of a source that is one short statement."""
    return {mutant.change.after for mutant in mutants(source, "a.py")}


# --- The mutants ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("a < b", {"a <= b", "a >= b", "pass"}),
        ("a == b", {"a != b", "pass"}),
        ("a in b", {"a not in b", "pass"}),
        ("a is None", {"a is not None", "pass"}),
        ("0 < a <= b", {"0 <= a <= b", "0 >= a <= b", "0 < a < b", "0 < a > b"}
            | {"1 < a <= b", "-1 < a <= b", "pass"}),
        ("x = a and b", {"x = a or b", "x = a", "x = b"}),
        ("x = a or b or c", {"x = a and b and c", "x = b or c", "x = a or c", "x = a or b"}),
        ("x = not a", {"x = a"}),
        ("x = -a", {"x = a"}),
        ("x = 2", {"x = 3", "x = 1"}),
        ("x = True", {"x = False"}),
        ("x = 'a'", {"x = ''"}),
        ("x = ''", {"x = 'XX'"}),
        ("x = b'a'", {"x = b''"}),
        ("x = None", set()),
        ("x = a + b", {"x = a - b"}),
        ("x = a / b", {"x = a * b"}),
        ("x += a", {"x -= a", "pass"}),
        ("x = a[b:c]", {"x = a[:c]", "x = a[b:]"}),
        ("x = f(a, b=c)", {"x = f(a)"}),
        ("x = f(a)", {"x = a"}),
        ("x = a.f()", {"x = a"}),
        ("x = max(a)", {"x = min(a)"}),
        ("x = any(a)", {"x = all(a)"}),
        ("x = a if b else c", {"x = a if not b else c"}),
        ("x = [a for a in b if c]", {"x = [a for a in b]"}),
        ("x[a] = b", {"pass"}),
        ("raise a", {"pass"}),
    ],
)  # fmt: skip
def test_each_thing_that_may_be_wrong_is_tried(source: str, after: set[str]) -> None:
    assert changed(source) == after


def test_what_stands_in_a_statement_with_a_body_is_shown_with_its_head() -> None:
    source = (
        "def f(a=1):\n    for b in a:\n        if g:\n            continue\n"
        "    try:\n        return b\n    except (A, B):\n        pass\n"
        "    with c:\n        return\n"
    )
    assert [(one.change.before, one.change.after) for one in mutants(source, "a.py")] == [
        ("def f(a=1):", "def f(a=2):"),
        ("def f(a=1):", "def f(a=0):"),
        ("if g:", "if not g:"),
        ("continue", "break"),
        ("continue", "pass"),
        ("return b", "return"),
        ("except (A, B): ...", "except (A, B): raise"),
        ("except (A, B): ...", "except (B,): ..."),
        ("except (A, B): ...", "except (A,): ..."),
        ("with c:", "if True:"),
        ("return", "pass"),
    ]


def test_what_only_readers_and_the_checker_of_types_see_is_left_alone() -> None:
    source = '"""Text."""\nfrom a import b\nif TYPE_CHECKING:\n    c = 1\nd: "e"\nassert d == 1\n'
    source += "e = zip(f, g, strict=True)\n"
    assert mutants(source, "a.py") == []


def test_a_change_names_its_function_and_which_of_equal_ones_it_is() -> None:
    source = "class A:\n    def f(self):\n        g(b=1)\n        g(b=1)\nx = 'long' + y\n"
    found = [
        one.change for one in mutants(source, "a.py") if one.change.after in ("g()", "x = '' + y")
    ]
    assert found == [
        Change("A.f", "g(b=1)", "g()", 1),
        Change("A.f", "g(b=1)", "g()", 2),
        Change("<module>", "x = 'long' + y", "x = '' + y", 1),
    ]


def test_each_mutant_is_the_whole_module_with_its_one_change() -> None:
    results = []
    for mutant in mutants("x = 2\ny = 5\n", "a.py"):
        names: dict[str, int] = {}
        exec(mutant.compile(), names)
        results.append((names["x"], names["y"]))
    assert results == [(3, 5), (1, 5), (2, 6), (2, 4)]


# --- The list ------------------------------------------------------------------------------------

ENTRY = '[[survivor]]\nmodule = "a"\nfunction = "f"\nbefore = "b"\nafter = "c"\nreason = "None."\n'
CHANGE = Change("f", "b", "c")


def read(folder: Path, text: str) -> list[str]:
    """What to do after a run of the module `a` in which `CHANGE` and another change survived."""
    known = read_survivors(write(folder, {"survivors.toml": text}) / "survivors.toml")
    changes = (CHANGE, Change("f", "b", "c", 2))
    return [one.split(":")[0] for one in problems(tried(changes, survivors=changes), known)]


def tried(changes: tuple[Change, ...], survivors: tuple[Change, ...]) -> Tried:
    return Tried(Module("a", "a.py", ("test_a.py",)), changes, survivors)


def test_a_survivor_that_is_not_listed_is_a_problem(tmp_path: Path) -> None:
    assert read(tmp_path, "") == ["No test notices it. Write one that does"] * 2
    assert read(tmp_path, ENTRY) == ["No test notices it. Write one that does"]
    assert read(tmp_path, ENTRY + ENTRY + "nth = 2\n") == []


def test_an_entry_that_is_noticed_by_now_or_applies_no_more_is_to_be_removed(
    tmp_path: Path,
) -> None:
    known = read_survivors(write(tmp_path, {"survivors.toml": ENTRY}) / "survivors.toml")
    (noticed,) = problems(tried((CHANGE,), survivors=()), known)
    assert noticed == (
        "A test notices it by now: remove it from the list:\n\n"
        '[[survivor]]\nmodule = "a"\nfunction = "f"\nbefore = "b"\nafter = "c"'
    )
    (gone,) = problems(tried((), survivors=()), known)
    assert gone.startswith("It applies no more: remove it from the list:\n\n[[survivor]]\n")


@pytest.mark.parametrize(
    "text",
    [
        ENTRY.replace("None.", " "),
        ENTRY.replace('reason = "None."\n', ""),
        ENTRY + "line = 3\n",
        ENTRY + ENTRY,
    ],
)
def test_an_entry_without_a_reason_or_twice_is_refused(tmp_path: Path, text: str) -> None:
    file = write(tmp_path, {"survivors.toml": text}) / "survivors.toml"
    with pytest.raises(DrillError, match=r"survivors\.toml: "):
        read_survivors(file)


# --- The table -----------------------------------------------------------------------------------


def test_the_table_has_each_module_also_one_that_was_never_tried() -> None:
    rows = {"p.a": Row(1200, 1190, 10), "p.c": Row(5, 3, 1), "p.gone": Row(1, 1, 0)}
    text = written(["p.a", "p.b", "p.c"], rows)
    assert text.splitlines()[6:] == [
        "| p.a | 1200 | 1190 | 10 |",
        "| p.b | not yet run |  |  |",
        "| p.c | 5 | 3 | 1 |",
        "",
        "1,205 mutants, 1,193 killed, 11 listed, 1 NOT LISTED; 1 of 3 modules not yet run.",
    ]
    del rows["p.gone"]
    assert read_rows(text) == rows


# --- The modules ---------------------------------------------------------------------------------

MODULES = read_modules()
TABLE = (ROOT / "drill" / "mutants.md").read_text("utf-8")


def changes_of(module: Module) -> list[Change]:
    return [one.change for one in mutants((ROOT / module.file).read_text("utf-8"), module.file)]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_the_table_and_the_list_are_of_the_module_as_it_is(module: Module) -> None:
    """Whether a mutant survives, only `make drill-deep` can know; this is quick."""
    name = module.name.rpartition(".")[2]
    known = read_survivors()
    changes = changes_of(module)
    assert list(outdated(module.name, changes, known)) == []
    listed = sum(survivor.module == module.name for survivor in known)
    row = Row(len(changes), len(changes) - listed, listed)
    # One that was never run stands in the table as such, and in the totals.
    assert read_rows(TABLE).get(module.name, row) == row, f"Run `make drill-deep MODULE={name}`."


def test_the_list_and_the_table_name_no_other_module() -> None:
    names = [module.name for module in MODULES]
    assert {survivor.module for survivor in read_survivors()} <= set(names)
    assert written(names, read_rows(TABLE)) == TABLE, "Run `make drill-deep`."


def test_the_readme_gives_the_totals_of_the_mutants() -> None:
    readme = re.sub(r"\s+", " ", (ROOT / "README.md").read_text("utf-8"))
    names = [module.name for module in MODULES]
    assert f"`drill/mutants.md` counts them: {totals(names, read_rows(TABLE))}." in readme
