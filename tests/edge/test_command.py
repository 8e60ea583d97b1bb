"""The command `skynet-stub`: its exit codes, its reports, its options (B4, B5)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command_line import (
    BAD,
    CASE,
    GOOD,
    PASSED,
    check,
    failed,
    passed,
    refused,
    run,
    small_folder,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the command: a good metric with its cases."""
    return small_folder(tmp_path, monkeypatch)


# --- Exit codes and reports ----------------------------------------------------------------------


def test_a_metric_that_keeps_the_contract_gives_0_and_a_report(folder: Path) -> None:
    report = passed("metric.py")
    assert report.startswith("metric.py: 1 case checked\n")
    assert report.endswith("\nThe metric keeps the contract.\n")


def test_a_metric_that_does_not_gives_1_and_a_report(folder: Path) -> None:
    (folder / "metric.py").write_text(BAD, encoding="utf-8")
    report = failed("metric.py")
    assert "  ✗ Metric return value  failed\n      case 1: No side info\n" in report
    assert report.endswith("\nThe metric does not keep the contract: 1 item failed.\n")


@pytest.mark.parametrize(
    ("language", "verdict"),
    [
        ("en", "The metric keeps the contract."),
        ("zh-Hans", "指标符合契约。"),
        ("ru", "Метрика соблюдает контракт."),
    ],
)
def test_a_report_is_in_the_language_that_was_asked_for(
    folder: Path, language: str, verdict: str
) -> None:
    assert passed("metric.py", "--lang", language).splitlines()[-1] == verdict


def test_the_language_does_not_hang_on_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "ru")
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    assert "The metric keeps the contract." in passed("metric.py")


def test_the_metric_may_stand_elsewhere_and_cases_are_read_beside_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert "1 case checked" in passed("../metric.py")
    assert "1 case checked" in passed(str(folder / "metric.py"))


def test_a_metric_imports_nothing_from_the_working_directory(folder: Path) -> None:
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (folder / "labels.py").write_text("", encoding="utf-8")
    (elsewhere / "metric.py").write_text(f"import labels\n{GOOD}", encoding="utf-8")
    report = failed("elsewhere/metric.py", "--cases", "cases.jsonl")
    assert "ModuleNotFoundError: No module named 'labels'" in report


def test_other_cases_can_be_named(folder: Path) -> None:
    (folder / "others.jsonl").write_text(CASE * 2, encoding="utf-8")
    assert "2 cases checked" in passed("metric.py", "--cases", "others.jsonl")


def test_the_first_three_cases_are_checked_and_all_where_asked(folder: Path) -> None:
    (folder / "cases.jsonl").write_text(CASE * 5, encoding="utf-8")
    assert "3 cases checked" in passed("metric.py")
    assert "5 cases checked" in passed("metric.py", "--all")


def test_the_timeout_can_be_chosen(folder: Path) -> None:
    (folder / "metric.py").write_text("import time\ntime.sleep(600)\n", encoding="utf-8")
    assert "It had not finished after 0.3 s." in failed("metric.py", "--timeout", "0.3")


@pytest.mark.parametrize("timeout", ["600", "0.5", "1e2"])
def test_a_timeout_within_0_to_600_is_taken(folder: Path, timeout: str) -> None:
    passed("metric.py", "--timeout", timeout)


def test_the_memory_can_be_chosen(folder: Path) -> None:
    (folder / "metric.py").write_text("held = b'x' * 300_000_000\nwhile True: ...\n", "utf-8")
    assert "held more than 128 MiB." in failed("metric.py", "--memory", "128")


@pytest.mark.parametrize("memory", ["512", "512.5", "512MiB", "0.5 GiB", "2gib"])
def test_memory_is_taken_in_mib_or_with_its_unit(folder: Path, memory: str) -> None:
    passed("metric.py", "--memory", memory)


MODELS: dict[str, tuple[list[str], str]] = {
    "none named": ([], "stub-reflection-model"),
    "a metric model": (["--metric-model", "judge"], "judge"),
    "a reflection model": (["--reflection-model", "thinker"], "thinker"),
    "both": (["--reflection-model", "thinker", "--metric-model", "judge"], "judge"),
    "an empty reflection model": (["--reflection-model", ""], "nobody"),
    "an empty metric model": (["--metric-model", ""], "stub-reflection-model"),
    "a metric model alone": (["--metric-model", "judge", "--reflection-model="], "judge"),
}


@pytest.mark.parametrize("named", MODELS)
def test_the_models_can_be_named(folder: Path, named: str) -> None:
    # The metric looks behind the helpers, since it is not told the model's name.
    options, model = MODELS[named]
    (folder / "metric.py").write_text(
        """
from skynet import llm
def score(input, output):
    try:
        llm("?")
    except RuntimeError as error:
        assert "neither a metric model nor a reflection model" in str(error)
        return 1.0, {"feedback": "nobody"}
    return 1.0, {"feedback": llm.__self__.calls[0].model}
""",
        encoding="utf-8",
    )
    (folder / "cases.jsonl").write_text(
        '{"input": {}, "output": 0, "llm": ["PASS"], '
        f'"result": {{"score": 1, "feedback": "{model}"}}}}\n',
        encoding="utf-8",
    )
    done = check("metric.py", *options)
    assert done.returncode == PASSED, done.stdout


# --- Advice --------------------------------------------------------------------------------------


def test_advice_fails_nothing_but_where_it_is_made_to_count(folder: Path) -> None:
    (folder / "metric.py").write_text(GOOD.replace("1.0", "True"), encoding="utf-8")
    report = passed("metric.py")
    assert "\nAdvice:\n  case 1: The score is a bool" in report
    assert report.endswith("\nThe metric keeps the contract.\n")
    report = failed("metric.py", "--strict")
    assert "\nAdvice, which counts under `--strict`:\n  case 1: The score is a bool" in report
    assert report.endswith(
        "\nThe metric keeps the contract, but there is advice, which counts under `--strict`.\n"
    )


