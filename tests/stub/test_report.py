"""The report: each item by its name, each failure with its place and remedy, the verdict (B7)."""

from __future__ import annotations

import platform
import re
from pathlib import Path

import pytest

from skynet_stub.check import Report
from skynet_stub.messages import catalog
from skynet_stub.outcomes import Loading, Printed
from skynet_stub.reasons import Fault, Hint
from skynet_stub.report import reason_text, remedy_texts, report_lines
from small_metrics import GOOD, case, cases_with, check, pinned, returning

NAMES = {
    "en": (
        "Metric file",
        "Metric function",
        "Reward spec",
        "Metric run",
        "Metric timeout",
        "Metric return value",
        "Pinned result",
    ),
    "zh-Hans": (
        "指标文件",
        "指标函数",
        "奖励规格",
        "指标执行",
        "指标超时",
        "指标返回值",
        "固定结果",
    ),
    "ru": (
        "Файл метрики",
        "Функция метрики",
        "Спецификация награды",
        "Выполнение метрики",
        "Тайм-аут метрики",
        "Возвращаемое значение метрики",
        "Закреплённый результат",
    ),
}
"""The names of the items in the contract's order, as its table gives them (B7)."""


def text_of(report: Report, language: str = "en") -> str:
    """The report, as if no call had taken any time."""
    cases = tuple(called.replace(ms=0.1) for called in report.cases)
    return "\n".join(report_lines(report.replace(cases=cases), language))


def test_a_metric_that_keeps_the_contract_has_a_short_report(tmp_path: Path) -> None:
    report = check(tmp_path, GOOD, [case(result=pinned(1.0))])
    assert (
        text_of(report)
        == """\
metric.py: 1 case checked

  ✓ Metric file          passed
  ✓ Metric function      passed
  ✓ Reward spec          passed
  ✓ Metric run           passed
  ✓ Metric timeout       passed
  ✓ Metric return value  passed
  ✓ Pinned result        passed

  Case  ms  Score  Feedback
     1   0      1  Right.

The metric keeps the contract."""
    )


def test_a_failure_is_told_with_its_case_its_place_and_what_to_do(tmp_path: Path) -> None:
    source = """
def score(input, output):
    if output == 2:
        raise ValueError("no label")
    return output, {"feedback": "Right.", "scores": {"format": "0.5"}}
"""
    report = check(tmp_path, source, cases_with([1, 2, "0.8"]))
    assert (
        text_of(report)
        == """\
metric.py: 3 cases checked

  ✓ Metric file          passed
  ✓ Metric function      passed
  ✓ Reward spec          passed
  ✗ Metric run           failed
      case 2, line 4: The call raised an exception
        Return a score and feedback for this case too. Raised: ValueError: no label
        metric.py, line 4: raise ValueError("no label")
  ✓ Metric timeout       passed
  ✗ Metric return value  failed
      case 1, [1]["scores"]["format"]: A named score is not a number
        Give every named score as an `int` or a `float`. Found '0.5', of type str.
        Here `float(...)` makes it a number.
      case 3, [0]: The score is a string
        Return the score as a number, without quotes. Found '0.8', of type str.
        Here `float(...)` makes it a number.
      case 3, [1]["scores"]["format"]: A named score is not a number
        Give every named score as an `int` or a `float`. Found '0.5', of type str.
        Here `float(...)` makes it a number.
  – Pinned result        not checked: nothing to compare

The metric does not keep the contract: 2 items failed."""
    )


def test_a_place_of_many_letters_is_cut(tmp_path: Path) -> None:
    value = "1.0, {'feedback': '', 'scores': {'x' * 3000: None}}"
    spec = "REWARD_SPEC = {'y' * 3000: 0}"
    lines = [
        *report_lines(check(tmp_path, returning(value)), "en"),
        *report_lines(check(tmp_path, returning(value, spec)), "en"),
    ]
    assert any("xxx" in line for line in lines)
    assert any("yyy" in line for line in lines)
    assert max(map(len, lines)) < 600


