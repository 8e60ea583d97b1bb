"""Case files against the oracle: fields as written, bad lines refused by their numbers (B5)."""

from __future__ import annotations

import copy
import re
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn import drawn
from oracle_cases import (
    FAULTS,
    KEYS,
    NAME,
    SIMPLE,
    CaseFile,
    ExpectedCase,
    ExpectedPin,
    bad_files,
    cut_lines,
    files_without_cases,
    good_files,
    same,
)
from skynet_stub.cases import Case, load_cases, parse_cases
from skynet_stub.refused import Refused


def as_expected_case(case: Case) -> ExpectedCase:
    """The fields of a parsed case, as the oracle writes them."""
    pin = case.result
    return ExpectedCase(
        input=case.input,
        output=case.output,
        expected=case.expected,
        llm=case.llm,
        ms=case.measured.ms,
        usd=case.measured.usd,
        result=None if pin is None else ExpectedPin(pin.score, pin.feedback, plain(pin.scores)),
        number=case.number,
        line=case.line,
    )


def plain(scores: Mapping[str, float] | None) -> dict[str, float] | None:
    return None if scores is None else dict(scores)


def assert_same_case(found: ExpectedCase, want: ExpectedCase) -> None:
    for name in ("number", "line", "input", "output", "expected", "llm", "ms", "usd"):
        assert same(getattr(found, name), getattr(want, name)), name
    assert (found.result is None) is (want.result is None)
    if found.result is not None and want.result is not None:
        for name in ("score", "feedback", "scores"):
            assert same(getattr(found.result, name), getattr(want.result, name)), name


def refusal_of(read: Callable[[], object]) -> str:
    """The one line with which the file is refused."""
    with pytest.raises(Refused) as caught:
        read()
    text = str(caught.value)
    assert text.splitlines() == [text]
    assert NAME in text
    return text


def line_numbers_in(text: str) -> set[int]:
    """Every number that the text gives as a line's."""
    return {int(n) for n in re.findall(rf"(?:\bline |{re.escape(NAME)}:)(\d+)", text)}


def assert_refused_at_its_line(file: CaseFile) -> None:
    assert file.bad
    text = refusal_of(lambda: parse_cases(file.data, NAME))
    assert line_numbers_in(text) == {file.bad_line}
    rest = text.replace(NAME, "")
    for word in file.bad.words:
        assert word in rest
        rest = rest.replace(word, "", 1)  # "outputs" does not name "output"
    if file.bad.close:
        known = [word for word in re.findall(r"\w+", rest) if word in KEYS]
        assert known[0] == file.bad.close


@drawn(30)
@given(good_files())
def test_each_field_of_each_case_is_as_written(file: CaseFile) -> None:
    found = [as_expected_case(case) for case in parse_cases(file.data, NAME)]
    assert len(found) == len(file.cases)
    for case, want in zip(found, file.cases, strict=True):
        assert_same_case(case, want)


@pytest.mark.parametrize("fault", FAULTS)
def test_every_such_fault_is_refused_with_its_line_and_key(fault: str) -> None:
    for bad in FAULTS[fault]:
        data = b"\n".join([SIMPLE.text, b"", SIMPLE.text, bad.text, SIMPLE.text])
        assert_refused_at_its_line(CaseFile(data, (), 4, bad))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_line_is_refused_wherever_it_stands(fault: str) -> None:
    @drawn(4)
    @given(bad_files(st.sampled_from(FAULTS[fault])))
    def each(file: CaseFile) -> None:
        assert_refused_at_its_line(file)

    each()


@drawn(12)
@given(bad_files(cut_lines()))
def test_a_line_that_is_cut_off_is_refused(file: CaseFile) -> None:
    assert_refused_at_its_line(file)


@drawn(5)
@given(files_without_cases())
def test_a_file_without_a_case_is_refused(file: CaseFile) -> None:
    refusal_of(lambda: parse_cases(file.data, NAME))


@drawn(5)
@given(good_files())
def test_a_file_on_disk_reads_as_its_bytes_do(file: CaseFile) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, NAME)
        path.write_bytes(file.data)
        assert load_cases(path) == parse_cases(file.data, NAME)


@pytest.mark.parametrize("depth", [50, 200, 400, 600, 900, 5_000, 50_000])
def test_what_is_not_refused_as_too_deep_can_be_copied_for_a_call(depth: int) -> None:
    data = b'{"input": {}, "output": ' + b"[" * depth + b"]" * depth + b"}"
    cases: tuple[Case, ...] = ()
    with suppress(Refused):
        cases = parse_cases(data, NAME)
    assert cases or depth > 50
    copy.deepcopy(cases)