def test_where_advice_counts_and_there_is_none_the_metric_passes(folder: Path) -> None:
    assert passed("metric.py", "--strict").endswith("\nThe metric keeps the contract.\n")


# --- Help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Usage: skynet-stub check metric.py"),
        ("zh-Hans", "用法：skynet-stub check metric.py"),
        ("ru", "Использование: skynet-stub check metric.py"),
    ],
)
def test_the_help_says_what_it_takes_in_each_language(language: str, text: str) -> None:
    done = check("--help", "--lang", language)
    assert (done.returncode, done.stderr) == (PASSED, "")
    for option in (
        "--cases FILE",
        "--all",
        "--case NUMBER",
        "--timeout SECONDS",
        "--memory SIZE",
        "--metric-model NAME",
        "--reflection-model NAME",
        "--format FORMAT",
        "--pin",
        "--strict",
        "--lang LANGUAGE",
        "--version",
        "--help",
    ):
        assert f"\n  {option}\n      " in done.stdout
    words = " ".join(done.stdout.split())
    assert text in words
    assert "600" in words
    assert "stub-reflection-model" in words
    assert all(check(one, "--lang", language).stdout == done.stdout for one in ("-h", "--help"))


def test_the_help_without_a_command_lists_the_commands() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (PASSED, "")
    assert "\n  skynet-stub check metric.py [--cases FILE] …\n      Check a metric " in done.stdout
    assert "\n  skynet-stub init [FOLDER]\n      Write a small working metric " in done.stdout
    assert run("init", "-h").stdout.startswith("Usage: skynet-stub init [FOLDER]\n")


@pytest.mark.parametrize("arguments", [(), ("check",), ("init",), ("check", "metric.py")])
def test_the_version_is_shown(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (PASSED, "skynet-stub 0.1.0\n", "")


# --- Which cases, and their results --------------------------------------------------------------


def test_cases_are_chosen_by_their_numbers_also_behind_the_first_three(folder: Path) -> None:
    (folder / "cases.jsonl").write_text(CASE * 9, encoding="utf-8")
    numbers = re.compile(r"^ +(\d+)  ", re.MULTILINE)
    assert numbers.findall(passed("metric.py", "--case", "5")) == ["5"]
    assert numbers.findall(passed("metric.py", "--case=9,2", "--case", "4")) == ["2", "4", "9"]
    assert "9 cases checked" in passed("metric.py", "--case", "2", "--all")


def test_results_are_pinned_and_the_next_check_compares_them(folder: Path) -> None:
    assert passed("metric.py", "--pin").endswith(
        "\nThe metric keeps the contract.\n"
        'cases.jsonl, line 1, case 1: now pinned {"score": 1.0, "feedback": "Right."}\n'
        "cases.jsonl: new results pinned: 1 of 1\n"
    )
    assert "Pinned result        passed" in passed("metric.py")
    (folder / "metric.py").write_text(GOOD.replace("1.0", "0.5"), encoding="utf-8")
    assert "The score differs from the pinned one" in failed("metric.py")
    assert '{"score": 0.5, "feedback": "Right."}\n' in passed("metric.py", "--pin")
    assert "Pinned result        passed" in passed("metric.py")


def test_nothing_is_pinned_where_a_case_failed(folder: Path) -> None:
    (folder / "metric.py").write_text(BAD, encoding="utf-8")
    assert failed("metric.py", "--pin").endswith("\nNothing was pinned: fix what failed first.\n")
    assert (folder / "cases.jsonl").read_text(encoding="utf-8") == CASE


# --- Forms of the report -------------------------------------------------------------------------


def test_json_is_one_document_and_nothing_else(folder: Path) -> None:
    (folder / "metric.py").write_text(f"print('loading')\n{BAD}", encoding="utf-8")
    report = json.loads(failed("metric.py", "--format", "json"))
    assert (report["passed"], report["metric"]) == (False, "metric.py")
    assert report["items"][5]["failures"][0]["reason"] == "no-side-info"
    (folder / "metric.py").write_text(GOOD.replace("1.0", "True"), encoding="utf-8")
    assert json.loads(passed("metric.py", "--format", "json"))["passed"] is True
    assert json.loads(failed("metric.py", "--format", "json", "--strict"))["passed"] is False
    refused("no.py", "--format", "json")


def test_what_was_pinned_is_said_beside_the_document(folder: Path) -> None:
    done = check("metric.py", "--format", "json", "--pin")
    assert json.loads(done.stdout)["passed"] is True
    assert done.stderr.endswith("cases.jsonl: new results pinned: 1 of 1\n")


def test_annotations_for_a_workflow(folder: Path) -> None:
    (folder / "metric.py").write_text(BAD, encoding="utf-8")
    lines = failed("metric.py", "--format", "github").splitlines()
    assert lines[0].startswith("::error file=cases.jsonl,line=1,title=Metric return value::case 1:")
    assert lines[1:] == ["The metric does not keep the contract: 1 item failed."]


# --- First steps ---------------------------------------------------------------------------------


def test_what_init_writes_passes_the_check_in_each_language(folder: Path) -> None:
    for language in ("en", "zh-Hans", "ru"):
        done = run("init", language, "--lang", language)
        assert (done.returncode, done.stderr) == (PASSED, "")
        assert f"`skynet-stub check {language}/metric.py`" in done.stdout.splitlines()[2]
        passed(f"{language}/metric.py", "--all", "--strict")
