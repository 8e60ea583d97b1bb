"""An exception shows the author her own lines, and the names that were there; never ours (B4)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from skynet_stub.cases import Case
from skynet_stub.check import check_metric
from skynet_stub.in_process import run_in_process
from skynet_stub.raised import raised_fault
from skynet_stub.reasons import Fault
from small_metrics import case, check

DEF = "def score(input, output, expected=None):\n"


def fault_of(folder: Path, source: str, one: Case | None = None) -> Fault:
    """The one fault of a metric."""
    report = check(folder, source, [one or case()])
    (fault,) = [failure.fault for item in report.items for failure in item.failures]
    return fault


def lines(fault: Fault) -> list[tuple[str, str, str]]:
    """The lines of the author that a fault shows: file, number, text."""
    return [
        (hint.facts["file"], hint.facts["line"], hint.facts["source"])
        for hint in fault.hints
        if hint.key == "hint.source"
    ]


def told(fault: Fault) -> list[tuple[str, dict[str, str]]]:
    """What else it tells, in order."""
    return [(hint.key, dict(hint.facts)) for hint in fault.hints if hint.key != "hint.source"]


# --- Lines ---------------------------------------------------------------------------------------


def test_the_lines_of_the_author_are_shown_from_the_call_to_the_failure(tmp_path: Path) -> None:
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "numbers.py").write_text(
        "import json\n\n\ndef read(text):\n    return json.loads(text)\n", encoding="utf-8"
    )
    source = f"from checks.numbers import read\n{DEF}    return read(output), {{}}\n"
    fault = fault_of(tmp_path, source, case(output="no"))
    assert fault.line == 3
    assert lines(fault) == [  # and none of json, nor of the check
        ("metric.py", "3", "return read(output), {}"),
        (str(Path("checks", "numbers.py")), "5", "return json.loads(text)"),
    ]
    assert told(fault) == []


def test_while_loading_the_lines_are_shown_too(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("\nraise KeyError('weight')\n", encoding="utf-8")
    fault = fault_of(tmp_path, "import os\nimport rules\n" + DEF + "    ...\n")
    assert (fault.reason, fault.line) == ("loading-raised", 2)
    assert lines(fault) == [
        ("metric.py", "2", "import rules"),
        ("rules.py", "2", "raise KeyError('weight')"),
    ]


def test_installed_packages_are_not_the_authors_even_in_her_folder(tmp_path: Path) -> None:
    package = tmp_path / ".venv" / "site-packages"
    package.mkdir(parents=True)
    (package / "far.py").write_text("def fail():\n    raise ValueError\n", encoding="utf-8")
    source = f"import sys\nsys.path.append({str(package)!r})\nimport far\n{DEF}    far.fail()\n"
    assert lines(fault_of(tmp_path, source)) == [("metric.py", "5", "far.fail()")]


def test_a_metric_may_stand_where_packages_are_installed(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages" / "judge"
    folder.mkdir(parents=True)
    assert lines(fault_of(folder, f"{DEF}    1 / 0\n")) == [("metric.py", "2", "1 / 0")]


# The ids are words: in Pyodide both places are the same, /metric.py.
@pytest.mark.parametrize(
    "place",
    ["/metric.py", str(Path(os.__file__).parents[2] / "metric.py")],
    ids=["at the root", "beside Python's library"],
)
def test_a_metric_may_stand_above_python_itself(place: str) -> None:
    source = f"import json\n{DEF}    json.loads('')\n"
    names: dict[str, Any] = {}
    exec(compile(source, place, "exec"), names)
    with pytest.raises(ValueError, match="Expecting value") as caught:
        names["score"]({}, "", None)
    fault = raised_fault("call-raised", caught.value, Path(place))
    shown = [(file, number) for file, number, _ in lines(fault) if "test_raised" not in file]
    assert shown == [("metric.py", "3")]


@pytest.mark.parametrize(
    ("encoding", "head", "end"),
    [
        ("utf-8", "", "\n"),
        ("utf-8-sig", "", "\n"),
        ("gbk", "# coding: gbk\n", "\n"),
        ("cp1251", "#!/usr/bin/python\n# -*- coding: cp1251 -*-\n", "\r\n"),
        ("utf-8", "", "\r"),
        ("gbk", "# vim: set fileencoding=gbk :\n", "\r"),
    ],
)
def test_a_line_is_shown_as_python_reads_it(
    tmp_path: Path, encoding: str, head: str, end: str
) -> None:
    text = f"{head}{DEF}    return {{'я': 1}}['мы'], input['你' if 0 else 'x']\n"
    if encoding == "cp1251":
        text = text.replace("你", "ё")
    path = tmp_path / "metric.py"
    path.write_bytes(text.replace("\n", end).encode(encoding))
    report = check_metric(path, [case(input={"a": 1})], runner=run_in_process)
    (failure,) = report.items[3].failures
    assert lines(failure.fault) == [
        ("metric.py", str(text.count("\n")), text.splitlines()[-1].strip())
    ]


def test_the_keys_are_named_in_another_encoding_too(tmp_path: Path) -> None:
    source = f"# coding: gbk\n{DEF}    return len('你好') and input['标签']\n"
    path = tmp_path / "metric.py"
    path.write_bytes(source.encode("gbk"))
    report = check_metric(path, [case(input={"a": 1})], runner=run_in_process)
    (failure,) = report.items[3].failures
    assert told(failure.fault) == [("hint.keys-there", {"name": "input", "keys": "'a'"})]


def test_of_many_lines_the_first_and_the_last_are_shown(tmp_path: Path) -> None:
    calls = "".join(f"def f{n}():\n    f{n + 1}()\n" for n in range(9))
    fault = fault_of(tmp_path, f"{calls}def f9():\n    1 / 0\n{DEF}    f0()\n")
    assert [text for _, _, text in lines(fault)] == [
        "f0()",
        "f1()",
        "f2()",
        "f8()",
        "f9()",
        "1 / 0",
    ]
    assert [hint.key for hint in fault.hints].index("hint.lines-left-out") == 3
    assert told(fault) == [("hint.lines-left-out", {"n": "5"})]


def test_a_line_that_calls_itself_is_shown_once(tmp_path: Path) -> None:
    fault = fault_of(tmp_path, f"def deep():\n    deep()\n{DEF}    deep()\n")
    assert [text for _, _, text in lines(fault)] == ["deep()", "deep()"]
    assert [number for _, number, _ in lines(fault)] == ["4", "2"]


def test_a_file_that_is_gone_has_no_lines_to_show(tmp_path: Path) -> None:
    fault = fault_of(tmp_path, f"import os\n{DEF}    os.unlink(__file__)\n    1 / 0\n")
    assert lines(fault) == [("metric.py", "4", "")]


def test_what_an_exception_came_from_is_told_with_its_lines(tmp_path: Path) -> None:
    source = f"""{DEF}    try:
        float(output)
    except ValueError as error:
        raise RuntimeError("no number") from error
