"""The other forms of Russian words: for every stem that a reader may come with, and few besides."""

from __future__ import annotations

import pytest

from docs_build.word_forms import other_forms, plain, stem


@pytest.mark.parametrize(
    ("searched", "written"),
    [
        ("движок", "движки"),
        ("движок", "движку"),
        ("движки", "движок"),
        ("список", "списки"),
        ("списками", "список"),
        ("оценок", "оценка"),
        ("оценка", "оценок"),
        ("заглушек", "заглушка"),
        ("проверок", "проверки"),
        ("строк", "строка"),
        ("примеру", "примеры"),
        ("день", "дня"),
        ("имя", "имени"),
        ("имён", "имя"),
        ("точный", "точная"),
        ("точной", "точные"),
        ("файл", "файлов"),
        ("судья", "судей"),
        ("вернуть", "верните"),
        ("вернёт", "вернул"),
        ("ожидаемый", "ожидаемое"),
        ("вес", "весов"),
    ],
)
def test_a_form_of_a_word_is_found_by_any_other(searched: str, written: str) -> None:
    indexed = [stem(word) for word in (written, *other_forms(written))]
    assert [key for key in indexed if key.startswith(stem(searched))] != []


@pytest.mark.parametrize(
    ("searched", "written"),
    [("движок", "движение"), ("список", "списание"), ("доля", "должен"), ("день", "деньги")],
)
def test_another_word_has_another_stem(searched: str, written: str) -> None:
    assert stem(searched) not in {stem(word) for word in (written, *other_forms(written))}


@pytest.mark.parametrize("word", ["движки", "Движки", "ДВИЖКИ"])
def test_one_form_stands_for_each_other_stem(word: str) -> None:
    assert other_forms(word.lower()) == ("движок",)


@pytest.mark.parametrize("word", ["тест", "лимиты", "примеру", "контракта"])
def test_a_word_with_one_stem_needs_no_other_forms(word: str) -> None:
    assert other_forms(word) == ()


@pytest.mark.parametrize("word", ["и", "для", "не", "он", "что", "этот", "ой"])
def test_small_words_have_no_other_forms(word: str) -> None:
    assert other_forms(word) == ()


@pytest.mark.parametrize("word", ["metric", "引擎", "42"])
def test_what_is_not_russian_has_no_other_forms(word: str) -> None:
    assert other_forms(word) == ()


def test_unusual_forms_are_left_out() -> None:
    assert not {"наиточнеишии", "поточнее"} & set(other_forms("точный"))


def test_a_word_is_compared_without_its_marks() -> None:
    assert plain("Счётный ЙОД") == "счетныи иод"
