"""What the command cannot do is refused, in one line of the language (B4, B5)."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import (
    CASE,
    GOOD,
    INTERRUPTED,
    PASSED,
    REFUSED,
    command,
    passed,
    refused,
    run,
    small_folder,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the command: a good metric with its cases."""
    return small_folder(tmp_path, monkeypatch)


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
    "a link to itself": (
        ["loop"],
        "skynet-stub: loop: the metric file cannot be reached (Too many levels of symbolic links); "
        "check its path and the permissions on the way to it",
    ),
    "cases that are a link to itself": (
        ["metric.py", "--cases", "loop"],
        "skynet-stub: loop: the case file cannot be read (Too many levels of symbolic links); ",
    ),
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
        "skynet-stub: twice.jsonl, line 1: the key `output` occurs twice in one object; ",
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
    "another form": (
        ["metric.py", "--format", "xml"],
        "skynet-stub: format xml: choose one of text, json, github",
    ),
    "a case that is not there": (
        ["metric.py", "--case", "2"],
        "skynet-stub: {folder}/cases.jsonl: there is no case 2; its cases are numbered from 1 to 1",
    ),
    "a case with a number beyond all": (
        ["metric.py", "--case", "9" * 4000],
        f"skynet-stub: {{folder}}/cases.jsonl: there is no case {'9' * 39}…; its cases are ",
    ),
    "a case that is not there, though all are asked for": (
        ["metric.py", "--all", "--case", "1", "--case", "0", "--cases", "cases.jsonl"],
        "skynet-stub: cases.jsonl: there is no case 0; its cases are numbered from 1 to 1",
    ),
    "a case that is no number": (
        ["metric.py", "--case", "1-3"],
        "skynet-stub: case 1-3: give the number of a case, as in 2, or several, as in 2,5",
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
    (folder / "loop").symlink_to("loop")
    for name, data in BAD_CASES.items():
        (folder / name).write_bytes(data)
    (folder / "bad.jsonl").write_text(CASE + "\n" + '{"input": {}}\n' + CASE, encoding="utf-8")
    arguments, line = REFUSALS[refusal]
    assert refused(*arguments).startswith(line.replace("{folder}", str(folder)))


@pytest.mark.parametrize(
    "timeout", ["0", "601", "nan", "ten", "-1", "inf", "-inf", "", "600.001", "1_0", "１０"]
)
def test_a_timeout_outside_0_to_600_is_refused_before_anything_runs(
    folder: Path, timeout: str
) -> None:
    (folder / "metric.py").write_text("open('it_ran', 'w')\n", encoding="utf-8")
    line = refused("metric.py", f"--timeout={timeout}")
    found = timeout or '""'
    assert line == (
        f"skynet-stub: timeout {found}: give a number of seconds above 0 and at most 600"
    )
    assert not (folder / "it_ran").exists()


@pytest.mark.parametrize(
    "memory", ["0", "-1", "nan", "inf", "", "much", "1e3", "512KB", "512MB", "2 G", "9" * 400]
)
def test_another_memory_is_refused_before_anything_runs(folder: Path, memory: str) -> None:
    (folder / "metric.py").write_text("open('it_ran', 'w')\n", encoding="utf-8")
    line = refused("metric.py", f"--memory={memory}")
    found = re.escape(memory or '""')
    assert re.fullmatch(
        rf"skynet-stub: memory {found}: give a number of MiB above 0, such as .*", line
    )
    assert not (folder / "it_ran").exists()


NO_ROOM = re.compile(
    r"skynet-stub: the process for the metric could not be started \(.+\); "
    r"allow more processes and open files \(`ulimit -u`, `ulimit -n`\)\n"
)
FEW_FORKS = """
import os, sys
from skynet_stub.command import be_the_command
fork, left = os.fork, int(sys.argv.pop(1))
def fork_while_there_is_room():
    global left
    if not left:
        raise BlockingIOError(11, "Resource temporarily unavailable")
    left -= 1
    return fork()
os.fork = fork_while_there_is_room
be_the_command()
"""


@pytest.mark.parametrize("option", [["--format", "json"], ["--pin"], ["--format", "github"]])
def test_in_a_folder_that_was_removed_a_metric_elsewhere_can_be_checked(
    folder: Path, option: list[str]
) -> None:
    removed = folder / "removed"
    removed.mkdir()
    done = subprocess.run(
        [
            "sh",
            "-c",
            'rmdir "$PWD" && exec "$@"',
            "-",
            *command("check"),
            *option,
            str(folder / "metric.py"),
        ],
        cwd=removed,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (PASSED, "")
    assert done.stdout


@pytest.mark.parametrize("files", [6, 8, 10, 12])
def test_where_too_few_files_may_be_open_it_says_so(folder: Path, files: int) -> None:
    done = subprocess.run(
        command("check", "metric.py"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (REFUSED, "")
    assert NO_ROOM.fullmatch(done.stderr)


@pytest.mark.parametrize("forks", ["0", "1"])
def test_where_too_few_processes_may_run_it_says_so(folder: Path, forks: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FEW_FORKS, forks, "check", "metric.py"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (REFUSED, "")
    assert NO_ROOM.fullmatch(done.stderr)


@pytest.mark.parametrize(
    "arguments",
    [["-m", "skynet_stub", "check", "metric.py"], ["-c", "{check}('metric.py').passed or 1 / 0"]],
    ids=["command", "Python"],
)
def test_a_caller_that_ignores_its_children_changes_nothing(
    folder: Path, arguments: list[str]
) -> None:
    check = "from skynet_stub import check_metric; check_metric"
    done = subprocess.run(
        [sys.executable, *(argument.replace("{check}", check) for argument in arguments)],
        preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (PASSED, "")


EARLY = """
import runpy, sys
class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "skynet_stub.command":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
runpy.run_module("skynet_stub", run_name="__main__")
"""


def test_ctrl_c_while_the_command_is_loaded_shows_nothing_of_python(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "")


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
        "en": "the option --timeout lacks its value; write --timeout SECONDS",
        "zh-Hans": "选项 --timeout 缺少取值；请写成 --timeout SECONDS",
        "ru": "у параметра --timeout нет значения; напишите --timeout SECONDS",
    },
    ("check", "metric.py", "--cases", "--all"): {
        "en": "the option --cases lacks its value; write --cases FILE",
        "zh-Hans": "选项 --cases 缺少取值；请写成 --cases FILE",
        "ru": "у параметра --cases нет значения; напишите --cases FILE",
    },
    ("init", "here", "there"): {
        "en": "there: a second folder; begin in one at a time",
        "zh-Hans": "there：给出了第二个文件夹；请每次只指定一个",
        "ru": "there: это вторая папка; указывайте по одной",
    },
    ("init", "--pin"): {
        "en": "`skynet-stub init` has no option --pin; `skynet-stub init --help` lists all",
        "zh-Hans": "选项 --pin 不适用于 `skynet-stub init`；"
        "`skynet-stub init --help` 会列出全部选项",
        "ru": "у `skynet-stub init` нет параметра --pin; "
        "все параметры покажет `skynet-stub init --help`",
    },
    ("init",): {
        "en": "metric.py: it is there already, so nothing was written; "
        "name another folder, as in `skynet-stub init my-metric`",
        "zh-Hans": "metric.py：文件已经存在，因此没有写入任何内容；"
        "请指定另一个文件夹，例如 `skynet-stub init my-metric`",
        "ru": "metric.py: такой файл уже есть, поэтому ничего не записано; "
        "укажите другую папку, например `skynet-stub init my-metric`",
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
    done = run(f"--lang={language}", *arguments)
    line = f"skynet-stub: {ARGUMENTS[arguments][language]}\n"
    assert (done.returncode, done.stdout, done.stderr) == (REFUSED, "", line)


def test_a_language_without_its_value_is_refused_in_one_line(folder: Path) -> None:
    assert refused("metric.py", "--lang") == (
        "skynet-stub: the option --lang lacks its value; write --lang LANGUAGE"
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
