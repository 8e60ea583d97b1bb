"""The tables of the built guide are proved again, cell by cell, in each language."""

from __future__ import annotations

import ast
import json
import re
import tomllib

import pytest
from bs4 import Tag

from built import LANGUAGES, BuiltSite, header, lines, tables
from docs_build.project import this_project
from skynet_stub.cases import Pin, load_cases
from skynet_stub.items import CHECK_ITEMS
from skynet_stub.limits import (
    CONTRACT_CHECK_CASES,
    METRIC_TIMEOUT_MAX_SECONDS,
    METRIC_TIMEOUT_SECONDS,
)
from skynet_stub.messages import LANGUAGES as CATALOG_LANGUAGES
from skynet_stub.messages import catalog
from skynet_stub.return_value import check_return_value

pytest_plugins = ["site_fixtures"]
SNIPPETS = this_project().snippets

VERDICTS = {"en": ("Yes", "No"), "zh-Hans": ("是", "否"), "ru": ("Да", "Нет")}
VALIDITY = {
    "en": ["Return value", "Valid", "Why not"],
    "zh-Hans": ["返回值", "有效", "无效的原因"],
    "ru": ["Возвращаемое значение", "Корректно", "Почему нет"],
}
PAIRS = {
    "en": ["Weak feedback", "Useful feedback"],
    "zh-Hans": ["薄弱的反馈", "有用的反馈"],
    "ru": ["Слабая обратная связь", "Полезная обратная связь"],
}
LIMITS = {
    "en": ["Limit", "Value"],
    "zh-Hans": ["限制", "值"],
    "ru": ["Лимит", "Значение"],
}


ITEMS = {
    "en": (
        ["Item", "Fails when"],
        [
            "Metric file",
            "Metric function",
            "Reward spec",
            "Metric run",
            "Metric timeout",
            "Metric return value",
            "Pinned result",
        ],
    ),
    "zh-Hans": (
        ["检查项", "未通过的情形"],
        ["指标文件", "指标函数", "奖励规格", "指标执行", "指标超时", "指标返回值", "固定结果"],
    ),
    "ru": (
        ["Пункт", "Когда не пройден"],
        [
            "Файл метрики",
            "Функция метрики",
            "Спецификация награды",
            "Выполнение метрики",
            "Тайм-аут метрики",
            "Возвращаемое значение метрики",
            "Закреплённый результат",
        ],
    ),
}


def the_table(site: BuiltSite, language: str, words: list[str]) -> list[list[Tag]]:
    """The rows, without the header, of the only table of the guide with these column names."""
    (found,) = (table for table in tables(site.page(language).article) if header(table) == words)
    return found[1:]


def test_the_tests_know_all_languages() -> None:
    assert LANGUAGES == CATALOG_LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_row_of_the_validity_table_says_what_the_stub_says(
    site: BuiltSite, language: str
) -> None:
    rows = the_table(site, language, VALIDITY[language])
    assert len(rows) == 7
    for value, verdict, reason in rows:
        (source,) = lines(value)
        judged = check_return_value(ast.literal_eval(source))
        assert verdict.get_text() == VERDICTS[language][0 if judged.valid else 1], source
        mark = "verdict--valid" if judged.valid else "verdict--invalid"
        assert [span["class"] for span in verdict.find_all("span")] == [["verdict", mark]]
        if judged.valid:
            assert reason.get_text() == ""
        else:
            first = judged.faults[0].reason
            assert reason.get_text() == catalog(language).text(f"reason.{first}"), source


def test_the_validity_table_has_all_its_rows_in_order(site: BuiltSite) -> None:
    data = tomllib.loads((SNIPPETS / "return_values.toml").read_text("utf-8"))
    for language in LANGUAGES:
        rows = the_table(site, language, VALIDITY[language])
        assert [lines(row[0]) for row in rows] == [[row["value"]] for row in data["row"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_limits_are_those_of_the_stub(site: BuiltSite, language: str) -> None:
    rows = the_table(site, language, LIMITS[language])
    numbers = [int(re.findall(r"\d+", value.get_text())[0]) for _, value in rows]
    assert numbers == [METRIC_TIMEOUT_SECONDS, METRIC_TIMEOUT_MAX_SECONDS, CONTRACT_CHECK_CASES]
    assert numbers == [60, 600, 3]  # A7


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_prose_repeats_a_limit(site: BuiltSite, language: str) -> None:
    for (of_language, _), page in site.pages.items():
        if of_language != language:
            continue
        apart = {
            id(text)
            for tag in page.article.find_all(["table", "pre", "code"])
            for text in tag.find_all(string=True)
        }
        prose = " ".join(
            text for text in page.article.find_all(string=True) if id(text) not in apart
        )
        assert not re.findall(r"(?<![\d.])(?:60|600)(?![\d.]\d)\b", prose)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pairs_of_feedback_are_those_of_the_data(site: BuiltSite, language: str) -> None:
    data = tomllib.loads((SNIPPETS / "feedback.toml").read_text("utf-8"))
    rows = the_table(site, language, PAIRS[language])
    assert [[cell.get_text() for cell in row] for row in rows] == [
        [pair["weak"][language], pair["useful"][language]] for pair in data["pair"]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_items_of_the_check_are_named_in_order(site: BuiltSite, language: str) -> None:
    words, names = ITEMS[language]
    rows = the_table(site, language, words)
    assert [name.get_text() for name, _ in rows] == names  # B7
    fails = [catalog(language).text(f"item.{item}.fails") for item in CHECK_ITEMS]
    assert [where.get_text() for _, where in rows] == [text.replace("`", "") for text in fails]


def shown_pin(row: list[Tag]) -> Pin:
    """The pinned result that a row of results shows."""
    _, _, score, feedback, *named = row
    text = "\n".join(lines(feedback))
    scores = dict(line.rsplit(": ", 1) for line in lines(named[0])) if named else {}
    return Pin(
        score=float(score.get_text()),
        feedback=json.loads(text) if text.startswith('"') else text,
        scores={name: float(value) for name, value in scores.items()} if scores else None,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_results_of_each_example_are_the_pinned_ones(site: BuiltSite, language: str) -> None:
    sets = site.page(language).article.select(".tabbed-set")
    names = []
    for tabs in sets:
        path = str(tabs.select_one("[data-snippet]")["data-snippet"])  # type: ignore[index]
        names.append(path.partition("/")[0])
        cases = load_cases(SNIPPETS / names[-1] / "cases.jsonl")
        (table,) = tables(tabs)
        assert len(table) == len(cases) + 1
        for row, case in zip(table[1:], cases, strict=True):
            assert row[0].get_text() == str(case.number)
            assert [json.loads(line) for line in lines(row[1])] == [case.output]
            assert shown_pin(row) == case.result
    assert names == ["exact_match", "several_checks", "model_judge", "weighted_reward"]
