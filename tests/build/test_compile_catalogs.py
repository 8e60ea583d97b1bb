"""The catalogs are compiled only where all languages agree, and every refusal names its line."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest

from docs_build.catalogs import compile_catalogs
from docs_build.faults import Refusal
from docs_build.project import this_project
from skynet_stub.messages import LANGUAGES
from small_sources import the_fault, write

PLURALS = {
    "en": "nplurals=2; plural=(n != 1);",
    "zh-Hans": "nplurals=1; plural=0;",
    "ru": (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 :"
        " n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
    ),
}
GREETING = 'msgid "hello"\nmsgstr "Hello, {name}"\n'


def po(language: str, entries: str = GREETING) -> str:
    """A catalog; its entries begin on line 6."""
    header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    return f'{header}"Plural-Forms: {PLURALS[language]}\\n"\n\n{entries}'


def refused(tmp_path: Path, **entries: str) -> Refusal:
    """What is said of catalogs, of which some have other entries than the greeting."""
    names = {"en": "en", "zh": "zh-Hans", "ru": "ru"}
    texts = dict.fromkeys(LANGUAGES, GREETING)
    texts |= {names[key]: text for key, text in entries.items()}
    write(tmp_path, {f"{language}.po": po(language, text) for language, text in texts.items()})
    with pytest.raises(Refusal) as caught:
        compile_catalogs(tmp_path, LANGUAGES)
    assert not list(tmp_path.glob("*.mo"))
    return caught.value


def said(refusal: Refusal) -> list[tuple[str, int | None, str]]:
    return [(Path(fault.file).name, fault.line, fault.problem) for fault in refusal.faults]


def test_each_catalog_is_compiled_with_its_texts_and_plurals(tmp_path: Path) -> None:
    seconds = 'msgid "s"\nmsgid_plural "s"\n'
    forms = {"en": ["{n} second", "{n} seconds"], "zh-Hans": ["{n} 秒"]}
    forms["ru"] = ["{n} секунда", "{n} секунды", "{n} секунд"]
    for language, texts in forms.items():
        lines = "".join(f'msgstr[{n}] "{text}"\n' for n, text in enumerate(texts))
        write(tmp_path, {f"{language}.po": po(language, f"{GREETING}\n{seconds}{lines}")})
    compile_catalogs(tmp_path, LANGUAGES)
    with (tmp_path / "ru.mo").open("rb") as file:
        russian = gettext.GNUTranslations(file)
    assert russian.gettext("hello") == "Hello, {name}"
    found = [russian.ngettext("s", "s", n) for n in (1, 3, 11, 60, 600, 21)]
    one, few, many = forms["ru"]
    assert found == [one, few, many, many, many, one]


def test_a_catalog_is_written_only_where_it_changed(tmp_path: Path) -> None:
    write(tmp_path, {f"{language}.po": po(language) for language in LANGUAGES})
    names = [path.name for path in compile_catalogs(tmp_path, LANGUAGES)]
    assert names == ["en.mo", "zh-Hans.mo", "ru.mo"]
    assert compile_catalogs(tmp_path, LANGUAGES) == []
    write(tmp_path, {"ru.po": po("ru", GREETING.replace("Hello", "Привет"))})
    assert [path.name for path in compile_catalogs(tmp_path, LANGUAGES)] == ["ru.mo"]


def test_the_catalogs_of_this_project_agree() -> None:
    compile_catalogs(this_project().catalogs, LANGUAGES)


def test_a_missing_key_is_refused_and_its_source_is_named(tmp_path: Path) -> None:
    refusal = refused(tmp_path, en=f'{GREETING}\nmsgid "bye"\nmsgstr "Bye"\n')
    assert [(file, line) for file, line, _ in said(refusal)] == [
        ("zh-Hans.po", None),
        ("ru.po", None),
    ]
    assert "the key bye of" in str(refusal)
    assert "en.po:9 is missing here. Add it, translated." in str(refusal)


def test_a_surplus_key_is_refused(tmp_path: Path) -> None:
    refusal = refused(tmp_path, ru=f'{GREETING}\nmsgid "bye"\nmsgstr "Пока"\n')
    ((file, line, problem),) = said(refusal)
    assert (file, line) == ("ru.po", 9)
    assert problem.startswith("the key bye is not in ")


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_text_is_refused(tmp_path: Path, text: str) -> None:
    refusal = refused(tmp_path, zh=f'msgid "hello"\nmsgstr "{text}"\n')
    assert ("zh-Hans.po", 6, "the text of hello is empty.") in said(refusal)


def test_a_fuzzy_translation_is_refused(tmp_path: Path) -> None:
    refusal = refused(tmp_path, ru=f"#, fuzzy\n{GREETING}")
    assert said(refusal) == [("ru.po", 7, "the translation of hello is marked fuzzy.")]


def test_another_placeholder_is_refused(tmp_path: Path) -> None:
    refusal = refused(tmp_path, ru='msgid "hello"\nmsgstr "Привет, {who}"\n')
    ((file, line, problem),) = said(refusal)
    assert (file, line) == ("ru.po", 6)
    assert problem.startswith("hello has the placeholders {who} here and {name} in ")


def test_a_placeholder_with_a_capital_or_a_blank_is_refused(tmp_path: Path) -> None:
    refusal = refused(tmp_path, en='msgid "hello"\nmsgstr "Hello, {name} { Name }"\n')
    assert said(refusal) == [("en.po", 6, "{ Name } in hello is no placeholder.")]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_wrong_number_of_plural_forms_is_refused(tmp_path: Path, count: int) -> None:
    forms = "".join(f'msgstr[{n}] "{{n}} x"\n' for n in range(count))
    plural = 'msgid "s"\nmsgid_plural "s"\n'
    one = f'{plural}msgstr[0] "{{n}} x"\n'
    two = f'{one}msgstr[1] "{{n}} x"\n'
    refusal = refused(tmp_path, en=two, zh=one, ru=plural + forms)
    ((file, line, problem),) = said(refusal)
    assert (file, line) == ("ru.po", 6)
    wanted = (
        "more plural forms than the 3 needed"
        if count > 3
        else f"has {count} plural forms; ru has 3"
    )
    assert wanted in problem


def test_plural_forms_with_different_placeholders_are_refused(tmp_path: Path) -> None:
    plural = 'msgid "s"\nmsgid_plural "s"\n'
    one = f'{plural}msgstr[0] "{{n}} x"\n'
    two = f'{plural}msgstr[0] "one x"\nmsgstr[1] "{{n}} x"\n'
    three = f'{one}msgstr[1] "{{n}} x"\nmsgstr[2] "{{n}} x"\n'
    refusal = refused(tmp_path, en=two, zh=one, ru=three)
    assert ("en.po", 6, "the plural forms of s differ in their placeholders.") in said(refusal)


def test_a_key_that_is_plural_in_one_language_only_is_refused(tmp_path: Path) -> None:
    one = 'msgid "hello"\nmsgid_plural "hello"\nmsgstr[0] "{name}"\n'
    refusal = refused(tmp_path, zh=one)
    ((file, line, problem),) = said(refusal)
    assert (file, line) == ("zh-Hans.po", 6)
    assert problem.startswith("hello has no plural forms in ")


def test_a_repeated_key_is_refused(tmp_path: Path) -> None:
    refusal = refused(tmp_path, en=f"{GREETING}\n{GREETING}")
    assert said(refusal) == [("en.po", 9, "the key hello stands here again, after line 6.")]


def test_a_header_with_the_plurals_of_another_language_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {f"{language}.po": po(language) for language in LANGUAGES})
    write(tmp_path, {"ru.po": po("en")})
    with pytest.raises(Refusal) as caught:
        compile_catalogs(tmp_path, LANGUAGES)
    assert the_fault(caught).problem == "the header does not say how ru forms plurals."


def test_a_missing_catalog_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"en.po": po("en"), "ru.po": po("ru")})
    with pytest.raises(Refusal) as caught:
        compile_catalogs(tmp_path, LANGUAGES)
    assert the_fault(caught).problem == "the message catalog of zh-Hans is missing."


def test_a_line_that_is_no_catalog_entry_is_refused(tmp_path: Path) -> None:
    refusal = refused(tmp_path, en=f"{GREETING}msgtsr x\n")
    ((file, line, _),) = said(refusal)
    assert (file, line) == ("en.po", 8)
