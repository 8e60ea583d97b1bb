"""A block becomes Markdown; one that is misspelt, or names what is not there, is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_build.blocks import BLOCKS, resolve
from docs_build.faults import Refusal
from small_sources import CASES, METRIC, sources, the_fault

FILE = "docs/en/page.md"


def refused(tmp_path: Path, block: str) -> tuple[int | None, str]:
    """The line and the text of the refusal of a page whose third line is the block."""
    with pytest.raises(Refusal) as caught:
        resolve(f"Text.\n\n{block}\n\nMore.\n", FILE, sources(tmp_path))
    fault = the_fault(caught)
    assert fault.file == FILE
    return fault.line, f"{fault.problem} {fault.remedy}"


def test_text_without_blocks_stays_as_it_is(tmp_path: Path) -> None:
    text = "# Title {#title}\n\nA slice `x[::2]` and `::: example`.\n\n| a |\n| :---: |\n"
    resolved = resolve(text, FILE, sources(tmp_path))
    assert resolved.text == text
    assert resolved.lines == (1, 2, 3, 4, 5, 6, 7)
    assert resolved.snippets == frozenset()


def test_every_staged_line_knows_its_source_line(tmp_path: Path) -> None:
    resolved = resolve("a\n\n::: snippet plain.py\n\nb", FILE, sources(tmp_path))
    staged = resolved.text.split("\n")
    assert len(staged) == len(resolved.lines)
    assert resolved.lines[staged.index("third = 3")] == 3
    assert resolved.lines[staged.index("b")] == 5


def test_a_snippet_is_a_titled_block_of_code(tmp_path: Path) -> None:
    resolved = resolve("::: snippet plain.py lines=3-3", FILE, sources(tmp_path))
    assert resolved.text == (
        '``` { .python title="plain.py" data-snippet="plain.py" data-lines="3-3" }\nthird = 3\n```'
    )
    assert resolved.snippets == {"plain.py"}


def test_an_example_is_three_tabs(tmp_path: Path) -> None:
    resolved = resolve("::: example good", FILE, sources(tmp_path, "ru"))
    indented = METRIC.replace("\n", "\n    ").rstrip(" ")
    assert resolved.text == (
        '=== "metric.py"\n\n'
        '    ``` { .python title="metric.py" data-snippet="good/metric.py" }\n'
        f"    {indented}    ```\n\n"
        '=== "Примеры"\n\n'
        '    ``` { .json title="cases.jsonl" data-snippet="good/cases.jsonl" }\n'
        f"    {CASES}    ```\n\n"
        '=== "Результаты"\n\n'
        "    | Пример | Выход | Оценка | Обратная связь |\n"
        "    | --- | --- | --- | --- |\n"
        '    | 1 | `"a"` | `1.0` | `Fine.` |'
    )
    assert resolved.snippets == {"good/metric.py", "good/cases.jsonl"}


@pytest.mark.parametrize(
    "block",
    [
        ":::example good",
        ":: example good",
        ":::: example good",
        " ::: example good",
        "- ::: example good",
        "> ::: example good",
        "：：： example good",
        "::：example good",
        ": : : example good",
        ":::\texample good",
        "See ::: example good",
    ],
)
def test_what_looks_like_a_block_but_is_none_is_refused(tmp_path: Path, block: str) -> None:
    line, text = refused(tmp_path, block)
    assert line == 3
    assert 'Begin the line with "::: example"' in text


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ("::: exampel good", "unknown block 'exampel'."),
        ("::: exampel good", "Did you mean example?"),
        ("::: validity_table", "Did you mean validity-table?"),
        ("::: Example good", "unknown block 'Example'."),
        ("::: ", "unknown block ''."),
        ("::: example", "an argument is missing. Write ::: example NAME"),
        ("::: snippet", "an argument is missing. Write ::: snippet PATH [lines=...]"),
        ("::: example good bad", "surplus argument 'bad'. Write ::: example NAME"),
        ("::: limits all", "surplus argument 'all'. Write ::: limits"),
        ("::: limits lines=1-2", "limits takes no option 'lines'. Options of limits: none."),
        ("::: snippet plain.py line=1-2", "snippet takes no option 'line'."),
        ("::: snippet plain.py lines=1-1 lines=3-3", "an option stands twice."),
        ("::: snippet plain.py lines=1", "lines=1 is no range of lines."),
        ("::: snippet plain.py lines=", "lines= is no range of lines."),
        ("::: snippet plain.py lines=1-9", "lines=1-9: plain.py has only 3 lines."),
        ("::: snippet plain.py lines=3-1", "lines=3-1 is reversed."),
        ("::: snippet plan.py", "Did you mean plain.py?"),
        ("::: example god", "there is no example god. Examples: good. Did you mean good?"),
        ("::: example good/metric.py", "there is no example good/metric.py."),
        ("::: example “good”", "the curly quote “ stands in a block."),
        ("::: snippet «plain.py»", "the curly quote « stands in a block."),
    ],
)
def test_a_wrong_block_is_refused_with_what_to_write(tmp_path: Path, block: str, text: str) -> None:
    line, found = refused(tmp_path, block)
    assert line == 3
    assert text in found


@pytest.mark.parametrize(
    "page", ["Text.\n::: limits\n", "::: limits\nText.\n", "::: limits\n::: limits"]
)
def test_a_block_inside_other_text_is_refused(tmp_path: Path, page: str) -> None:
    with pytest.raises(Refusal) as caught:
        resolve(page, FILE, sources(tmp_path))
    assert caught.value.faults[0].problem == "a block stands inside other text."


def test_all_wrong_blocks_of_a_page_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as caught:
        resolve("::: a\n\n::: limits\n\n::: b\n", FILE, sources(tmp_path))
    assert [fault.line for fault in caught.value.faults] == [1, 5]


def test_a_bad_case_is_refused_with_its_own_file_and_line(tmp_path: Path) -> None:
    bad = f'{CASES}{{"input": {{}}, "outptu": 1}}\n'
    with pytest.raises(Refusal) as caught:
        resolve("::: example good", FILE, sources(tmp_path, **{"good/cases.jsonl": bad}))
    fault = the_fault(caught)
    assert (fault.file, fault.line) == ("snippets/good/cases.jsonl", 2)
    assert "outptu" in fault.problem
    assert "snippets/good" not in fault.problem


@pytest.mark.parametrize("result", ["", ', "result": {"score": 1.0}'])
def test_a_case_without_a_full_pin_is_refused(tmp_path: Path, result: str) -> None:
    bad = f'{CASES}{{"input": {{}}, "output": 1{result}}}\n'
    with pytest.raises(Refusal) as caught:
        resolve("::: example good", FILE, sources(tmp_path, **{"good/cases.jsonl": bad}))
    fault = the_fault(caught)
    assert (fault.file, fault.line) == ("snippets/good/cases.jsonl", 2)
    assert "make pin" in fault.remedy


def test_there_are_these_blocks_and_no_others() -> None:
    assert set(BLOCKS) == {
        "example",
        "snippet",
        "validity-table",
        "feedback-pairs",
        "limits",
        "check-items",
        "guide-version",
        "terminal",
        "install",
        "workflow",
        "command-options",
        "case-fields",
        "report-fields",
        "helpers",
        "python-names",
        "reasons",
    }