def test_items_behind_a_failed_one_are_not_checked(tmp_path: Path) -> None:
    report = check(tmp_path, "def score(): ...")
    assert (
        text_of(report)
        == """\
metric.py: 0 cases checked

  ✓ Metric file          passed
  ✗ Metric function      failed
      `score` does not take the arguments of a metric
        Its signature is `score()`. Make it `score(input, output, expected=None)`.
  – Reward spec          not checked
  – Metric run           not checked
  – Metric timeout       not checked
  – Metric return value  not checked
  – Pinned result        not checked

The metric does not keep the contract: 1 item failed."""
    )


def test_a_fault_of_the_file_is_told_with_its_line(tmp_path: Path) -> None:
    lines = text_of(check(tmp_path, "import os\n1 +\n")).splitlines()
    assert lines[2:6] == [
        "  ✗ Metric file          failed",
        "      line 2: The file is not valid Python",
        f"        Correct the file. Python {platform.python_version()} says: invalid syntax",
        "        metric.py, line 2: 1 +",
    ]


def test_each_problem_of_a_reward_spec_has_a_line(tmp_path: Path) -> None:
    spec = "{'weights': {'accuracy': 0, 'speed': 0, 'cost': 0}, 'accuracy': {}, 'speed': {}}"
    lines = text_of(check(tmp_path, f"REWARD_SPEC = {spec}\n{GOOD}")).splitlines()
    start = lines.index("  ✗ Reward spec          failed")
    assert lines[start + 1] == "      `REWARD_SPEC` is not valid"
    assert lines[start + 3 : start + 6] == [
        "        The key `cost` is missing.",
        "        The key `speed.reference` is missing.",
        "        `weights` must not all be 0, found {'accuracy': 0, 'cost': 0, 'speed': 0}.",
    ]


def test_what_was_printed_is_shown_by_case(tmp_path: Path) -> None:
    source = """
print("loading")
def score(input, output):
    if output != "quiet":
        print("one\\ntwo")
    return 1.0, {"feedback": "Right."}
"""
    report = check(tmp_path, source, cases_with(["a", "quiet", "b"]))
    assert """\

The metric printed:
    loading
  case 1
    one
    two
  case 3
    one
    two

The metric keeps the contract.""" in text_of(report)


def test_a_metric_that_printed_nothing_has_no_such_section(tmp_path: Path) -> None:
    assert "printed" not in text_of(check(tmp_path, GOOD))


def test_advice_is_shown_before_the_verdict(tmp_path: Path) -> None:
    source = returning("True, {'feedback': ''}")
    report = check(tmp_path, source, [case(1, llm=("a", "b")), case(2, llm=("a",))], name="my.py")
    assert (
        text_of(report).partition("\nAdvice:\n")[2]
        == """\
  The file is named my.py: Skynet asks for `metric.py`.
  case 1: The score is a bool, which counts as 1.0 or 0.0: `float(...)` says so plainly.
  case 1: The feedback is blank: the optimizer learns nothing from it.
  case 1: 2 scripted replies were not used: the metric made fewer `llm()` calls.
  case 2: The score is a bool, which counts as 1.0 or 0.0: `float(...)` says so plainly.
  case 2: The feedback is blank: the optimizer learns nothing from it.
  case 2: 1 scripted reply was not used: the metric made fewer `llm()` calls.

The metric keeps the contract."""
    )


def test_a_report_without_advice_has_no_such_section(tmp_path: Path) -> None:
    assert "Advice" not in text_of(check(tmp_path, GOOD))


@pytest.mark.parametrize("language", NAMES)
def test_the_items_have_the_names_of_the_contract(tmp_path: Path, language: str) -> None:
    report = check(tmp_path, GOOD, [case(result=pinned(1.0))])
    lines = text_of(report, language).splitlines()[2:9]
    for line, name in zip(lines, NAMES[language], strict=True):
        assert line.startswith(f"  ✓ {name}")


