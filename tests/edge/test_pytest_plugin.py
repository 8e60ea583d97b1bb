"""The plugin of pytest: each case is a test, and fails with the words of the report."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from docs_build.warm import warm

ROOT = Path(__file__).parents[2]
PLUGIN = ("-p", "skynet_stub.pytest_plugin")

METRIC = """
from pathlib import Path
with Path(__file__).with_name("loaded").open("a") as log:
    log.write("x")
def score(input, output, expected=None):
    print("scoring", output)
    if output == "raises":
        raise KeyError("label")
    if output == "advice":
        return True, {"feedback": "Right."}
    return 1.0, {"feedback": "Right."}
"""
TEST_FILE = """
from skynet_stub.pytest_plugin import metric_cases

test_metric = metric_cases("metric.py")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a metric with three cases, the second of which raises."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "metric.py").write_text(METRIC, encoding="utf-8")
    write_cases(tmp_path, "fine", "raises", "advice")
    return tmp_path


def write_cases(folder: Path, *outputs: str) -> None:
    lines = [json.dumps({"input": {}, "output": output}) for output in outputs]
    (folder / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")


def run(*arguments: str, plugin: tuple[str, ...] = PLUGIN) -> tuple[int, str]:
    """The exit code of pytest in a process of its own, and what it wrote."""
    own = ("-p", "no:cacheprovider", "-W", "error", *plugin)
    done = warm("pytest").run(
        *("pytest", *own, *arguments), folder=Path.cwd(), environment=os.environ, merged=True
    )
    return done.returncode, done.stdout


def outcomes(output: str) -> dict[str, str]:
    """The outcome of each test by its id, of a run with -v."""
    found = re.findall(
        r"^(?:\[gw\d\] +\[ *\d+%\] )?(?:(PASSED|FAILED) )?(\S+::\S+)(?: (PASSED|FAILED))?.*$",
        output,
        re.MULTILINE,
    )
    return {test: before or after for before, test, after in found if before or after}


EXPECTED = {
    "metric.py::case-1": "PASSED",
    "metric.py::case-2": "FAILED",
    "metric.py::case-3": "PASSED",
}
IN_A_FILE = {
    f"test_it.py::test_metric[case-{number}]": EXPECTED[f"metric.py::case-{number}"]
    for number in (1, 2, 3)
}
MESSAGE = """\
Metric run: case 2, line 8: The call raised an exception
  Return a score and feedback for this case too. Raised: KeyError: 'label'
  metric.py, line 8: raise KeyError("label")
"""


def test_a_metric_is_collected_without_a_test_file() -> None:
    code, output = run("-v", "--skynet-metric", "metric.py")
    assert (code, outcomes(output)) == (1, EXPECTED)
    assert f"case-2 ____________________________________\n{MESSAGE}" in output
    assert "--- Captured metric output call ---" in output
    assert "scoring raises" in output
    assert "pytest_plugin" not in output.partition("FAILURES")[2]  # none of our frames


def test_in_a_test_file_each_case_is_a_test_too(folder: Path) -> None:
    (folder / "test_it.py").write_text(TEST_FILE, encoding="utf-8")
    code, output = run("-v")
    assert (code, outcomes(output)) == (1, IN_A_FILE)
    assert MESSAGE in output
    assert "pytest_plugin" not in output.partition("collected")[2]


def test_the_cases_may_be_tests_of_a_class(folder: Path) -> None:
    source = TEST_FILE.replace("test_metric =", "class TestIt:\n    test_metric =")
    (folder / "test_it.py").write_text(source, encoding="utf-8")
    code, output = run("-v")
    in_a_class = {name.replace("::", "::TestIt::"): how for name, how in IN_A_FILE.items()}
    assert (code, outcomes(output)) == (1, in_a_class)
    assert MESSAGE in output


def test_a_test_file_needs_no_plugin_that_is_switched_on(folder: Path) -> None:
    (folder / "test_it.py").write_text(TEST_FILE, encoding="utf-8")
    code, output = run("-v", plugin=("-p", "no:skynet_stub.pytest_plugin"))
    assert (code, outcomes(output)) == (1, IN_A_FILE)


def test_the_metric_of_a_test_file_stands_in_its_folder(folder: Path) -> None:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_it.py").write_text(
        TEST_FILE.replace('"metric.py"', '"../metric.py", "more.jsonl", timeout=5'), "utf-8"
    )
    (folder / "tests" / "more.jsonl").write_text('{"input": {}, "output": 1}', encoding="utf-8")
    code, output = run("-v", "tests")
    assert (code, list(outcomes(output))) == (0, ["tests/test_it.py::test_metric[case-1]"])


