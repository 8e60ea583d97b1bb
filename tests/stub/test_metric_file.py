"""How the metric file is loaded: by Python's own rules, as a module named `metric` (A1, B3)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from skynet_stub import metric_file
from skynet_stub.check import check_metric
from skynet_stub.helpers import Helpers
from skynet_stub.in_process import run_in_process
from skynet_stub.reasons import Fault, Hint
from small_metrics import GOOD, case, check, reasons, returning, run, states, write_metric


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that can be imported from, as while a metric is loaded."""
    with metric_file.folder_importable(tmp_path / "metric.py"):
        yield tmp_path


def load(folder: Path, source: str | bytes, name: str = "metric.py") -> ModuleType:
    path = folder / name
    path.write_bytes(source if isinstance(source, bytes) else source.encode())
    return metric_file.load_metric(path)


def fault_of(folder: Path, source: str | bytes) -> Fault:
    with pytest.raises(metric_file.CannotLoad) as caught:
        load(folder, source)
    assert str(caught.value) == caught.value.fault.reason
    return caught.value.fault


# --- The module ----------------------------------------------------------------------------------


def test_the_file_is_a_module_named_metric_and_never_main(folder: Path) -> None:
    module = load(folder, "main = __name__ == '__main__'\nname = __name__\nfile = __file__\n")
    assert (module.name, module.main) == ("metric", False)
    assert module.file == str(folder / "metric.py")
    assert sys.modules["metric"] is module


def refuse_to_list(folder: Path) -> Iterator[Path]:
    raise PermissionError(13, "Permission denied")


def test_a_folder_that_cannot_be_listed_can_be_imported_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "iterdir", refuse_to_list)
    (tmp_path / "labels.py").write_text("RIGHT = 'Right.'\n", encoding="utf-8")
    source = returning("1.0, {'feedback': labels.RIGHT}", "import labels")
    assert reasons(check(tmp_path, source)) == []


def test_a_fault_of_the_whole_file_has_no_line(folder: Path) -> None:
    fault = fault_of(folder, b"# coding: morse\n")
    assert (fault.reason, fault.line) == ("file-not-python", None)


@pytest.mark.parametrize("name", ["judge.py", "metric.txt", "metric", "метрика.py"])
def test_a_file_of_another_name_is_the_module_metric_too(folder: Path, name: str) -> None:
    assert load(folder, "name = __name__", name).name == "metric"


def test_the_module_can_be_found_while_it_is_loading(folder: Path) -> None:
    # dataclasses look their module up, and so does pickle.
    module = load(
        folder,
        """
from __future__ import annotations
import dataclasses, pickle, sys
@dataclasses.dataclass
class Point:
    x: int
import metric
found = metric is sys.modules[__name__] and pickle.loads(pickle.dumps(Point(1))) == Point(1)
""",
    )
    assert module.found is True


ENCODED: dict[str, bytes] = {
    "UTF-8": 'text = "né"\n'.encode(),
    "a byte order mark": b"\xef\xbb\xbf" + 'text = "né"\n'.encode(),
    "an encoding cookie": '# coding: latin-1\ntext = "né"\n'.encode("latin-1"),
    "a cookie on the second line": '#!\n# coding: cp1250\ntext = "né"\n'.encode("cp1250"),
    "carriage returns and line feeds": '\r\ntext = "né"\r\n'.encode(),
    "carriage returns alone": '# one\rtext = "né"\r'.encode(),
    "no line end": 'text = "né"'.encode(),
}


@pytest.mark.parametrize("encoded", ENCODED)
def test_the_file_is_read_by_the_rules_of_python(folder: Path, encoded: str) -> None:
    assert load(folder, ENCODED[encoded]).text == "né"


def test_compiled_files_are_neither_read_nor_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "labels.py").write_text("", encoding="utf-8")
    with metric_file.folder_importable(tmp_path / "metric.py"):
        for value in (1, 2):  # of the same length and, most likely, the same time
            assert load(tmp_path, f"import labels\nvalue = {value}\n").value == value
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labels.py", "metric.py"]
    assert sys.dont_write_bytecode is False


# --- Its folder ----------------------------------------------------------------------------------


