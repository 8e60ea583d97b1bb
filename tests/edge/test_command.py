"""The command `skynet-stub`: its exit codes, its options, one line for a refusal (B4, B5)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

GOOD = 'def score(input, output, expected=None):\n    return 1.0, {"feedback": "Right."}\n'
BAD = "def score(input, output, expected=None):\n    return 0.8\n"
CASE = '{"input": {}, "output": 0}\n'
ROOT = Path(__file__).parents[2]

PASSED, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python as it is by default, with the package of this checkout."""
    for name in ("PYTHONUNBUFFERED", "PYTHONIOENCODING", "LANGUAGE", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("COLUMNS", "200")  # or the help is broken within words


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the command: a good metric with its cases."""
    (tmp_path / "metric.py").write_text(GOOD, encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text(CASE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "skynet_stub", *arguments]


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command("check", *arguments), capture_output=True, encoding="utf-8", check=False
    )


def passed(*arguments: str) -> str:
    """The report of a check that passes."""
    done = check(*arguments)
    assert (done.returncode, done.stderr) == (PASSED, ""), done
    return done.stdout


def failed(*arguments: str) -> str:
    """The report of a check that fails."""
    done = check(*arguments)
    assert (done.returncode, done.stderr) == (FAILED, ""), done
    return done.stdout


def refused(*arguments: str) -> str:
    """The one line on standard error with which a check is refused."""
    done = check(*arguments)
    assert (done.returncode, done.stdout) == (REFUSED, ""), done
    (line,) = done.stderr.splitlines()
    return line


# --- Exit codes and reports ----------------------------------------------------------------------


def test_a_metric_that_keeps_the_contract_gives_0_and_a_report(folder: Path) -> None:
    report = passed("metric.py")
    assert report.startswith("metric.py: 1 case checked\n")
    assert report.endswith("\nThe metric keeps the contract.\n")


def test_a_metric_that_does_not_gives_1_and_a_report(folder: Path) -> None:
    (folder / "metric.py").write_text(BAD, encoding="utf-8")
    report = failed("metric.py")
    assert "  ✗ Metric return value: failed\n      case 1: No side info\n" in report
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
    assert "It was not done after 0.3 s." in failed("metric.py", "--timeout", "0.3")


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


# --- What is refused -----------------------------------------------------------------------------

BAD_CASES = {
    "latin.jsonl": b'{"input": {}, "output": "\xe9"}',
    "cut.jsonl": b'{"input": {}, "outp',
    "twice.jsonl": b'{"input": {}, "output": 0, "output": 1}',
    "unknown.jsonl": b'{"input": {}, "output": 0, "label": 1}',
    "mistyped.jsonl": b'{"input": {}, "output": 0, "expcted": 1}',
    "text.jsonl": b'{"input": "x", "output": 0}',
}

REFUSALS: dict[str, tuple[list[str], str]] = {
    "no such metric": (
        ["missing.py"],
        "skynet-stub: missing.py: there is no such file; give the path of a metric file",
    ),
    "a name that is too long": (["x" * 300 + ".py"], f"skynet-stub: {'x' * 300}.py: there is no"),
    "a folder": (["."], "skynet-stub: .: this is a folder; give the path of the metric file in it"),
    "one file for both": (
        ["metric.py", "--cases", "metric.py"],
        "skynet-stub: metric.py: given both as the metric and as its cases; give two files",
    ),
    "an empty name": ([""], 'skynet-stub: "": there is no such file; '),
    "a pipe": (["pipe"], "skynet-stub: pipe: this is a pipe or a device; give the path of a"),
    "a device": (["/dev/zero"], "skynet-stub: /dev/zero: this is a pipe or a device; "),
    "no such cases": (
        ["metric.py", "--cases", "missing.jsonl"],
        "skynet-stub: missing.jsonl: there is no such case file; put the cases there, or name ",
    ),
    "an empty name of cases": (
        ["metric.py", "--cases="],
        'skynet-stub: "": there is no such case file; ',
    ),
    "a folder of cases": (
        ["metric.py", "--cases", "."],
        "skynet-stub: .: this is a folder; name the case file in it",
    ),
    "a pipe of cases": (
        ["metric.py", "--cases", "pipe"],
        "skynet-stub: pipe: this is a pipe or a device; name a case file",
    ),
    "a device of cases": (
        ["metric.py", "--cases", "/dev/zero"],
        "skynet-stub: /dev/zero: this is a pipe or a device; name a case file",
    ),
    "no case in the file": (
        ["metric.py", "--cases", "empty.jsonl"],
        "skynet-stub: empty.jsonl: there is no case in it; write at least one, ",
    ),
    "a bad line": (
        ["metric.py", "--cases", "bad.jsonl"],
        "skynet-stub: bad.jsonl, line 3: the key `output` is missing; add it",
    ),
    "cases that are not UTF-8": (
        ["metric.py", "--cases", "latin.jsonl"],
        "skynet-stub: latin.jsonl, line 1: byte 0xe9 at position 26 is not UTF-8; ",
    ),
    "a line that is cut off": (
        ["metric.py", "--cases", "cut.jsonl"],
        "skynet-stub: cut.jsonl, line 1, column 15: not JSON (Unterminated string starting at); ",
    ),
    "a repeated key": (
        ["metric.py", "--cases", "twice.jsonl"],
        "skynet-stub: twice.jsonl, line 1: the key `output` stands twice in one object; ",
    ),
    "an unknown key": (
        ["metric.py", "--cases", "unknown.jsonl"],
        "skynet-stub: unknown.jsonl, line 1: unknown key `label`; known here: input, output, ",
    ),
    "a mistyped key": (
        ["metric.py", "--cases", "mistyped.jsonl"],
        "skynet-stub: mistyped.jsonl, line 1: unknown key `expcted`; did you mean `expected`?",
    ),
    "an input that is no object": (
        ["metric.py", "--cases", "text.jsonl"],
        'skynet-stub: text.jsonl, line 1: `input` must be a JSON object, found "x"',
    ),
    "a name that would steer the terminal": (
        ["\x1b[2J\u202e.py"],
        "skynet-stub: \\x1b[2J\\u202e.py: there is no such file; ",
    ),
    "another language": (
        ["metric.py", "--lang", "de"],
        "skynet-stub: language de: choose one of en, zh-Hans, ru",
    ),
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_what_cannot_be_checked_is_refused_in_one_line(folder: Path, refusal: str) -> None:
    (folder / "empty.jsonl").write_text("\n", encoding="utf-8")
    os.mkfifo(folder / "pipe")
    for name, data in BAD_CASES.items():
        (folder / name).write_bytes(data)
    (folder / "bad.jsonl").write_text(CASE + "\n" + '{"input": {}}\n' + CASE, encoding="utf-8")
    arguments, line = REFUSALS[refusal]
    assert refused(*arguments).startswith(line)


@pytest.mark.parametrize("timeout", ["0", "601", "nan", "ten", "-1", "inf", "-inf", "", "600.001"])
def test_a_timeout_outside_0_to_600_is_refused_before_anything_runs(
    folder: Path, timeout: str
) -> None:
    (folder / "metric.py").write_text("open('it_ran', 'w')\n", encoding="utf-8")
    line = refused("metric.py", f"--timeout={timeout}")
    assert re.fullmatch(
        r"skynet-stub: timeout .*: give a number of seconds above 0 and at most 600", line
    )
    assert not (folder / "it_ran").exists()


@pytest.mark.parametrize(
    "memory", ["0", "-1", "nan", "inf", "", "much", "1e3", "512KB", "512MB", "2 G", "9" * 400]
)
def test_another_memory_is_refused_before_anything_runs(folder: Path, memory: str) -> None:
    (folder / "metric.py").write_text("open('it_ran', 'w')\n", encoding="utf-8")
    line = refused("metric.py", f"--memory={memory}")
    assert re.fullmatch(r"skynet-stub: memory .*: give a number of MiB above 0, such as .*", line)
    assert not (folder / "it_ran").exists()


ARGUMENTS: dict[tuple[str, ...], dict[str, str]] = {
    (): {
        "en": "no command was given; write `skynet-stub check metric.py`",
        "zh-Hans": "没有给出命令；请写 `skynet-stub check metric.py`",
        "ru": "команда не указана; напишите `skynet-stub check metric.py`",
    },
    ("chek", "metric.py"): {
        "en": "unknown command chek; write `skynet-stub check metric.py`",
        "zh-Hans": "未知的命令 chek；请写 `skynet-stub check metric.py`",
        "ru": "неизвестная команда chek; напишите `skynet-stub check metric.py`",
    },
    ("check",): {
        "en": "no metric file was given; write `skynet-stub check metric.py`",
        "zh-Hans": "没有给出指标文件；请写 `skynet-stub check metric.py`",
        "ru": "файл метрики не указан; напишите `skynet-stub check metric.py`",
    },
    ("check", "metric.py", "another.py"): {
        "en": "another.py: a second metric file; check one at a time",
        "zh-Hans": "another.py：给出了第二个指标文件；请每次只检查一个",
        "ru": "another.py: это второй файл метрики; проверяйте по одному",
    },
    ("check", "metric.py", "--caes", "cases.jsonl"): {
        "en": "unknown option --caes; did you mean --cases?",
        "zh-Hans": "未知的选项 --caes；是否想写 --cases？",
        "ru": "неизвестный параметр --caes; возможно, имелся в виду --cases?",
    },
    ("check", "metric.py", "--verbose"): {
        "en": "unknown option --verbose; `skynet-stub check --help` lists all",
        "zh-Hans": "未知的选项 --verbose；`skynet-stub check --help` 会列出全部选项",
        "ru": "неизвестный параметр --verbose; все параметры покажет `skynet-stub check --help`",
    },
    ("check", "metric.py", "--timeout"): {
        "en": "the option --timeout stands without its value; write --timeout SECONDS",
        "zh-Hans": "选项 --timeout 缺少取值；请写成 --timeout SECONDS",
        "ru": "у параметра --timeout нет значения; напишите --timeout SECONDS",
    },
    ("check", "metric.py", "--cases", "--all"): {
        "en": "the option --cases stands without its value; write --cases FILE",
        "zh-Hans": "选项 --cases 缺少取值；请写成 --cases FILE",
        "ru": "у параметра --cases нет значения; напишите --cases FILE",
    },
    ("check", "metric.py", "--all=yes"): {
        "en": "the option --all takes no value; write it alone",
        "zh-Hans": "选项 --all 不带取值；请单独写出",
        "ru": "параметр --all не принимает значения; укажите его без значения",
    },
}


@pytest.mark.parametrize("language", ["en", "zh-Hans", "ru"])
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=" ".join)
def test_arguments_that_it_does_not_know_are_refused_in_one_line_of_the_language(
    folder: Path, arguments: tuple[str, ...], language: str
) -> None:
    done = subprocess.run(
        command(f"--lang={language}", *arguments),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    line = f"skynet-stub: {ARGUMENTS[arguments][language]}\n"
    assert (done.returncode, done.stdout, done.stderr) == (REFUSED, "", line)


def test_a_language_without_its_value_is_refused_in_one_line(folder: Path) -> None:
    assert refused("metric.py", "--lang") == (
        "skynet-stub: the option --lang stands without its value; write --lang LANGUAGE"
    )


def test_what_stands_behind_two_dashes_is_no_option(folder: Path) -> None:
    (folder / "--all").write_text(GOOD, encoding="utf-8")
    assert passed("--", "--all").startswith("--all: 1 case checked")


def test_the_last_of_repeated_options_holds(folder: Path) -> None:
    assert "1 case checked" in passed("metric.py", "--timeout", "ten", "--timeout", "10")


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("zh-Hans", "skynet-stub: missing.py："),
        ("ru", "skynet-stub: missing.py: такого файла нет"),
    ],
)
def test_a_refusal_is_in_the_language_that_was_asked_for(
    folder: Path, language: str, line: str
) -> None:
    assert refused("missing.py", "--lang", language).startswith(line)


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
        "--timeout SECONDS",
        "--metric-model NAME",
        "--reflection-model NAME",
        "--strict",
        "--lang LANGUAGE",
        "--help",
    ):
        assert f"\n  {option}\n      " in done.stdout
    words = " ".join(done.stdout.split())
    assert text in words
    assert "600" in words
    assert "stub-reflection-model" in words
    assert all(check(one, "--lang", language).stdout == done.stdout for one in ("-h", "--help"))


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


# --- Terminals and pipes -------------------------------------------------------------------------


def test_a_reader_that_has_read_enough_is_no_error(folder: Path) -> None:
    for source, code in ((GOOD, PASSED), (BAD, FAILED)):
        (folder / "metric.py").write_text(
            source.replace("    return", "    print('x' * 1_000_000)\n    return"), encoding="utf-8"
        )
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            command("check", "metric.py"),
            stdout=writer,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
        os.close(writer)
        assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "skynet-stub: the report cannot be written (No space left on device); "),
        ("ru", "skynet-stub: отчёт не удаётся записать (No space left on device); "),
    ],
)
@pytest.mark.parametrize("argument", ["metric.py", "--help"])
def test_a_report_that_cannot_be_written_is_told_in_one_line(
    folder: Path, argument: str, language: str, line: str
) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("check", argument, "--lang", language),
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == REFUSED
    assert done.stderr.startswith(line)
    assert len(done.stderr.splitlines()) == 1


def test_a_closed_standard_output_is_told_before_anything_runs(folder: Path) -> None:
    (folder / "metric.py").write_text("open('it_ran', 'w')\n", encoding="utf-8")
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *command("check", "metric.py")],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == REFUSED
    assert done.stderr.startswith("skynet-stub: the report cannot be written: standard output is ")
    assert not (folder / "it_ran").exists()


def test_a_refusal_that_cannot_be_written_is_still_told_by_the_exit_code(folder: Path) -> None:
    for closing in ("2>&-", "2>/dev/full", ">&- 2>&-"):
        script = f'exec "$@" {closing}'
        done = subprocess.run(["sh", "-c", script, "sh", *command("check", "no.py")], check=False)
        assert done.returncode == REFUSED


def test_what_a_metric_prints_or_returns_does_not_steer_the_terminal(folder: Path) -> None:
    codes = r"\x1b[2J\x1b]0;title\x07\r\x9b31m\u202e\u2028\tend"
    source = f"""
def score(input, output):
    print("{codes}\\r\\nnext")
    return 1.0, "{codes}"
"""
    (folder / "metric.py").write_text(source, encoding="utf-8")
    report = failed("metric.py")
    shown = r"\x1b[2J\x1b]0;title\x07\r\x9b31m\u202e\u2028"
    assert f"\n    {shown}" in report
    assert "\tend\n    next\n" in report
    assert all(one.isprintable() or one in "\t\n" for one in report)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1251"])
def test_a_report_is_written_also_where_its_letters_cannot_be_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    for language in ("en", "zh-Hans", "ru"):
        done = subprocess.run(
            command("check", "metric.py", "--lang", language), capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (PASSED, b"")
        assert b"\\u2713" in done.stdout  # the check mark


def test_a_refusal_is_written_also_where_its_letters_cannot_be_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    line = refused("missing.py", "--lang", "ru")
    assert line.startswith("skynet-stub: missing.py: \\u0442")


def test_a_feedback_with_half_a_character_can_be_shown(folder: Path) -> None:
    (folder / "metric.py").write_text(
        GOOD.replace('"Right."', r'"\ud800"').replace("return", "print('né'); return"),
        encoding="utf-8",
    )
    (folder / "cases.jsonl").write_text(
        '{"input": {}, "output": 0, "result": {"score": 1, "feedback": "no"}}', encoding="utf-8"
    )
    report = failed("metric.py")
    assert "\\ud800" in report
    assert "    né\n" in report


def test_a_check_that_the_user_stops_ends_at_once_and_ends_the_metric(folder: Path) -> None:
    (folder / "metric.py").write_text(
        """
import os, time
def score(input, output):
    started = os.open("started", os.O_WRONLY)
    os.write(started, b"started")
    try:
        time.sleep(600)
    except BaseException:
        time.sleep(600)
""",
        encoding="utf-8",
    )
    os.mkfifo("started")
    with subprocess.Popen(
        command("check", "metric.py"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        with Path("started").open("rb") as started:  # opens once the metric is running
            assert started.read(7) == b"started"
            process.send_signal(signal.SIGINT)
            assert started.read() == b""  # ends once the metric has ended
        output, errors = process.communicate()
    assert (process.returncode, output, errors) == (INTERRUPTED, "", "")