"""
    fault = fault_of(tmp_path, source, case(output="one"))
    assert fault.facts == {"exception": "RuntimeError: no number"}
    assert told(fault) == [
        (
            "hint.raised-from",
            {"exception": "ValueError: could not convert string to float: 'one'"},
        )
    ]
    assert [text for _, _, text in lines(fault)] == [
        'raise RuntimeError("no number") from error',
        "float(output)",
    ]


def test_a_suppressed_origin_is_not_told(tmp_path: Path) -> None:
    source = (
        f"{DEF}    try:\n        1 / 0\n    except Exception:\n        raise ValueError from None\n"
    )
    assert told(fault_of(tmp_path, source)) == []


def test_a_chain_without_end_is_told_in_part(tmp_path: Path) -> None:
    source = f"{DEF}    a, b = ValueError('a'), ValueError('b')\n"
    source += "    a.__cause__, b.__cause__ = b, a\n    raise a\n"
    assert [key for key, _ in told(fault_of(tmp_path, source))] == ["hint.raised-from"] * 4


def test_the_exceptions_of_a_group_are_told(tmp_path: Path) -> None:
    source = f"{DEF}    raise ExceptionGroup('all', [ValueError('a'), KeyError('b')])\n"
    assert told(fault_of(tmp_path, source)) == [
        ("hint.in-the-group", {"exception": "ValueError: a"}),
        ("hint.in-the-group", {"exception": "KeyError: 'b'"}),
    ]


def test_a_hostile_exception_is_told_without_lines(tmp_path: Path) -> None:
    source = f"""class Hostile(BaseException):
    def __getattribute__(self, name):
        raise SystemExit
    def __str__(self):
        raise KeyboardInterrupt
{DEF}    raise Hostile
"""
    fault = fault_of(tmp_path, source)
    assert (fault.reason, fault.hints) == ("call-raised", ())
    assert fault.facts == {"exception": "metric.Hostile"}


# --- Names ---------------------------------------------------------------------------------------

KEYS = {
    "a key of expected": (
        "expected['label']",
        {"name": "expected", "keys": "'answer', 'why'"},
    ),
    "a key of the input": ("input['text']", {"name": "input", "keys": "'question'"}),
    "a key within": (
        "input['question']['a']['c']",
        {"name": "input['question']['a']", "keys": "1"},
    ),
    "an attribute that is no key": (
        "expected.label",
        {"name": "expected", "keys": "'answer', 'why'"},
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_that_is_not_there_is_told_with_those_that_are(tmp_path: Path, name: str) -> None:
    expression, facts = KEYS[name]
    one = case(
        input={"question": {"a": {"1": 0}}} if "within" in name else {"question": "?"},
        expected={"answer": "4", "why": ""},
    )
    if "within" in name:
        facts = facts | {"keys": "'1'"}
    fault = fault_of(tmp_path, f"{DEF}    return {expression}, {{}}\n", one)
    assert told(fault) == [("hint.keys-there", facts)]


def test_an_empty_dict_is_told(tmp_path: Path) -> None:
    fault = fault_of(tmp_path, f"{DEF}    return input['text']\n")
    assert told(fault) == [("hint.no-keys-there", {"name": "input"})]


def test_many_keys_are_cut(tmp_path: Path) -> None:
    fault = fault_of(tmp_path, f"{DEF}    d = dict.fromkeys(range(10**5))\n    d['x']\n")
    ((key, facts),) = told(fault)
    assert key == "hint.keys-there"
    assert len(facts["keys"]) <= 200


def test_a_key_that_was_taken_as_an_attribute_is_told(tmp_path: Path) -> None:
    fault = fault_of(tmp_path, f"{DEF}    return output.answer\n", case(output={"answer": 1}))
    assert told(fault) == [("hint.key-not-attribute", {"name": "output", "key": "answer"})]


@pytest.mark.parametrize(
    "expression", ["expected['label']", "expected.label", "expected + 1", "expected[0]"]
)
def test_a_case_without_an_expected_value_is_told(tmp_path: Path, expression: str) -> None:
    fault = fault_of(tmp_path, f"{DEF}    return {expression}, {{}}\n")
    assert ("hint.no-expected", {}) in told(fault)
    fault = fault_of(tmp_path, f"{DEF}    return {expression}, {{}}\n", case(expected={1: 2}))
    assert ("hint.no-expected", {}) not in told(fault)


@pytest.mark.parametrize(
    "body", ["wanted = expected\n    return wanted['label'], {}", "assert expected"]
)
def test_it_is_told_where_the_exception_or_the_line_shows_it(tmp_path: Path, body: str) -> None:
    fault = fault_of(tmp_path, f"{DEF}    {body}\n")
    assert ("hint.no-expected", {}) in told(fault)


def test_what_is_unexpected_says_nothing_of_the_expected_value(tmp_path: Path) -> None:
    fault = fault_of(tmp_path, f"{DEF}    raise ValueError('unexpected output')\n")
    assert told(fault) == []


def test_it_is_not_told_where_it_has_no_part_in_it(tmp_path: Path) -> None:
    assert told(fault_of(tmp_path, f"{DEF}    1 / 0\n")) == []


def test_it_is_not_told_of_a_value_that_cannot_be_read(tmp_path: Path) -> None:
    source = "class Pair(tuple):\n    def __len__(self):\n        raise TypeError('None')\n"
    fault = fault_of(tmp_path, f"{source}{DEF}    return Pair((1, {{'feedback': ''}}))\n")
    assert (fault.reason, told(fault)) == ("unreadable-value", [])


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        (f"{DEF}    return ouput\n", ("hint.near-name", {"close": "output"})),
        (f"{DEF}    return flaot(1)\n", ("hint.near-name", {"close": "float"})),
        ("from .rules import WEIGHT\n", ("hint.relative-import", {})),
        ("import sys\nsys.exit('usage: metric.py GOLD')\n", ("hint.no-arguments", {})),
        (
            "def score(gold, pred, trace=None):\n    return gold.label\n",
            ("hint.dspy-arguments", {}),
        ),
    ],
)
def test_what_the_author_meant_is_told(
    tmp_path: Path, source: str, hint: tuple[str, dict[str, str]]
) -> None:
    assert hint in told(fault_of(tmp_path, source))


def test_a_name_that_is_like_none_has_no_hint(tmp_path: Path) -> None:
    assert told(fault_of(tmp_path, f"{DEF}    return zzzzzz\n")) == []


def test_input_has_nobody_to_answer(tmp_path: Path) -> None:
    source = f"{DEF}    raise EOFError\n"
    assert told(fault_of(tmp_path, source)) == [("hint.no-input", {})]