def test_a_module_beside_the_file_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "labels.py").write_text("RIGHT = 'Right.'\n", encoding="utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "more.py").write_text("SCORE = 0.5\n", encoding="utf-8")
    source = returning(
        "more.SCORE, {'feedback': labels.RIGHT}", "import labels, parts.more as more"
    )
    (called,) = run(tmp_path, source, [case()])
    assert called.returned is not None
    assert (called.returned.score, called.returned.feedback) == (0.5, "Right.")


def test_a_module_beside_the_file_comes_before_others_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    for folder in (tmp_path, tmp_path / "elsewhere"):
        (folder / "labels.py").write_text(f"FOLDER = {folder.name!r}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    (called,) = run(
        tmp_path, "import labels\n" + returning("1, {'feedback': labels.FOLDER}"), [case()]
    )
    assert called.returned is not None
    assert called.returned.feedback == tmp_path.name


@pytest.mark.parametrize(
    ("names", "early"),
    [((), False), (("labels.py",), False), (("labels.py", "ast.py"), True)],
    ids=["an empty folder", "an own name", "a name of Python's"],
)
def test_a_module_of_python_s_is_imported_before_one_of_the_folder_can_stand_in_its_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], early: bool
) -> None:
    for name in names:
        (tmp_path / name).write_text("raise SystemExit\n", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "inspect")
    with metric_file.folder_importable(tmp_path / "metric.py"):
        assert ("inspect" in sys.modules) is early


def test_what_a_folder_that_cannot_be_listed_holds_may_stand_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "iterdir", refuse_to_list)
    monkeypatch.delitem(sys.modules, "inspect")
    with metric_file.folder_importable(tmp_path / "metric.py"):
        assert "inspect" in sys.modules


def test_what_is_given_surrounds_the_code_of_the_metric_alone(folder: Path) -> None:
    path = write_metric(folder, "import skynet\n")
    metric_file.load_metric(path, Helpers().installed())
    assert "skynet" not in sys.modules
    with pytest.raises(metric_file.CannotLoad):
        metric_file.load_metric(path)


def test_a_module_can_be_imported_as_late_as_in_a_call(tmp_path: Path) -> None:
    (tmp_path / "labels.py").write_text("RIGHT = 'Right.'\n", encoding="utf-8")
    source = returning("1, {'feedback': __import__('labels').RIGHT}")
    (called,) = run(tmp_path, source, [case()])
    assert called.faults == ()


def test_each_metric_has_the_modules_of_its_own_folder(tmp_path: Path) -> None:
    for folder in ("a", "b", "a"):
        (tmp_path / folder / "parts").mkdir(parents=True, exist_ok=True)
        for module in ("labels.py", "parts/more.py"):
            path = tmp_path / folder / module
            path.write_text(f"FOLDER = {folder!r}\n", encoding="utf-8")
        source = returning(
            "1, {'feedback': labels.FOLDER + more.FOLDER}", "import labels\nfrom parts import more"
        )
        (called,) = run(tmp_path / folder, source, [case()])
        assert called.returned is not None
        assert called.returned.feedback == folder * 2


def test_nothing_in_the_folder_shadows_the_skynet_module(tmp_path: Path) -> None:
    (tmp_path / "skynet.py").write_text("raise SystemExit('shadowed')\n", encoding="utf-8")
    source = returning("1, {'feedback': llm('?')}", "from skynet import llm")
    (called,) = run(tmp_path, source, [case(llm=("PASS",))])
    assert called.returned is not None
    assert called.returned.feedback == "PASS"


def test_the_interpreter_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "labels.py").write_text("", encoding="utf-8")
    earlier = ModuleType("metric")
    sys.modules["metric"] = earlier
    path, writes = list(sys.path), sys.dont_write_bytecode
    try:
        run(tmp_path, "import labels, sys\nsys.path.append('more')\n" + GOOD, [case()])
        assert sys.modules["metric"] is earlier
    finally:
        del sys.modules["metric"]
    assert not {"labels", "skynet"} & set(sys.modules)
    assert (sys.path, sys.dont_write_bytecode) == (path, writes)
    run(tmp_path, GOOD, [case()])
    assert "metric" not in sys.modules


def test_a_metric_may_put_anything_among_the_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "odd", ModuleType("odd"))
    (called,) = run(tmp_path, "import sys\nsys.modules['odd'] = 5\n" + GOOD, [case()])
    assert called.faults == ()


def test_what_a_metric_imports_from_elsewhere_stays(tmp_path: Path) -> None:
    sys.modules.pop("colorsys", None)
    run(tmp_path, "import colorsys\n" + GOOD, [case()])
    assert "colorsys" in sys.modules


# --- What cannot be loaded -----------------------------------------------------------------------