def test_a_metric_is_loaded_once_a_session_for_the_cases_that_are_run(folder: Path) -> None:
    write_cases(folder, *["fine"] * 50)
    code, output = run("--skynet-metric", "metric.py")
    assert (code, (folder / "loaded").read_text(encoding="utf-8")) == (0, "x"), output
    code, output = run("-v", "--skynet-metric", "metric.py", "metric.py::case-7")
    assert (code, outcomes(output)) == (0, {"metric.py::case-7": "PASSED"})
    assert run("--skynet-metric", "metric.py", "-k", "case-7 or case-9")[0] == 0


def test_workers_of_xdist_collect_the_same_cases(folder: Path) -> None:
    (folder / "test_it.py").write_text(TEST_FILE, encoding="utf-8")
    both = ("test_it.py", "--skynet-metric", "metric.py", "metric.py")
    code, output = run("-v", "-p", "xdist", "-n", "2", *both)
    assert (code, outcomes(output)) == (1, EXPECTED | IN_A_FILE)
    told = output.partition("short test summary info")[0]  # which tells it again on a build server
    assert told.count(MESSAGE) == 2
    assert "case-3: The score is a bool" in output
    assert "case-3]: The score is a bool" in output


def test_a_run_without_a_metric_imports_nothing_of_the_check(folder: Path) -> None:
    (folder / "test_other.py").write_text(
        "import sys\ndef test_it():\n"
        "    found = {name for name in sys.modules if name.startswith('skynet_stub')}\n"
        "    assert found == {'skynet_stub', 'skynet_stub.pytest_plugin'}\n",
        encoding="utf-8",
    )
    code, output = run("test_other.py")
    assert code == 0, output


def test_advice_for_cases_that_pass_is_told_at_the_end() -> None:
    _, output = run("--skynet-metric", "metric.py")
    summary = output.partition("= metric advice =")[2]
    assert "\nmetric.py::case-3: The score is a bool, which counts as 1.0 or 0.0" in summary


def test_the_language_can_be_chosen() -> None:
    _, output = run("--skynet-metric", "metric.py", "--skynet-lang", "ru")
    assert "Выполнение метрики: пример 2, строка 8: " in output
    code, output = run("--skynet-lang", "de")
    assert (code, output) == (4, "ERROR: --skynet-lang: choose one of en, zh-Hans, ru\n\n")


def test_a_metric_that_cannot_be_loaded_fails_each_case_with_the_reason(folder: Path) -> None:
    (folder / "metric.py").write_text("1 +\n", encoding="utf-8")
    code, output = run("-v", "--skynet-metric", "metric.py")
    assert (code, set(outcomes(output).values())) == (1, {"FAILED"})
    assert output.count("\nMetric file: line 1: The file is not valid Python\n") == 3


def test_the_timeout_can_be_chosen(folder: Path) -> None:
    (folder / "metric.py").write_text("while True: pass\n", encoding="utf-8")
    write_cases(folder, "fine")
    code, output = run("--skynet-metric", "metric.py", "--skynet-timeout", "0.3")
    assert (code, "It had not finished after 0.3 s." in output) == (1, True)
    code, output = run("--skynet-metric", "metric.py", "--skynet-timeout", "0")
    assert (code, "give a number of seconds above 0 and at most 600" in output) == (1, True)
    assert "During handling" not in output


def test_cases_that_cannot_be_read_are_an_error_of_collecting(folder: Path) -> None:
    (folder / "cases.jsonl").write_text("oops", encoding="utf-8")
    (folder / "test_it.py").write_text(TEST_FILE, encoding="utf-8")
    line = f"{folder}{os.sep}cases.jsonl, line 1, column 1: not JSON"
    for arguments in (("--skynet-metric", "metric.py", "metric.py"), ("test_it.py",)):
        code, output = run(*arguments)
        assert code == 2
        assert line in output
        assert "pytest_plugin" not in output.partition("ERRORS")[2]
    code, output = run("--skynet-metric", "no.py")
    assert (code, "file or directory not found" in output) == (4, True)
    code, output = run("--skynet-metric", "metric.py", "--skynet-cases", "none", "metric.py")
    assert (code, f"{folder}{os.sep}none: there is no such case file" in output) == (2, True)


def test_a_conftest_and_fixtures_of_the_user_work_beside_it(folder: Path) -> None:
    own = """
import pathlib, pytest
@pytest.fixture(autouse=True)
def mine(request):
    pathlib.Path(f"seen-{request.node.name}").touch()
@pytest.mark.parametrize("n", [1])
def test_own(n):
    assert n == 1
"""
    (folder / "test_it.py").write_text(TEST_FILE + own, encoding="utf-8")
    (folder / "conftest.py").write_text(
        "def pytest_collection_modifyitems(items):\n    items.reverse()\n", encoding="utf-8"
    )
    code, output = run("-v")
    assert (code, outcomes(output)) == (1, IN_A_FILE | {"test_it.py::test_own[1]": "PASSED"})
    assert (folder / "seen-test_metric[case-1]").exists()
