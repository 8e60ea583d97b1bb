"""The data of the tables is refused with the line of what is wrong in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_build.faults import Refusal
from docs_build.project import this_project
from docs_build.rows import read_feedback_pairs, read_return_values
from skynet_stub.messages import LANGUAGES
from small_sources import the_fault, write

GOOD_ROW = '[[row]]\nvalue = "0.8"\nvalid = false\nreason = "no-side-info"\n'
GOOD_PAIR = (
    '[[pair]]\nid = "one"\n'
    '[pair.weak]\nen = "Bad."\nzh-Hans = "差。"\nru = "Плохо."\n'
    '[pair.useful]\nen = "More."\nzh-Hans = "多些。"\nru = "Больше."\n'
)


@pytest.mark.parametrize(
    ("row", "line", "text"),
    [
        ("valu = 1", 9, "unknown key valu. Use value, valid, reason. Did you mean value?"),
        ('value = "0.9', 7, "this is not TOML"),
        ("[[rwo]]", 9, "unknown table rwo. Each table here is a [[row]]."),
    ],
)
def test_a_key_or_a_table_that_is_not_known_is_refused(
    tmp_path: Path, row: str, line: int, text: str
) -> None:
    bad = GOOD_ROW + "\n" + GOOD_ROW.rstrip("\n") + "\n"
    bad = bad + row + "\n" if "=" in row and "value =" not in row else bad
    if row.startswith("value"):
        bad = GOOD_ROW + f"\n[[row]]\n{row}\n"
    if row.startswith("[["):
        bad = GOOD_ROW + "\n\n\n\n" + row + "\n"
    with pytest.raises(Refusal) as caught:
        read_return_values(write(tmp_path / "snippets", {"return_values.toml": bad}))
    fault = the_fault(caught)
    assert fault.file == "snippets/return_values.toml"
    assert text in f"{fault.problem} {fault.remedy}"
    assert fault.line == (10 if row.startswith("valu =") else line)


@pytest.mark.parametrize(
    ("row", "line", "text"),
    [
        ("valid = true", 6, "the row has no value. Add value = a string."),
        ('value = "0.8"', 6, "the row has no valid. Add valid = true or false."),
        ("value = 0.8\nvalid = true", 7, "value is 0.8. Write a string."),
        ('value = "0.8"\nvalid = "no"', 8, "valid is 'no'. Write true or false."),
        ('value = "0.8"\nvalid = false', 8, "the row is not valid, and gives no reason."),
        (
            'value = "0.8"\nvalid = false\nreason = "no-sideinfo"',
            9,
            "unknown reason code no-sideinfo. Use a code of skynet_stub/reasons.py."
            " Did you mean no-side-info?",
        ),
        ('value = "0.8"\nvalid = false\nreason = 1', 9, "reason is 1."),
        (
            'value = \'(1, {"feedback": ""})\'\nvalid = true\nreason = "no-feedback"',
            9,
            "a valid row has no reason.",
        ),
        ('value = "(0.8, {"\nvalid = true', 7, "(0.8, { is not a Python value."),
        ('value = "open(0)"\nvalid = true', 7, "open(0) is not a Python value."),
        ('value = "0.8"\nvalid = true', 7, "of 0.8: it fails with no-side-info."),
        (
            'value = "(1, {})"\nvalid = false\nreason = "no-side-info"',
            7,
            "of (1, {}): it fails with no-feedback.",
        ),
        (
            'value = \'(1, {"feedback": ""})\'\nvalid = false\nreason = "no-feedback"',
            7,
            "it is valid. Correct the row, or the stub.",
        ),
    ],
)
def test_a_bad_row_is_refused_with_its_line(tmp_path: Path, row: str, line: int, text: str) -> None:
    content = f"{GOOD_ROW}\n[[row]]\n{row}\n"
    with pytest.raises(Refusal) as caught:
        read_return_values(write(tmp_path / "snippets", {"return_values.toml": content}))
    fault = the_fault(caught)
    assert (fault.file, fault.line) == ("snippets/return_values.toml", line)
    assert text in f"{fault.problem} {fault.remedy}"


def test_all_bad_rows_are_named_at_once(tmp_path: Path) -> None:
    content = f'[[row]]\nvalue = "1"\nvalid = true\n{GOOD_ROW}[[row]]\nvalue = "("\nvalid = true\n'
    with pytest.raises(Refusal) as caught:
        read_return_values(write(tmp_path / "snippets", {"return_values.toml": content}))
    assert [fault.line for fault in caught.value.faults] == [2, 9]


@pytest.mark.parametrize("content", ["", "# nothing\n", "row = []\n", "row = 1\n"])
def test_a_file_without_rows_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(Refusal, match=r"there is no \[\[row\]\]"):
        read_return_values(write(tmp_path, {"return_values.toml": content}))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"return_values\.toml: the file is missing"):
        read_return_values(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "line", "text"),
    [
        ('id = "one"\n', "", 1, 'the pair has no id. Add id = "a-word".'),
        ('ru = "Плохо."\n', "", 3, 'weak has no text in ru. Add ru = "...".'),
        ('zh-Hans = "多些。"', 'zh-Hans = " "', 9, "useful has no text in zh-Hans."),
        ('ru = "Плохо."', 'ru = "Плохо."\nde = "x"', 7, "unknown language de."),
        ("[pair.useful]", "[pair.usefull]", 1, "the pair has no texts at useful."),
    ],
)
def test_a_bad_pair_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, text: str
) -> None:
    content = GOOD_PAIR.replace(old, new)
    assert content != GOOD_PAIR
    with pytest.raises(Refusal) as caught:
        read_feedback_pairs(write(tmp_path / "snippets", {"feedback.toml": content}), LANGUAGES)
    fault = the_fault(caught)
    assert (fault.file, fault.line) == ("snippets/feedback.toml", line)
    assert text in f"{fault.problem} {fault.remedy}"


def test_two_pairs_with_one_id_are_refused(tmp_path: Path) -> None:
    content = f"{GOOD_PAIR}\n{GOOD_PAIR}"
    with pytest.raises(Refusal) as caught:
        read_feedback_pairs(write(tmp_path / "snippets", {"feedback.toml": content}), LANGUAGES)
    fault = the_fault(caught)
    assert (fault.line, fault.problem) == (13, "the id one stands here again.")


def test_the_validity_table_has_the_seven_rows_of_the_contract() -> None:
    found = read_return_values(this_project().snippets)
    assert [row.reason for row in found] == [
        None,
        None,
        "no-side-info",
        "side-info-not-a-dict",
        "no-feedback",
        "score-is-a-string",
        "named-score-not-a-number",
    ]


def test_the_project_shows_two_pairs_of_feedback() -> None:
    found = read_feedback_pairs(this_project().snippets, LANGUAGES)
    assert [pair.id for pair in found] == ["label", "json"]