@pytest.mark.parametrize(
    ("language", "opening", "closing"),
    [
        (
            "en",
            "metric.py: 5 cases checked",
            "The metric does not keep the contract: 1 item failed.",
        ),
        ("zh-Hans", "metric.py：检查了 5 个用例", "指标不符合契约：1 项未通过。"),
        (
            "ru",
            "metric.py: проверено 5 примеров",
            "Метрика не соблюдает контракт: не пройден 1 пункт.",
        ),
    ],
)
def test_a_report_is_in_the_language_that_was_asked_for(
    tmp_path: Path, language: str, opening: str, closing: str
) -> None:
    report = check(tmp_path, returning("0.8"), cases_with(range(5)))
    lines = text_of(report, language).splitlines()
    assert (lines[0], lines[-1]) == (opening, closing)


def test_a_reason_and_its_remedy_are_the_catalog_s_with_each_hint_on_a_line_of_its_own() -> None:
    fault = Fault(
        "score-is-a-string",
        "[0]",
        {"found": "'0.8'", "type": "str"},
        (Hint("hint.convert", {"conversion": "float(...)"}),),
    )
    assert reason_text(fault, catalog("en")) == "The score is a string"
    assert list(remedy_texts(fault, catalog("en"))) == [
        "Return the score as a number, without quotes. Found '0.8', of type str.",
        "Here `float(...)` makes it a number.",
    ]
    assert reason_text(fault, catalog("ru")) == "Оценка\N{NO-BREAK SPACE}— строка"


# --- The cases as a table ------------------------------------------------------------------------


def table_of(report: Report, language: str = "en") -> list[str]:
    """The lines of the table of cases."""
    lines = text_of(report, language).splitlines()
    start = next(at for at, line in enumerate(lines) if "  ms  " in line or "  毫秒  " in line)
    return lines[start : lines.index("", start)]


def test_each_case_has_a_row_and_one_that_returned_nothing_valid_a_dash(tmp_path: Path) -> None:
    source = """
def score(input, output):
    if output == "none":
        return None
    return output, {"feedback": f"Got {output}.", "scores": {"format": 1, "a": 1 / 3}}
"""
    report = check(tmp_path, source, cases_with([0.25, "none", 1e9]))
    assert table_of(report) == [
        "  Case  ms  Score  Named scores          Feedback",
        "     1   0   0.25  format 1, a 0.333333  Got 0.25.",
        "     2   0      –",
        "     3   0  1e+09  format 1, a 0.333333  Got 1000000000.0.",
    ]


def test_chinese_feedback_is_as_wide_as_two_letters_a_character(tmp_path: Path) -> None:
    source = returning("1, {'feedback': '正确', 'scores': {output: 1}}")
    report = check(tmp_path, source, cases_with(["格式", "abcd", "é"]))
    assert table_of(report, "zh-Hans") == [
        "  用例  毫秒  分数  命名分数  反馈",
        "     1     0     1  格式 1    正确",
        "     2     0     1  abcd 1    正确",
        "     3     0     1  é 1       正确",
    ]


def test_a_long_feedback_is_one_line_that_is_cut_and_steers_no_terminal(tmp_path: Path) -> None:
    source = returning("1, {'feedback': output}")
    report = check(tmp_path, source, cases_with(["a\n  b\x1b[2J", "ж" * 100, "好" * 100]))
    assert [row.split(maxsplit=3)[3] for row in table_of(report)[1:]] == [
        "a b\\x1b[2J",
        "ж" * 59 + "…",
        "好" * 29 + "…",
    ]


def test_of_many_cases_the_first_twenty_have_a_row(tmp_path: Path) -> None:
    rows = table_of(check(tmp_path, GOOD, cases_with(range(25))))
    assert rows[20].startswith("    20 ")
    assert rows[21:] == ["  … and 5 more cases"]


def test_where_no_call_returned_there_is_no_table(tmp_path: Path) -> None:
    assert "Score " not in text_of(check(tmp_path, returning("None")))


# --- Colour --------------------------------------------------------------------------------------


