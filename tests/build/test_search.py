"""The copy of a page that is indexed: what a search needs, and nothing of the site changed."""

from __future__ import annotations

import re

import pytest

from docs_build.search import in_characters, indexed_copy, with_other_forms

OTHER_FORMS = re.compile(r"~([а-яё]+)(?:~[а-яё]+)+~~", re.IGNORECASE)  # as the browser's script


def page(article: str, language: str = "en") -> str:
    body = f"<nav>Menu</nav><article>{article}</article>"
    return f'<html lang="{language}"><body>{body}</body></html>'


@pytest.mark.parametrize(
    ("text", "copy"),
    [
        ("Все движки.", "Все ~движки~движок~~."),
        ("«Движки»", "«~Движки~движок~~»"),
        ("Наш список: да", "Наш ~список~списка~~: да"),
        ("тайм-аут", "тайм-аут"),
        ("движки_2", "движки_2"),
        ("Движок2", "Движок2"),
        ("REWARD_SPEC и metric.py", "REWARD_SPEC и metric.py"),
    ],
)
def test_a_russian_word_carries_its_other_forms(text: str, copy: str) -> None:
    assert with_other_forms(text) == copy


@pytest.mark.parametrize(
    "text", ["Оценок нет: движки, списки и «имена».", "Верните пару (кортеж).", "~/metric.py", "~~"]
)
def test_the_forms_come_off_again(text: str) -> None:
    assert OTHER_FORMS.sub(r"\1", with_other_forms(text)) == text


@pytest.mark.parametrize(
    ("text", "copy"),
    [
        ("用例。", "|用|例|。"),
        ("为 1 分", "|为 1 分"),
        ("在metric.py中", "|在|metric.py中"),
        ("“值”", "“值|”"),
        ("metric", "metric"),
    ],
)
def test_chinese_characters_are_set_apart(text: str, copy: str) -> None:
    assert in_characters(text) == copy.replace("|", "\u200b")


def test_only_the_text_of_the_article_is_changed() -> None:
    html = (
        '<h1 id="движки">Движки</h1><!-- движки --><p title="движки > 1">&laquo;движки&raquo;</p>'
        "<script>движки</script>"
    )
    copy = indexed_copy(page(html, "ru"), "ru")
    assert copy == (
        '<!doctype html>\n<html lang="ru"><body><article><h1 id="движки">~Движки~движок~~</h1>'
        '<!-- движки --><p title="движки > 1">&laquo;~движки~движок~~&raquo;</p>'
        "<script>движки</script></article></body></html>\n"
    )


def test_an_english_page_is_copied_as_it_is() -> None:
    copy = indexed_copy(page("<p>движки 用例</p>"), "en")
    assert copy is not None
    assert "<article><p>движки 用例</p></article>" in copy


def test_a_page_without_an_article_is_not_indexed() -> None:
    assert indexed_copy("<html><body>Gone</body></html>", "en") is None
