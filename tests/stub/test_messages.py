"""The message catalogs: what the code names and what they hold agree, in each language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from message_sources import advised, described, messages, named_keys, refusals, states
from skynet_stub.advice import ADVICE
from skynet_stub.items import CHECK_ITEMS
from skynet_stub.messages import LANGUAGES, catalog, placeholders
from skynet_stub.options import COMMANDS
from skynet_stub.reasons import REASONS

SOURCES = {language: messages(language) for language in ("en", "zh-Hans", "ru")}
FORMS = {"en": 2, "zh-Hans": 1, "ru": 3}
OF_PAGES = ("page.", "limit.", "verdict.", "case-field.", "helper.", "python.")
"""Keys that the pages need and the stub does not."""


def test_the_languages_are_those_of_the_guide_with_english_first() -> None:
    assert LANGUAGES == ("en", "zh-Hans", "ru")


# --- Keys ----------------------------------------------------------------------------------------


def test_the_catalogs_hold_just_the_keys_that_the_code_needs() -> None:
    needed = (
        named_keys()
        | refusals()
        | states()
        | {f"reason.{code}" for code in REASONS}
        | {f"remedy.{code}" for code in REASONS}
        | {f"item.{id}" for id in CHECK_ITEMS}
        | {f"item.{id}.fails" for id in CHECK_ITEMS}
        | {f"advice.{id}" for id in ADVICE}
        | {f"command.{name}" for name in COMMANDS}
        | {f"schema.{path}" for path in described()}
    )
    held = {key for key in SOURCES["en"] if not key.startswith(OF_PAGES)}
    assert held == needed


def test_keys_are_found_in_every_part_of_the_code() -> None:
    # Were none found, the catalogs would have to hold none.
    assert {"command.all", "hint.near-key", "report.and-where", "spec.all-zero"} <= named_keys()
    assert {"refused.timeout", "refused.key-missing", "refused.value-negative"} <= refusals()
    assert states() == {
        "report.item-passed",
        "report.item-failed",
        "report.item-not-checked",
        "report.nothing-to-compare",
    }


def test_the_advice_that_the_code_can_give_is_all_advice() -> None:
    assert advised() == set(ADVICE)


@pytest.mark.parametrize("language", ["zh-Hans", "ru"])
def test_every_language_has_the_keys_of_english_in_the_same_order(language: str) -> None:
    assert list(SOURCES[language]) == list(SOURCES["en"])


# --- Texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_empty_or_of_several_lines(language: str) -> None:
    for message in SOURCES[language].values():
        assert len(message.texts) == (FORMS[language] if message.plural else 1), message.key
        for text in message.texts:
            assert text.strip() == text, message.key
            assert text, message.key
            assert "\n" not in text, message.key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_has_the_same_placeholders_in_every_language_and_form(language: str) -> None:
    for message in SOURCES[language].values():
        english = SOURCES["en"][message.key]
        assert message.plural == english.plural, message.key
        for text in message.texts:
            assert placeholders(text) == placeholders(english.texts[0]), message.key


@pytest.mark.parametrize("language", ["zh-Hans", "ru"])
def test_a_message_quotes_the_same_code_in_every_language(language: str) -> None:
    def code(text: str) -> list[str]:
        return sorted(set(re.findall(r"`[^`]+`", text)))

    for message in SOURCES[language].values():
        if not message.key.startswith(OF_PAGES):
            assert code(message.texts[0]) == code(SOURCES["en"][message.key].texts[0]), message.key


@pytest.mark.parametrize("code", REASONS)
def test_a_reason_names_nothing_and_its_remedy_only_facts_of_the_reason(code: str) -> None:
    assert placeholders(SOURCES["en"][f"reason.{code}"].texts[0]) == set()
    named = placeholders(SOURCES["en"][f"remedy.{code}"].texts[0])
    assert named == set(REASONS[code].facts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_stands_in_the_source(language: str) -> None:
    words = catalog(language)
    for message in SOURCES[language].values():
        named = placeholders(message.texts[0])
        unfilled = {name: f"{{{name}}}" for name in named}
        if message.plural:
            assert words.count(message.key, 1, **unfilled) in message.texts, "run `make catalogs`"
        else:
            assert words.text(message.key, **unfilled) == message.texts[0], "run `make catalogs`"


# --- Plural forms --------------------------------------------------------------------------------

ONE, FEW, MANY = (1, 21, 101), (2, 22), (0, 5, 11, 25, 111)

RUSSIAN = {
    "report.checked": {
        ONE: "{metric}: проверен {n} пример",
        FEW: "{metric}: проверено {n} примера",
        MANY: "{metric}: проверено {n} примеров",
    },
    "report.failed": {
        ONE: "Метрика не соблюдает контракт: не пройден {n} пункт.",
        FEW: "Метрика не соблюдает контракт: не пройдено {n} пункта.",
        MANY: "Метрика не соблюдает контракт: не пройдено {n} пунктов.",
    },
    "advice.replies-left-over": {
        ONE: "{n} записанный ответ не понадобился: вызовов `llm()` было меньше.",
        FEW: "{n} записанных ответа не понадобились: вызовов `llm()` было меньше.",
        MANY: "{n} записанных ответов не понадобились: вызовов `llm()` было меньше.",
    },
    "report.left-out": {
        ONE: "[… пропущен {n} байт …]",
        FEW: "[… пропущено {n} байта …]",
        MANY: "[… пропущено {n} байт …]",
    },
    "report.more-failures": {
        ONE: "… и ещё {n} ошибка",
        FEW: "… и ещё {n} ошибки",
        MANY: "… и ещё {n} ошибок",
    },
    "report.more-cases": {
        ONE: "… и ещё {n} пример",
        FEW: "… и ещё {n} примера",
        MANY: "… и ещё {n} примеров",
    },
    "report.more-advice": {
        ONE: "… и ещё {n} совет",
        FEW: "… и ещё {n} совета",
        MANY: "… и ещё {n} советов",
    },
    "report.more-hints": {
        ONE: "… и ещё {n} замечание",
        FEW: "… и ещё {n} замечания",
        MANY: "… и ещё {n} замечаний",
    },
    "hint.one-more-reply": {
        ONE: "У примера {n} записанный ответ: добавьте ещё один в его список `llm`.",
        FEW: "У примера {n} записанных ответа: добавьте ещё один в его список `llm`.",
        MANY: "У примера {n} записанных ответов: добавьте ещё один в его список `llm`.",
    },
    "hint.lines-left-out": {
        ONE: "… пропущена {n} строка …",
        FEW: "… пропущены {n} строки …",
        MANY: "… пропущено {n} строк …",
    },
    "hint.faults-left-out": {
        ONE: "… и ещё {n} ошибка этого значения, которая не показана.",
        FEW: "… и ещё {n} ошибки этого значения, которые не показаны.",
        MANY: "… и ещё {n} ошибок этого значения, которые не показаны.",
    },
    "limit.seconds": {ONE: "{n} секунда", FEW: "{n} секунды", MANY: "{n} секунд"},
    "limit.cases": {ONE: "{n} пример", FEW: "{n} примера", MANY: "{n} примеров"},
}


@pytest.mark.parametrize("key", RUSSIAN)
def test_a_russian_count_has_the_form_of_its_number(key: str) -> None:
    for numbers, sentence in RUSSIAN[key].items():
        for n in numbers:
            wanted = sentence.replace("{n}", str(n)).replace("{metric}", "metric.py")
            assert catalog("ru").count(key, n, metric="metric.py") == wanted


def test_every_count_is_in_that_table() -> None:
    counts = {message.key for message in SOURCES["en"].values() if message.plural}
    assert counts == set(RUSSIAN)


@pytest.mark.parametrize(
    ("language", "n", "text"),
    [
        ("en", 0, "metric.py: 0 cases checked"),
        ("en", 1, "metric.py: 1 case checked"),
        ("en", 2, "metric.py: 2 cases checked"),
        ("en", 21, "metric.py: 21 cases checked"),
        ("zh-Hans", 0, "metric.py：检查了 0 个用例"),
        ("zh-Hans", 1, "metric.py：检查了 1 个用例"),
        ("zh-Hans", 2, "metric.py：检查了 2 个用例"),
    ],
)
def test_a_count_in_another_language_has_the_form_of_its_number(
    language: str, n: int, text: str
) -> None:
    assert catalog(language).count("report.checked", n, metric="metric.py") == text


# --- A catalog -----------------------------------------------------------------------------------


def test_facts_fill_the_placeholders_and_other_braces_are_plain_text() -> None:
    words = catalog("en")
    assert words.text("report.line", line=7) == "line 7"
    assert words.text("remedy.no-side-info", found="0.8") == (
        'Return the score with a dict beside it: `return 0.8, {"feedback": "..."}`.'
    )
    assert placeholders('{a} {"feedback": "..."} {b_c} {B} {} {a}') == {"a", "b_c"}


def test_a_fact_that_holds_braces_is_not_filled_in_again() -> None:
    text = catalog("en").text("report.failure", where="{reason}", reason="{where}")
    assert text == "{reason}: {where}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_key_or_a_missing_fact_is_an_error(language: str) -> None:
    words = catalog(language)
    with pytest.raises(KeyError, match=r"report\.nothing"):
        words.text("report.nothing")
    with pytest.raises(KeyError, match=r"report\.nothing"):
        words.count("report.nothing", 2)
    with pytest.raises(KeyError, match="line"):
        words.text("report.line")
    assert words.language == language


@pytest.mark.parametrize("language", ["de", "zh", "EN", "", "../en"])
def test_another_language_has_no_catalog(language: str) -> None:
    with pytest.raises(ValueError, match="choose one of en, zh-Hans, ru"):
        catalog(language)


def test_catalogs_that_are_not_compiled_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skynet_stub.messages.FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match="make catalogs"):
        catalog.__wrapped__("en")