NOT_PYTHON: dict[str, tuple[str | bytes, int | None]] = {
    "a syntax error": ("import os\ndef score(:\n", 2),
    "a bad indent": ("def score():\nreturn 1\n", 2),
    "Python 2": ("print 1\n", 1),
    "a word alone": ("return 1\n", 1),
    "bytes that are not UTF-8": (b"import os\ntext = '\xe9'\n", 2),
    "an unknown encoding": (b"# coding: klingon\n", None),
    "a NUL byte": (b"import os\0\n", None),
}


@pytest.mark.parametrize("bad", NOT_PYTHON)
def test_a_file_that_is_not_python_is_told_from_one_that_raises(folder: Path, bad: str) -> None:
    source, line = NOT_PYTHON[bad]
    fault = fault_of(folder, source)
    assert (fault.reason, set(fault.facts)) == ("file-not-python", {"problem", "version"})
    assert fault.facts["problem"].strip()
    if line is not None:
        assert fault.line == line


PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"


def test_the_problem_is_what_python_says_of_the_line(folder: Path) -> None:
    with pytest.raises(metric_file.CannotLoad) as caught:
        load(folder, "import os\nx = (1\n", "grader.py")
    assert caught.value.fault == Fault(
        "file-not-python",
        facts={"problem": "'(' was never closed", "version": PYTHON},
        hints=(Hint("hint.source", {"file": "grader.py", "line": "2", "source": "x = (1"}),),
        line=2,
    )


def test_what_python_says_is_shown_cut(folder: Path) -> None:
    fault = fault_of(folder, f"# coding: {'k' * 400}\n")
    assert len(fault.facts["problem"]) == 200


