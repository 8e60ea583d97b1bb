"""The words of pages stand here once more: a changed label is a change to every page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from babel.messages.pofile import read_po

import skynet_stub
from docs_build.project import this_project
from skynet_stub.cases import CASE_FIELDS
from skynet_stub.helpers import Helpers
from skynet_stub.messages import LANGUAGES, catalog

WORDS = {
    "page.site-name": ("Skynet metrics", "Skynet 指标", "Метрики Skynet"),
    "page.language-name": ("English", "简体中文", "Русский"),
    "page.choose-language": ("Choose your language", "选择语言", "Выберите язык"),
    "page.to-dark": ("Switch to dark mode", "切换到深色模式", "Включить тёмную тему"),
    "page.to-light": ("Switch to light mode", "切换到浅色模式", "Включить светлую тему"),
    "page.permalink": ("Link to this section", "本节的链接", "Ссылка на этот раздел"),
    "page.not-found-title": ("Page not found", "找不到页面", "Страница не найдена"),
    "page.cases": ("Cases", "用例", "Примеры"),
    "page.results": ("Results", "结果", "Результаты"),
    "page.case": ("Case", "用例", "Пример"),
    "page.output": ("Output", "输出", "Выход"),
    "page.score": ("Score", "分数", "Оценка"),
    "page.feedback": ("Feedback", "反馈", "Обратная связь"),
    "page.named-scores": ("Named scores", "命名分数", "Именованные оценки"),
    "page.return-value": ("Return value", "返回值", "Возвращаемое значение"),
    "page.valid": ("Valid", "有效", "Корректно"),
    "page.weak-feedback": ("Weak feedback", "薄弱的反馈", "Слабая обратная связь"),
    "page.useful-feedback": ("Useful feedback", "有用的反馈", "Полезная обратная связь"),
    "page.limit": ("Limit", "限制", "Лимит"),
    "page.limit-value": ("Value", "值", "Значение"),
    "verdict.valid": ("Yes", "是", "Да"),
    "verdict.invalid": ("No", "否", "Нет"),
}


@pytest.mark.parametrize("key", WORDS)
def test_a_label_is_worded_like_this(key: str) -> None:
    assert tuple(catalog(language).text(key) for language in LANGUAGES) == WORDS[key]


def names_of_the_reference() -> Iterator[str]:
    """The keys of what the reference says of fields, helpers and public names."""
    yield from (f"case-field.{name}" for name in CASE_FIELDS)
    for helper in Helpers().module().__all__:
        yield from (f"helper.{helper}", f"helper.{helper}.stub")
    for name in skynet_stub.__all__:
        yield f"python.{name}"
        value = getattr(skynet_stub, name)
        own = vars(value) if isinstance(value, type) else {}
        fields = getattr(value, "__match_args__", ())
        for key in own:
            if not key.startswith("_") and key not in fields:
                yield f"python.{name}.{key}"


def test_no_word_of_pages_is_left_over_in_the_catalogs() -> None:
    project = this_project()
    with (project.catalogs / "en.po").open("rb") as file:
        ids = [message.id for message in read_po(file)]
    keys = {id_ if isinstance(id_, str) else id_[0] for id_ in ids}
    folders = (project.root / name for name in ("docs_build", "translation"))
    code = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("*.py"))
    of_pages = {key for key in keys if key.startswith(("page.", "limit."))}
    assert len(of_pages) > 20
    of_names = {key for key in keys if key.startswith(("case-field.", "helper.", "python."))}
    assert of_names == set(names_of_the_reference())
    assert {key for key in of_pages if f'"{key}"' not in code and f"'{key}'" not in code} == set()
