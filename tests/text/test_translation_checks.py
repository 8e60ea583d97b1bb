"""The pages of the project keep what is checked of them, and the checks see what they should."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from docs_build.converter import markdown_of
from docs_build.faults import Refusal
from docs_build.page_checks import check_page, read_page
from docs_build.project import this_project
from docs_build.stage import stage
from sample_pages import edit, reports, sample_project
from translation.checks import faults, term_report
from translation.follows import record_of
from translation.outline import Outline, outline
from translation.pages import Pages
from translation.structure import numbers
from translation.terms import Term, read_glossary, unused_terms

RECORD = """\
follows:
  title and description: 2026-03-05 0123456789ab
  one: 2026-03-05 0123456789ab
  two: 2026-03-05 0123456789ab ba9876543210
"""
BODY = "\n# One {#one}\n\n## Two {#two}\n"
MARKDOWN = markdown_of(this_project().configuration)


def test_every_page_keeps_structure_terms_and_typography() -> None:
    found = faults(this_project())
    assert not found, "\n".join(map(str, found))


# --- The record ----------------------------------------------------------------------------------


def record_faults(record: str, body: str = BODY) -> list[str]:
    text = f"---\ntitle: X\ndescription: X\n{record}---\n{body}"
    page = read_page(text.encode(), "docs/ru/x.md", "ru")
    try:
        record_of(page, outline(page, check_page(page, MARKDOWN)))
    except Refusal as refusal:
        return [f"{fault.line}: {fault.problem}" for fault in refusal.faults]
    return []


def test_a_whole_record_is_let_pass() -> None:
    assert record_faults(RECORD) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (RECORD, "", "1: the page does not say which English text it follows."),
        (RECORD, "follows: {}\n", "4: follows: {}: this is no record."),
        ("  one: 2026-03-05 ", "  one: ", "6: one: 0123456789ab: this is not ID: DATE DIGEST"),
        ("  one: 2026-03-05", "  one: 2026-02-30", "6: one: 2026-02-30 0123456789ab: this is not"),
        ("  one: 2026-03-05 0", "  one: 2026-03-05 g", "6: one: 2026-03-05 g123456789ab: this is"),
        ("  one: ", "  two: ", "7: two stands here again, after line 6."),
        ("  title and", "  titel and", "5: titel and description: 2026-03-05 0123456789ab: this"),
        ("  one: 2026-03-05 0123456789ab\n", "", "9: the record has no line for the section one."),
        ("  one: ", "  none: ", "6: the record names the section none, which the page does not"),
        (
            RECORD[RECORD.index("  one") :],
            "  two: 2026-03-05 0123456789ab\n  one: 2026-03-05 0123456789ab\n",
            "10: the section one stands where English has two.",
        ),
    ],
    ids=[
        *("none", "another shape", "no date", "no such day", "no digest", "twice", "misspelt"),
        *("a line too few", "a line too many", "another order"),
    ],
)
def test_a_malformed_record_is_refused_with_its_line(old: str, new: str, problem: str) -> None:
    assert old in RECORD
    found = record_faults(RECORD.replace(old, new))
    assert any(fault.startswith(problem) for fault in found), found


def test_an_english_page_has_no_record(tmp_path: Path) -> None:
    project = sample_project(tmp_path)
    shutil.copytree(this_project().catalogs, project.catalogs)
    edit(project, "en", "description: A sample page.", "description: A sample page.\nfollows:")
    with pytest.raises(Refusal, match=r"sample\.md:4: this page is the source"):
        stage(project)


# --- Exemptions ----------------------------------------------------------------------------------

EXEMPTION = """\
[[exemption]]
file = "docs/ru/concepts/sample.md"
fault = "numbers in the section sample: 61 here"
reason = "a test"
"""


def test_an_exempt_fault_is_let_pass_and_an_exemption_without_need_is_a_fault(
    tmp_path: Path,
) -> None:
    project = sample_project(tmp_path)
    project.exemptions.write_text(EXEMPTION, "utf-8")
    (fault,) = faults(project)
    assert fault.file.endswith("translation/exemptions.toml")
    assert "is not needed any more." in fault.problem
    edit(project, "ru", "до 60", "до 61")
    assert reports(project) == set()
    project.exemptions.unlink()
    assert reports(project) == {"ru:14: numbers in the section sample"}


@pytest.mark.parametrize("line", ['reason = "a test"\n', 'fault = "numbers in the section'])
def test_an_exemption_without_a_fault_or_a_reason_is_refused(tmp_path: Path, line: str) -> None:
    project = sample_project(tmp_path)
    lines = [one for one in EXEMPTION.splitlines() if not one.startswith(line.split(" ")[0])]
    project.exemptions.write_text("\n".join(lines), "utf-8")
    with pytest.raises(Refusal, match=r"Give each \[\[exemption\]\] a file, a fault and a reason"):
        faults(project)


# --- Numbers and terms ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("en", "From 0 to 1,000, or 0.5: dspy 3.4.1.", ["0", "1000", "0.5", "3.4.1"]),
        ("ru", "От 0 до 1 000 или 0,5: dspy 3.4.1.", ["0", "1000", "0.5", "3.4.1"]),
        ("zh-Hans", "从 0 到 1,000 或 0.5：dspy 3.4.1。", ["0", "1000", "0.5", "3.4.1"]),
        ("zh-Hans", "2026 年 9 月 3 日", ["2026", "3"]),
        ("en", "September 3, 2026; the file f1.py", ["3", "2026"]),
    ],
)
def test_numbers_are_the_same_however_a_language_writes_them(
    language: str, text: str, found: list[str]
) -> None:
    assert numbers(text, language) == found


def section(text: str, language: str) -> Outline:
    data = f"---\ntitle: X\ndescription: X\n---\n\n# {text} {{#one}}\n".encode()
    page = read_page(data, f"docs/{language}/x.md", language)
    return outline(page, check_page(page, MARKDOWN))


@pytest.mark.parametrize(
    ("english", "language", "text", "unused"),
    [
        ("Metrics", "ru", "От метрик", []),
        ("Metrics", "ru", "От мер", ["metric"]),
        ("A metric's score", "zh-Hans", "指标的分数", []),
        ("The metric model", "ru", "Моделью метрики", []),
        ("The metric model", "ru", "Модель и метрика", ["metric model"]),
        ("The `metric`", "ru", "Файл `x`", []),
        ("Expected values", "ru", "Ожидаемым значением", []),
        ("Held-out cases", "ru", "Отложенных примеров", []),
        ("Side info", "zh-Hans", "额外信息", ["side info"]),
        ("A metropolis", "ru", "Город", []),
    ],
)
def test_a_strict_term_must_be_used_in_any_of_its_forms(
    english: str, language: str, text: str, unused: list[str]
) -> None:
    strict = [term for term in read_glossary(this_project().glossary) if term.strict]
    (wanted,), (found,) = section(english, "en").sections, section(text, language).sections
    assert [term.english for term in unused_terms(wanted, found, language, strict)] == unused


def test_a_longer_term_is_not_also_the_shorter_one_in_it() -> None:
    terms = [Term("key", (("ru", "ключ"),), True), Term("key word", (("ru", "слово"),), True)]
    (english,), (russian,) = section("Key words", "en").sections, section("Слово", "ru").sections
    assert list(unused_terms(english, russian, "ru", terms)) == []


def test_a_term_that_is_not_strict_is_only_in_the_report(tmp_path: Path) -> None:
    project = sample_project(tmp_path)
    edit(project, "ru", "оценку", "результат")
    assert reports(project) == set()
    (line,) = term_report(Pages(project), "ru")
    assert "the section sample lacks the term for “score”" in line
    assert line.endswith("Write оценка.")


def test_a_glossary_with_a_misspelt_key_is_refused(tmp_path: Path) -> None:
    project = sample_project(tmp_path)
    text = '[[term]]\nen = "x"\nzh-Hans = "x"\nru = "x"\nstrikt = true\n'
    project.glossary.write_text(text, "utf-8")
    with pytest.raises(Refusal, match="the term 'x' has the keys en, zh-Hans, ru, strikt"):
        faults(project)