def failing(folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> Fault:
    """The fault of a file that Python cannot read, or not compile, for this reason."""

    def fail(loader: object, name: str) -> None:
        raise error

    monkeypatch.setattr("skynet_stub.spawned.SourceLoader.get_code", fail)
    return fault_of(folder, "")


def test_a_file_that_is_too_much_for_python_is_not_python(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = failing(folder, monkeypatch, RecursionError("maximum recursion depth exceeded"))
    problem = "RecursionError: maximum recursion depth exceeded"
    assert fault == Fault("file-not-python", facts={"problem": problem, "version": PYTHON})


@pytest.mark.parametrize(("line", "text"), [(2, None), (None, "x = (1"), (None, None)])
def test_a_line_is_shown_only_where_python_has_both_its_number_and_its_text(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: int | None, text: str | None
) -> None:
    error = SyntaxError("no reason", ("metric.py", line, None, text))
    fault = failing(folder, monkeypatch, error)
    facts = {"problem": "no reason", "version": PYTHON}
    assert fault == Fault("file-not-python", facts=facts, line=line)


def test_a_file_that_cannot_be_read_for_no_known_reason_is_reported_with_the_kind_of_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = failing(folder, monkeypatch, TimeoutError())
    assert fault == Fault("file-unreadable", facts={"problem": "TimeoutError"})


@pytest.mark.parametrize(
    ("name", "problem"), [("missing.py", "No such file or directory"), (".", "Is a directory")]
)
def test_a_file_that_cannot_be_read_is_reported(folder: Path, name: str, problem: str) -> None:
    with pytest.raises(metric_file.CannotLoad) as caught:
        metric_file.load_metric(folder / name)
    fault = caught.value.fault
    assert (fault.reason, dict(fault.facts)) == ("file-unreadable", {"problem": problem})


RAISING: dict[str, tuple[str, str, int]] = {
    "an exception": ("\nraise ValueError('no data')\n", "ValueError: no data", 2),
    "a missing module": (
        "import not_there\n",
        "ModuleNotFoundError: No module named 'not_there'",
        1,
    ),
    "SystemExit": ("import sys\nsys.exit(3)\n", "SystemExit: 3", 2),
    "KeyboardInterrupt": ("raise KeyboardInterrupt\n", "KeyboardInterrupt", 1),
    "GeneratorExit": ("raise GeneratorExit\n", "GeneratorExit", 1),
    "deep in a function": (
        "def f():\n    return 1 / 0\n\nf()\n",
        "ZeroDivisionError: division by zero",
        2,
    ),
    "deep in another file": (
        "import json\n\njson.loads(0)\n",
        "TypeError: the JSON object must",
        3,
    ),
}


@pytest.mark.parametrize("raised", RAISING)
def test_whatever_loading_raises_is_reported_with_the_line_of_the_file(
    folder: Path, raised: str
) -> None:
    source, exception, line = RAISING[raised]
    fault = fault_of(folder, source)
    assert (fault.reason, fault.line) == ("loading-raised", line)
    assert fault.facts["exception"].startswith(exception)


def test_the_line_of_a_call_is_the_innermost_in_the_metric_file(tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text("\n\n\n\ndef part(f):\n    f()\n", encoding="utf-8")
    source = "from parts import part\ndef inner():\n    int('x')\ndef score(*a):\n    part(inner)\n"
    (called,) = run(tmp_path, source, [case()])
    assert [(fault.reason, fault.line) for fault in called.faults] == [("call-raised", 3)]


def test_an_exception_from_elsewhere_has_no_line_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text("def score(*a):\n    int('x')\n", encoding="utf-8")
    (called,) = run(tmp_path, "from parts import score\n", [case()])
    assert [(fault.reason, fault.line) for fault in called.faults] == [("call-raised", None)]


# --- The function --------------------------------------------------------------------------------

CALLABLES: dict[str, str] = {
    "a function": GOOD,
    "a lambda": "score = lambda *a: (1, {'feedback': 'Right.'})",
    "a partial": """
import functools
def judge(mode, *a):
    return 1, {"feedback": mode}
score = functools.partial(judge, "strict")
""",
    "a bound method": """
class Judge:
    def judge(self, input, output):
        return 1, {"feedback": "Right."}
score = Judge().judge
""",
    "an object with __call__": """
class Judge:
    def __call__(self, input, output, expected):
        return 1, {"feedback": "Right."}
score = Judge()
""",
    "a class": """
class score(tuple):
    def __new__(cls, input, output, expected):
        return super().__new__(cls, (1, {"feedback": "Right."}))
""",
    "a name that was imported": "from functools import partial as score",
    "a decorated function": """
import functools
def decorate(f):
    @functools.wraps(f)
    def wrapper(*a, **k):
        return f(*a, **k)
    return wrapper
@decorate
def score(input, output):
    return 1, {"feedback": "Right."}
""",
}


@pytest.mark.parametrize("kind", CALLABLES)
def test_any_callable_named_score_will_do(tmp_path: Path, kind: str) -> None:
    report = check(tmp_path, CALLABLES[kind])
    assert states(report)["function"] is True
    if kind != "a name that was imported":
        assert reasons(report) == []


@pytest.mark.parametrize(
    "source", ["", "def Score(*a): ...", "def metric(*a): ...", "def f():\n    def score(*a): ..."]
)
def test_without_the_name_score_there_is_no_function(tmp_path: Path, source: str) -> None:
    assert reasons(check(tmp_path, source)) == [(None, "no-score-function")]


@pytest.mark.parametrize(
    ("value", "facts"),
    [
        ("0.8", {"found": "0.8", "type": "float"}),
        ("None", {"found": "None", "type": "NoneType"}),
        ("'score'", {"found": "'score'", "type": "str"}),
    ],
)
def test_a_score_that_is_not_callable_is_shown(
    tmp_path: Path, value: str, facts: dict[str, str]
) -> None:
    (failure,) = check(tmp_path, f"score = {value}").items[1].failures
    assert (failure.fault.reason, dict(failure.fault.facts)) == ("score-not-callable", facts)


# --- The reward spec -----------------------------------------------------------------------------

SPEC = (
    "{'weights': {'accuracy': 1, 'speed': 0, 'cost': 0}, 'accuracy': {}, "
    "'speed': {'reference': 1}, 'cost': {'reference': 1}}"
)


def test_a_metric_without_a_reward_spec_has_none_to_fail(folder: Path) -> None:
    assert metric_file.reward_spec_faults(load(folder, GOOD)) == ()


def test_a_valid_reward_spec_has_no_faults(folder: Path) -> None:
    assert metric_file.reward_spec_faults(load(folder, f"REWARD_SPEC = {SPEC}")) == ()


def test_every_problem_of_a_reward_spec_is_named(folder: Path) -> None:
    (fault,) = metric_file.reward_spec_faults(load(folder, "REWARD_SPEC = {'weights': 1}"))
    assert fault.reason == "reward-spec-invalid"
    assert [(problem.key, dict(problem.facts)) for problem in fault.hints] == [
        ("spec.key-missing", {"key": "accuracy"}),
        ("spec.key-missing", {"key": "speed"}),
        ("spec.key-missing", {"key": "cost"}),
        ("spec.not-a-dict", {"key": "weights", "found": "1"}),
    ]


@pytest.mark.parametrize("value", ["None", "0", "()"])
def test_a_reward_spec_that_is_no_dict_is_a_fault(tmp_path: Path, value: str) -> None:
    report = check(tmp_path, f"REWARD_SPEC = {value}\n{GOOD}")
    assert reasons(report) == [(None, "reward-spec-invalid")]


def test_a_reward_spec_that_cannot_be_read_is_a_fault(folder: Path) -> None:
    source = """
class Spec(dict):
    def __contains__(self, key):
        raise SystemExit(3)
REWARD_SPEC = Spec()
"""
    facts = {"type": "metric.Spec", "exception": "SystemExit: 3"}
    assert metric_file.reward_spec_faults(load(folder, source)) == (
        Fault("reward-spec-invalid", hints=(Hint("spec.unreadable", facts),)),
    )


def test_the_metric_is_checked_from_a_folder_with_an_odd_name(tmp_path: Path) -> None:
    folder = tmp_path / "a b's [метрика]"
    folder.mkdir()
    assert check(folder, "import os\nassert os.path.isfile(__file__)\n" + GOOD).passed
    assert write_metric(folder, GOOD).is_file()


# --- Near misses ---------------------------------------------------------------------------------

NEAR: dict[str, tuple[str | bytes, list[str]]] = {
    "a function of another name": ("def metric(input, output): ...\n", ["hint.defined"]),
    "a class alone": ("class Adapter:\n    def evaluate(self): ...\n", ["hint.defined"]),
    "a value whose type says that it is a function": (
        "class Kind(type):\n    def __eq__(self, other):\n        raise SystemExit(3)\n"
        "    __hash__ = type.__hash__\nOdd = Kind('Odd', (), {})\nmetric = Odd()\n",
        ["hint.defined"],
    ),
    "what others defined": ("from os.path import join\nx = 1\n", []),
    "a class": ("class score:\n    def __call__(self, a, b): ...\n", ["hint.score-is-a-class"]),
    "a method without its object": (
        "class S:\n    def score(self, input, output, expected): ...\nscore = S.score\n",
        ["hint.method-without-object"],
    ),
    "a DSPy metric": (
        "def score(gold, pred, trace, pred_name, pred_trace): ...\n",
        ["hint.dspy-arguments"],
    ),
    "another signature": ("def score(output): ...\n", []),
    "a syntax error": ("def score(:\n", []),
    "another encoding": (b"x = '\xe9'\n", ["hint.encoding"]),
    "UTF-16": ("x = 1\n".encode("utf-16"), ["hint.encoding"]),
    "an unknown encoding": (b"# coding: klingon\n", ["hint.encoding"]),
}


@pytest.mark.parametrize("miss", NEAR)
def test_a_near_miss_of_the_file_or_the_function_is_named(tmp_path: Path, miss: str) -> None:
    source, keys = NEAR[miss]
    (tmp_path / "metric.py").write_bytes(source.encode() if isinstance(source, str) else source)
    report = check_metric(tmp_path / "metric.py", [case()], runner=run_in_process)
    ((failure,),) = [item.failures for item in report.items if item.failures]
    found = [hint.key for hint in failure.fault.hints]
    assert [key for key in found if key != "hint.source"] == keys


def test_what_the_file_defines_is_named(tmp_path: Path) -> None:
    source = "def grade(a, b): ...\nclass Rules: ...\nTHRESHOLD = 1\n"
    report = check(tmp_path, source)
    ((failure,),) = [item.failures for item in report.items if item.failures]
    assert [dict(hint.facts) for hint in failure.fault.hints] == [{"names": "grade, Rules"}]


@pytest.mark.parametrize(
    ("last", "shown"), [("c" * 18, "c" * 18), ("c" * 19, "c" * 17 + "…")], ids=["all", "cut"]
)
def test_what_the_file_defines_is_named_in_100_characters(
    tmp_path: Path, last: str, shown: str
) -> None:
    a, b = "a" * 39, "b" * 39
    report = check(tmp_path, "".join(f"class {name}: ...\n" for name in (a, b, last)))
    ((failure,),) = [item.failures for item in report.items if item.failures]
    assert [dict(hint.facts) for hint in failure.fault.hints] == [{"names": f"{a}, {b}, {shown}"}]
