"""Each rendered table says in the page's language what its source says."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from docs_build import renderings
from docs_build.blocks import resolve
from docs_build.faults import Refusal
from small_sources import sources

CASES = (
    '{"input": {}, "output": "a|b `c`\\n", "result": {"score": 0.5, "feedback": "One.\\nTwo."}}\n'
    '{"input": {}, "output": {"k": [1, null]}, "result":'
    ' {"score": 1, "feedback": " edge", "scores": {"b": 1, "a c": 0.25}}}\n'
    '{"input": {}, "output": "\\u200b\\u3000汉", "result": {"score": -2.5e-7, "feedback": ""}}\n'
    '{"input": {}, "output": 1, "result": {"score": 0, "feedback": "\\"quoted\\" \\\\"}}\n'
)


def rows(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip().startswith("|")]


@pytest.mark.parametrize(
    ("language", "rows_of_it"),
    [
        (
            "en",
            [
                "| Limit | Value |",
                "| --- | --- |",
                "| Default metric timeout | 60 seconds |",
                "| Maximum metric timeout | 600 seconds |",
                "| Contract check samples | 3 cases |",
            ],
        ),
        (
            "zh-Hans",
            [
                "| 限制 | 值 |",
                "| --- | --- |",
                "| 指标超时（默认） | 60 秒 |",
                "| 指标超时（最大） | 600 秒 |",
                "| 契约检查样例 | 3 个用例 |",
            ],
        ),
        (
            "ru",
            [
                "| Лимит | Значение |",
                "| --- | --- |",
                "| Тайм-аут метрики по умолчанию | 60 секунд |",
                "| Максимальный тайм-аут метрики | 600 секунд |",
                "| Примеров в проверке контракта | 3 примера |",
            ],
        ),
    ],
)
def test_the_limits_are_worded_in_the_language(
    tmp_path: Path, language: str, rows_of_it: list[str]
) -> None:
    assert rows(renderings.limits(sources(tmp_path, language)).text) == rows_of_it


def test_russian_counts_take_the_right_plural(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderings, "METRIC_TIMEOUT_SECONDS", 61)
    monkeypatch.setattr(renderings, "METRIC_TIMEOUT_MAX_SECONDS", 602)
    text = renderings.limits(sources(tmp_path, "ru")).text
    assert "| 61 секунда |" in text
    assert "| 602 секунды |" in text


@pytest.mark.parametrize(
    ("language", "header", "verdict", "reason"),
    [
        ("en", "| Return value | Valid | Why not |", "No", "No feedback string"),
        ("zh-Hans", "| 返回值 | 有效 | 无效的原因 |", "否", "没有反馈字符串"),
        (
            "ru",
            "| Возвращаемое значение | Корректно | Почему нет |",
            "Нет",
            "Нет строки обратной связи",
        ),
    ],
)
def test_a_row_of_the_validity_table_says_the_verdict_and_the_reason(
    tmp_path: Path, language: str, header: str, verdict: str, reason: str
) -> None:
    found = rows(renderings.validity_table(sources(tmp_path, language)).text)
    assert found[0] == header
    assert found[2:] == [
        f'| `(1, {{}})` | <span class="verdict verdict--invalid">{verdict}</span> | {reason} |'
    ]


def test_a_valid_row_has_no_reason(tmp_path: Path) -> None:
    toml = '[[row]]\nvalue = \'(1, {"feedback": "x|y"})\'\nvalid = true\n'
    given = sources(tmp_path, "ru", **{"return_values.toml": toml})
    assert rows(renderings.validity_table(given).text)[2:] == [
        '| `(1, {"feedback": "x|y"})` | <span class="verdict verdict--valid">Да</span> |  |'
    ]


def test_the_pairs_of_feedback_stand_side_by_side_in_the_language(tmp_path: Path) -> None:
    assert rows(renderings.feedback_pairs(sources(tmp_path, "zh-Hans")).text) == [
        "| 薄弱的反馈 | 有用的反馈 |",
        "| --- | --- |",
        "| 差。 | 多说些。 |",
    ]


def test_the_items_of_the_check_stand_in_their_order(tmp_path: Path) -> None:
    found = rows(renderings.check_items(sources(tmp_path)).text)[2:]
    assert [row.split("|")[1].strip() for row in found] == [
        "**Metric file**",
        "**Metric function**",
        "**Reward spec**",
        "**Metric run**",
        "**Metric timeout**",
        "**Metric return value**",
        "**Pinned result**",
    ]
    assert all(row.count("|") == 3 for row in found)


@pytest.mark.parametrize(
    ("language", "date"),
    [
        ("en", "March 2, 2027"),
        ("zh-Hans", "2027年3月2日"),
        ("ru", "2 марта 2027\N{NARROW NO-BREAK SPACE}г."),
    ],
)
def test_the_version_of_the_guide_is_a_date_in_the_language(
    tmp_path: Path, language: str, date: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderings, "GUIDE_RECORDED", datetime.date(2027, 3, 2))
    text = renderings.guide_version(sources(tmp_path, language)).text
    assert date in text
    assert "г.." not in text


def test_results_show_what_each_case_pins(tmp_path: Path) -> None:
    given = sources(tmp_path, **{"good/cases.jsonl": CASES})
    text = resolve("::: example good", "docs/en/page.md", given).text
    assert rows(text) == [
        "| Case | Output | Score | Feedback | Named scores |",
        "| --- | --- | --- | --- | --- |",
        '| 1 | ``"a|b `c`\\n"`` | `0.5` | `One.`<br>`Two.` |  |',
        '| 2 | `{"k": [1, null]}` | `1.0` | `" edge"` | `b: 1.0`<br>`"a c": 0.25` |',
        '| 3 | `"\\u200b\\u3000\\u6c49"` | `-2.5e-07` | `""` |  |',
        '| 4 | `1` | `0.0` | `"\\"quoted\\" \\\\"` |  |',
    ]


def test_a_message_that_no_catalog_has_is_refused_with_the_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderings, "CHECK_ITEMS", ("file", "fiel"))
    with pytest.raises(Refusal, match=r"docs/en/page\.md:3: .*'item\.fiel'.*skynet_stub/locale/"):
        resolve("Text.\n\n::: check-items\n", "docs/en/page.md", sources(tmp_path))