def test_only_marks_and_the_verdict_are_in_colour_and_only_where_asked(tmp_path: Path) -> None:
    report = check(tmp_path, returning("0.8", before="print('  ✓ \x1b[32mfake')"))
    plain = list(report_lines(report, "en"))
    coloured = list(report_lines(report, "en", colour=True))
    assert "\x1b" not in "".join(plain)
    assert [re.sub("\x1b\\[\\d*m", "", line) for line in coloured] == plain
    assert coloured[2] == "  \x1b[32m✓\x1b[0m Metric file          passed"
    assert "  \x1b[31m✗\x1b[0m Metric return value  failed" in coloured
    assert "  \x1b[2m–\x1b[0m Pinned result        not checked: nothing to compare" in coloured
    assert coloured[-1] == (
        "\x1b[1m\x1b[31mThe metric does not keep the contract: 1 item failed.\x1b[0m"
    )
    assert sum("\x1b" in line for line in coloured) == 8


# --- Much of it ----------------------------------------------------------------------------------

MORE = {
    "en": ("… and 80 more failures", "… and 1000 more failures"),
    "zh-Hans": ("……另有 80 处未通过", "……另有 1000 处未通过"),
    "ru": ("… и ещё 80 ошибок", "… и ещё 1000 ошибок"),
}


@pytest.mark.parametrize("language", MORE)
def test_of_many_failures_of_an_item_the_first_twenty_are_told(
    tmp_path: Path, language: str
) -> None:
    of_cases, of_one = MORE[language]
    report = check(tmp_path, returning("None"), cases_with(range(100)))
    lines = text_of(report, language).splitlines()
    assert len(lines) < 60
    assert f"      {of_cases}" in lines
    source = returning("1, {'feedback': '', 'scores': dict.fromkeys(map(str, range(1020)))}")
    lines = text_of(check(tmp_path, source), language).splitlines()
    assert len(lines) < 70
    assert f"      {of_one}" in lines


def test_of_twenty_failures_none_is_left_out(tmp_path: Path) -> None:
    report = check(tmp_path, returning("None"), cases_with(range(20)))
    assert "more failure" not in text_of(report)
    assert "case 20: " in text_of(report)


def test_of_much_advice_the_first_twenty_pieces_are_told(tmp_path: Path) -> None:
    report = check(tmp_path, returning("True, {'feedback': 'x'}"), cases_with(range(21)))
    assert "  … and 1 more piece of advice" in text_of(report).splitlines()
    report = check(tmp_path, returning("True, {'feedback': 'x'}"), cases_with(range(20)))
    assert "more piece" not in text_of(report)


def test_of_many_remarks_on_one_failure_the_first_twenty_are_told(tmp_path: Path) -> None:
    report = check(tmp_path, f"REWARD_SPEC = dict.fromkeys(range(1000))\n{GOOD}")
    assert "… and 984 more remarks" in text_of(report)


# --- Advice that counts --------------------------------------------------------------------------


def test_where_advice_counts_the_report_says_so(tmp_path: Path) -> None:
    report = check(tmp_path, returning("True, {'feedback': 'x'}"))
    lines = list(report_lines(report, "en", strict=True))
    assert "Advice, which counts under `--strict`:" in lines
    assert lines[-1] == (
        "The metric keeps the contract, but there is advice, which counts under `--strict`."
    )


def test_where_an_item_failed_that_is_the_verdict(tmp_path: Path) -> None:
    report = check(tmp_path, "score = None\n", name="other.py")
    lines = list(report_lines(report, "en", strict=True))
    assert lines[-1] == "The metric does not keep the contract: 1 item failed."


# --- What was left out ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "[… 9868929 bytes left out …]"),
        ("zh-Hans", "[……省略了 9868929 字节……]"),
        ("ru", "[… пропущено 9868929 байт …]"),
    ],
)
def test_what_was_printed_and_left_out_is_told_in_the_language(language: str, text: str) -> None:
    printed = Printed("head", 9868929, "tail\n")
    report = Report(Path("metric.py"), (), Loading(printed=printed), (), ())
    lines = list(report_lines(report, language))
    start = lines.index("    head")
    assert lines[start : start + 4] == ["    head", f"    {text}", "    tail", ""]
