"""Every message and feedback text keeps the typography of its language; so do pages, with what
tests/text/test_translation_checks.py proves of them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from docs_build.faults import Fault
from docs_build.typography import typography_faults
from skynet_stub.messages import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]


def found(text: str, language: str) -> list[str]:
    return [fault.problem.split(":")[0] for fault in typography_faults("x.md", text, language)]


@pytest.mark.parametrize(
    ("language", "text", "problem"),
    [
        ("en", "Return a pair  of values.", "Two spaces"),
        ("en", "A metric - a function - scores.", "A hyphen used as a dash"),
        ("en", 'The role "Output".', "A straight quote"),
        ("en", "And so on...", "Three dots"),
        ("en", "A\N{NO-BREAK SPACE}metric.", "A no-break space"),
        ("en", "A met\N{SOFT HYPHEN}ric.", "A space or mark that nobody sees"),
        ("zh-Hans", "指标\N{NO-BREAK SPACE}函数", "A no-break space"),
        ("ru", "Метрика\N{NO-BREAK SPACE}даёт оценку.", "A no-break space out of place"),
        ("zh-Hans", "指标返回一对值,即分数。", "Half-width punctuation"),
        ("zh-Hans", "这是指标.", "Half-width punctuation"),
        ("zh-Hans", "指标(函数)", "Half-width brackets"),
        ("zh-Hans", "角色为「输出」的列", "Quotes of another kind"),
        ("zh-Hans", '角色为"输出"的列', "Quotes of another kind"),
        ("zh-Hans", "DSPy程序", "No space"),
        ("zh-Hans", "函数`score`", "No space"),
        ("zh-Hans", "至少 3个用例", "No space"),
        ("zh-Hans", "分数 ，越高越好", "A space beside full-width punctuation"),
        ("zh-Hans", "返回 值", "A space between Han characters"),
        ("zh-Hans", "等等…", "An ellipsis of half its width"),
        ("ru", 'Роль "Выход".', "Quotes of another kind"),
        ("ru", "Роль “Выход”.", "Quotes of another kind"),
        ("ru", "Метрика - функция.", "A hyphen used as a dash"),
        ("ru", "Метрика – функция.", "An en dash"),
        ("ru", "Метрика — функция.", "A dash without a no-break space"),
        ("ru", "Метрика\N{NO-BREAK SPACE}—функция.", "A dash with no space after it"),
        ("ru", "И так далее...", "Three dots"),
        ("ru", "Ее возвращает функция.", "е where ё belongs"),
        ("ru", "Проверка дает отчёт.", "е where ё belongs"),
        ("ru", "Закрепленный результат.", "е where ё belongs"),
    ],
)
def test_a_fault_is_found_with_its_kind(language: str, text: str, problem: str) -> None:
    assert problem in found(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", '`{"feedback": "..."}` and the role “Output”: a well-known one.'),
        ("en", '!!! note "What the optimizer sees"'),
        ("en", '    - It must hold the key `"feedback"`.'),
        ("zh-Hans", "用于 DSPy 程序的“指标”：调用 `score` 函数，得到 0.8 分（越高越好）。"),
        ("zh-Hans", "| `input` | 一个 dict，包含用例的输入字段。 |"),
        ("zh-Hans", "见[数据集与划分](datasets.md#splits)。"),
        ("ru", "Метрика\N{NO-BREAK SPACE}— функция; её роль\N{NO-BREAK SPACE}— «Выход»."),
        ("ru", "Время выполнения, измеренное самим Skynet, и счёт за вызовы."),
        ("ru", "| --- | --- |"),
        ("ru", "Не больше 60\N{NO-BREAK SPACE}секунд, см. раздел №\N{NO-BREAK SPACE}2."),
        ("en", "Words <!-- a note to - writers --> here."),
    ],
)
def test_right_text_is_let_pass(language: str, text: str) -> None:
    assert found(text, language) == []


def test_a_fault_names_the_line_and_shows_the_place() -> None:
    faults = list(typography_faults("docs/ru/x.md", "Первая строка.\nЕе возвращает.", "ru"))
    expected = Fault("docs/ru/x.md", 2, "е where ё belongs: «Ее возвращает.».", "Write ё.")
    assert faults == [expected]


def test_code_that_is_shown_inline_is_not_prose() -> None:
    assert found('Возвращается `(0.8, {"feedback": "..."})`.', "ru") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_keeps_the_typography_of_its_language(language: str) -> None:
    path = ROOT / "skynet_stub" / "locale" / f"{language}.po"
    with path.open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    assert messages
    faults: list[Fault] = []
    for message in messages:
        texts = message.string if isinstance(message.string, tuple | list) else (message.string,)
        for text in texts:
            assert isinstance(text, str)
            faults += typography_faults(_shown(path), text, language, message.lineno or 1)
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_feedback_text_keeps_the_typography_of_its_language(language: str) -> None:
    path = ROOT / "snippets" / "feedback.toml"
    pairs = tomllib.loads(path.read_text(encoding="utf-8"))["pair"]
    texts = [pair[kind][language] for pair in pairs for kind in ("weak", "useful")]
    assert len(texts) == 4
    quoted_data = {pair[key] for pair in pairs for key in ("expected", "got") if key in pair}
    for text in texts:
        for data in (*(f'"{word}"' for word in quoted_data), '"order"', '"total"'):
            text = text.replace(data, f"`{data}`")  # what is quoted from the data is code
        assert not list(typography_faults(_shown(path), text, language))


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
