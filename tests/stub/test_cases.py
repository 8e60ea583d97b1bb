"""Case files: what a line may hold, and what is refused, with its line and why (B5)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skynet_stub.cases import CASE_FIELDS, Case, Measured, Pin, load_cases, parse_cases
from skynet_stub.refused import Refused

LEAST = b'{"input": {}, "output": 0}'
"""The shortest case: only what is required."""


def only_case(line: str) -> Case:
    (case,) = parse_cases(line.encode(), "cases.jsonl")
    return case


def with_key(key: str, value: str) -> str:
    """The shortest case with one more key, whose value is JSON text."""
    return f'{{"input": {{}}, "output": 0, "{key}": {value}}}'


def refusal(data: bytes, name: str = "cases.jsonl") -> Refused:
    with pytest.raises(Refused) as caught:
        parse_cases(data, name)
    return caught.value


# --- What a case may hold ------------------------------------------------------------------------


def test_only_input_and_output_are_required() -> None:
    assert parse_cases(LEAST, "cases.jsonl") == (
        Case(
            number=1,
            line=1,
            input={},
            output=0,
            expected=None,
            llm=(),
            measured=Measured(ms=None, usd=None),
            result=None,
        ),
    )


@pytest.mark.parametrize("field", CASE_FIELDS)
def test_a_field_is_required_as_the_list_of_fields_says(field: str) -> None:
    case: dict[str, Any] = {"input": {}, "output": 0, "measured": {}, "result": {"score": 1}}
    within, _, key = field.rpartition(".")
    (case[within] if within else case).pop(key, None)
    if CASE_FIELDS[field]:
        refused = refusal(json.dumps(case).encode())
        assert (refused.key, refused.facts["key"]) == ("refused.key-missing", field)
    else:
        assert len(parse_cases(json.dumps(case).encode(), "cases.jsonl")) == 1


def test_a_case_holds_all_that_its_line_says() -> None:
    line = (
        '{"input": {"question": "¿Qué?"}, "output": ["a", 1.5, null], "expected": {"label": "b"}, '
        '"llm": ["PASS", ""], "measured": {"ms": 12, "usd": 0.5}, '
        '"result": {"score": 1, "feedback": "", "scores": {"format": 0}}}'
    )
    assert only_case(line) == Case(
        number=1,
        line=1,
        input={"question": "¿Qué?"},
        output=["a", 1.5, None],
        expected={"label": "b"},
        llm=("PASS", ""),
        measured=Measured(ms=12.0, usd=0.5),
        result=Pin(score=1.0, feedback="", scores={"format": 0.0}),
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("true", True),
        ("-1.5e3", -1500.0),
        ("12345678901234567890", 12345678901234567890),
        ('"text"', "text"),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ud83d"', "\ud83d"),
        ("[[], {}]", [[], {}]),
        ('{"": {"NaN": "NaN"}}', {"": {"NaN": "NaN"}}),
    ],
)
def test_an_output_or_an_expected_value_is_any_json(text: str, value: object) -> None:
    case = only_case(f'{{"input": {{}}, "output": {text}, "expected": {text}}}')
    assert (case.output, case.expected) == (value, value)


@pytest.mark.parametrize(("text", "value"), [("false", False), ("0", 0), ('""', ""), ("{}", {})])
def test_an_expected_value_that_counts_as_false_is_kept(text: str, value: object) -> None:
    expected = only_case(with_key("expected", text)).expected
    assert expected == value
    assert expected is not None


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("{}", Measured(None, None)),
        ('{"ms": 0}', Measured(0.0, None)),
        ('{"usd": 0.25}', Measured(None, 0.25)),
        ('{"ms": null, "usd": 1}', Measured(None, 1.0)),
        ('{"usd": null, "ms": 1e-300}', Measured(1e-300, None)),
    ],
)
def test_what_is_absent_or_null_was_not_measured(text: str, measured: Measured) -> None:
    assert only_case(with_key("measured", text)).measured == measured


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        ('{"score": 0}', Pin(0.0, None, None)),
        ('{"score": -1.5, "feedback": "No."}', Pin(-1.5, "No.", None)),
        ('{"score": 1, "scores": {}}', Pin(1.0, None, {})),
        ('{"scores": {"a": 1}, "score": 1}', Pin(1.0, None, {"a": 1.0})),
    ],
)
def test_a_pin_needs_a_score_alone(text: str, pin: Pin) -> None:
    assert only_case(with_key("result", text)).result == pin


def test_every_number_of_a_case_is_a_plain_float() -> None:
    case = only_case(
        '{"input": {}, "output": 0, "measured": {"ms": 1, "usd": 2}, '
        '"result": {"score": 1, "scores": {"a": 1}}}'
    )
    assert case.result is not None
    assert case.result.scores is not None
    numbers = [case.measured.ms, case.measured.usd, case.result.score, case.result.scores["a"]]
    assert [type(number) for number in numbers] == [float] * 4


def test_a_case_cannot_be_changed() -> None:
    case = only_case(LEAST.decode())
    with pytest.raises(AttributeError):
        case.output = 1  # type: ignore[misc]


# --- Lines ---------------------------------------------------------------------------------------

THREE_CASES = {
    "line feeds": b"%s\n%s\n%s\n",
    "no line feed at the end": b"%s\n%s\n%s",
    "carriage returns too": b"%s\r\n%s\r\n%s\r\n",
    "a byte order mark": b"\xef\xbb\xbf%s\n%s\n%s\n",
    "blanks around": b"  %s\t\n\t%s \r\n %s  ",
}


@pytest.mark.parametrize("written", THREE_CASES)
def test_each_line_is_one_case(written: str) -> None:
    data = THREE_CASES[written] % (LEAST, LEAST, LEAST)
    cases = parse_cases(data, "cases.jsonl")
    assert [(case.number, case.line) for case in cases] == [(1, 1), (2, 2), (3, 3)]


def test_blank_lines_are_passed_over_but_counted() -> None:
    data = b"\n \t\r\n" + LEAST + b"\n\n" + LEAST + b"\n\n"
    cases = parse_cases(data, "cases.jsonl")
    assert [(case.number, case.line) for case in cases] == [(1, 3), (2, 5)]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085"])
def test_only_a_line_feed_ends_a_line(separator: str) -> None:
    case = only_case(f'{{"input": {{}}, "output": "a{separator}b"}}')
    assert case.output == f"a{separator}b"


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_a_file_without_a_case_is_refused(data: bytes) -> None:
    refused = refusal(data, "some/cases.jsonl")
    assert (refused.key, refused.facts) == ("refused.no-cases", {"file": "some/cases.jsonl"})


# --- What is refused -----------------------------------------------------------------------------

TOO_LARGE = str(10**309)
"""An integer that no float holds."""

BAD_LINES: dict[str, tuple[str | bytes, str, dict[str, str]]] = {
    # not one JSON object
    "text": ("score", "line-not-json", {"column": "1", "problem": "Expecting value"}),
    "cut off": ('{"input": {}', "line-not-json", {"column": "13"}),
    "two objects": ("{} {}", "line-not-json", {"column": "4", "problem": "Extra data"}),
    "a comment": (LEAST + b" // one", "line-not-json", {"column": "28"}),
    "single quotes": ("{'input': {}}", "line-not-json", {"column": "2"}),
    "letters around": (b"X" + LEAST + b"X", "line-not-json", {"column": "1"}),
    "a form feed": ("\f", "line-not-json", {"column": "1"}),
    "a second byte order mark": ("\ufeff" + LEAST.decode(), "mark-amid-the-file", {}),
    "a list": ("[]", "line-not-an-object", {"found": "[]"}),
    "a string": ('"input"', "line-not-an-object", {"found": '"input"'}),
    "null": ("null", "line-not-an-object", {"found": "null"}),
    "nested too deeply": (with_key("expected", "[" * 100_000), "line-too-deep", {}),
    "not UTF-8": (LEAST[:-2] + b'"\xe9"}', "line-not-utf-8", {"byte": "0xe9", "column": "26"}),
    # numbers that JSON does not have
    "NaN": ('{"input": {"a": NaN}, "output": 0}', "not-json-number", {"found": "NaN"}),
    "Infinity": ('{"input": {}, "output": [Infinity]}', "not-json-number", {"found": "Infinity"}),
    "-Infinity": (with_key("expected", "-Infinity"), "not-json-number", {"found": "-Infinity"}),
    "a float too large": (with_key("expected", "1e999"), "not-json-number", {"found": "1e999"}),
    "a float too small": (with_key("expected", "-1e999"), "not-json-number", {"found": "-1e999"}),
    "too many digits": (with_key("expected", "9" * 5000), "line-number-too-long", {}),
    # keys
    "a repeated key": ('{"input": {}, "input": {}}', "key-repeated", {"key": "input"}),
    "one within": (with_key("expected", '[{"a": {"b": 1, "b": 1}}]'), "key-repeated", {"key": "b"}),
    "no input": ('{"output": 0}', "key-missing", {"key": "input"}),
    "no output": ('{"input": {}}', "key-missing", {"key": "output"}),
    "no input and no output": ("{}", "key-missing", {"key": "input"}),
    "an unknown key": (
        with_key("label", "0"),
        "key-unknown",
        {"key": "label", "known": "input, output, expected, llm, measured, result"},
    ),
    "a mistyped key": (
        with_key("outptu", "0"),
        "key-mistyped",
        {"key": "outptu", "close": "output"},
    ),
    "a key in capitals": (with_key("Expected", "0"), "key-mistyped", {"close": "expected"}),
    "a key like none": (with_key("~", "0"), "key-unknown", {"key": "~"}),
    "an unknown measurement": (
        with_key("measured", '{"usf": 1}'),
        "key-mistyped",
        {"key": "measured.usf", "close": "measured.usd"},
    ),
    "an unknown part of a result": (
        with_key("result", '{"score": 1, "feedbck": ""}'),
        "key-mistyped",
        {"key": "result.feedbck", "close": "result.feedback"},
    ),
    "a result without a score": (
        with_key("result", '{"feedback": ""}'),
        "key-missing",
        {"key": "result.score"},
    ),
}

# The key of the case, its value, what is wrong, the key that is named, what was found there.
BAD_VALUES = [
    ("llm", '"PASS"', "not-strings", "llm", '"PASS"'),
    ("llm", '["PASS", 1]', "not-strings", "llm", '["PASS", 1]'),
    ("llm", "[null]", "not-strings", "llm", "[null]"),
    ("llm", "null", "not-strings", "llm", "null"),
    ("llm", '{"PASS": 1}', "not-strings", "llm", '{"PASS": 1}'),
    ("measured", "null", "not-an-object", "measured", "null"),
    ("measured", "1", "not-an-object", "measured", "1"),
    ("measured", '{"ms": "1"}', "not-a-number", "measured.ms", '"1"'),
    ("measured", '{"ms": true}', "not-a-number", "measured.ms", "true"),
    ("measured", '{"usd": false}', "not-a-number", "measured.usd", "false"),
    ("measured", '{"usd": []}', "not-a-number", "measured.usd", "[]"),
    ("measured", '{"ms": -1}', "negative", "measured.ms", "-1"),
    ("measured", '{"usd": -5e-324}', "negative", "measured.usd", "-5e-324"),
    ("measured", f'{{"ms": {TOO_LARGE}}}', "too-large", "measured.ms", "1000"),
    ("result", "null", "not-an-object", "result", "null"),
    ("result", "1", "not-an-object", "result", "1"),
    ("result", '{"score": null}', "not-a-number", "result.score", "null"),
    ("result", '{"score": true}', "not-a-number", "result.score", "true"),
    ("result", '{"score": "1"}', "not-a-number", "result.score", '"1"'),
    ("result", f'{{"score": -{TOO_LARGE}}}', "too-large", "result.score", "-1000"),
    ("result", '{"score": 1, "feedback": null}', "not-a-string", "result.feedback", "null"),
    ("result", '{"score": 1, "feedback": 0}', "not-a-string", "result.feedback", "0"),
    ("result", '{"score": 1, "scores": null}', "not-an-object", "result.scores", "null"),
    ("result", '{"score": 1, "scores": [1]}', "not-an-object", "result.scores", "[1]"),
    ("result", '{"score": 1, "scores": {"a": null}}', "not-a-number", "result.scores.a", "null"),
    ("result", '{"score": 1, "scores": {"a": true}}', "not-a-number", "result.scores.a", "true"),
    (
        "result",
        f'{{"score": 1, "scores": {{"a": {TOO_LARGE}}}}}',
        "too-large",
        "result.scores.a",
        "1000",
    ),
]


@pytest.mark.parametrize("bad", BAD_LINES)
def test_a_bad_line_is_refused_with_its_number_and_why(bad: str) -> None:
    line, key, facts = BAD_LINES[bad]
    data = line if isinstance(line, bytes) else line.encode()
    refused = refusal(b"\n".join([LEAST, b"", data, LEAST]), "some/cases.jsonl")
    assert refused.key == f"refused.{key}"
    assert refused.facts | facts == refused.facts
    assert refused.facts["file"] == "some/cases.jsonl"
    assert refused.facts["line"] == "3"
    assert str(refused).startswith("some/cases.jsonl, line 3")


@pytest.mark.parametrize("value", ["[]", "null", '"text"', "1"])
def test_an_input_that_is_no_object_is_refused(value: str) -> None:
    refused = refusal(f'{{"input": {value}, "output": 0}}'.encode())
    assert (refused.key, refused.facts["key"]) == ("refused.value-not-an-object", "input")


@pytest.mark.parametrize(
    ("key", "value", "wrong", "place", "found"),
    BAD_VALUES,
    ids=[f"{row[0]} {row[1][:40]}" for row in BAD_VALUES],
)
def test_a_bad_value_is_refused_with_its_key(
    key: str, value: str, wrong: str, place: str, found: str
) -> None:
    refused = refusal(LEAST + b"\n" + with_key(key, value).encode())
    assert refused.key == f"refused.value-{wrong}"
    assert refused.facts["line"] == "2"
    assert refused.facts["key"] == place
    assert refused.facts["found"].startswith(found)


def nested(levels: int) -> str:
    """A case whose deepest value stands that many levels below the case itself."""
    return with_key("expected", "[" * (levels - 1) + "0" + "]" * (levels - 1))


def test_a_case_may_be_nested_200_levels_deep_and_no_deeper() -> None:
    assert only_case(nested(200)).expected is not None
    assert refusal(nested(201).encode()).key == "refused.line-too-deep"
    deep = '{"a":' * 200 + "0" + "}" * 200
    assert refusal(with_key("expected", deep).encode()).key == "refused.line-too-deep"


@pytest.mark.parametrize(
    "value",
    [
        '"' + "[{" * 300 + '"',
        '"\\"' + "[" * 300 + '"',
        '"a\\\\", "llm": [], "expected": "' + "[" * 300 + '"',
        "[" + "[], {}, " * 300 + "0]",
        "[[" + "0], [" * 300 + "0]]",
    ],
    ids=["in a string", "after a quote", "in another string", "empty ones", "in a row"],
)
def test_brackets_that_are_not_nested_are_no_depth(value: str) -> None:
    assert only_case(f'{{"input": {{}}, "output": {value}}}').input == {}


def test_what_was_closed_before_is_no_way_to_be_deeper() -> None:
    deep = "[" + "[], {}, " * 10 + "[" * 199 + "]" * 199 + "]"
    assert refusal(with_key("expected", deep).encode()).key == "refused.line-too-deep"


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        (with_key("expected", f'{{"{"k" * 500}": 1, "{"k" * 500}": 2}}'), "key"),
        (with_key("k" * 500, "1"), "key"),
        (with_key("expected", "9" * 500 + ".0"), "found"),
        (with_key("llm", f'"{"k" * 500}"'), "found"),
    ],
    ids=["a repeated key", "an unknown key", "a float too large", "a value"],
)
def test_what_is_shown_of_a_bad_line_is_cut(line: str, fact: str) -> None:
    assert len(refusal(line.encode()).facts[fact]) == 200


def test_a_mistyped_key_is_shown_on_one_line() -> None:
    assert refusal(with_key(r"out\nput", "1").encode()).facts["key"] == "out put"


def test_an_integer_of_4300_digits_can_be_read() -> None:
    assert only_case(with_key("expected", "9" * 4300)).expected == 10**4300 - 1


NEAR_MISSES: dict[str, tuple[bytes, str, str]] = {
    "an array": (b'[{"input": {}, "output": 0}]', "cases-in-an-array", "1"),
    "an indented array": (b' \t[{"input": {}, "output": 0}]', "cases-in-an-array", "1"),
    "an array on lines": (b'\n[\n{"input": {}, "output": 0},\n{}\n]\n', "cases-in-an-array", "2"),
    "an indented object": (
        LEAST + b'\n{\n  "input": {},\n  "output": 0\n}\n',
        "case-on-several-lines",
        "2",
    ),
    "an indented object behind a mark": (
        b'\xef\xbb\xbf{\n"input": {}, "output": 0}',
        "case-on-several-lines",
        "1",
    ),
    "an indented object in another encoding": (
        b'{\n"input": {}, "output": "\xe9"}',
        "case-on-several-lines",
        "1",
    ),
    "two files with marks": (
        b"\xef\xbb\xbf" + LEAST + b"\n\xef\xbb\xbf" + LEAST,
        "mark-amid-the-file",
        "2",
    ),
    "an array of a case as deep as it may be": (
        b"[%s]" % nested(199).encode(),
        "cases-in-an-array",
        "1",
    ),
    "an array of other things": (b"[1]", "line-not-an-object", "1"),
    "an array of a case and other things": (b"[{}, 1]", "line-not-an-object", "1"),
    "an array of other things on lines": (b"[\n1\n]", "line-not-json", "1"),
    "an object that never ends": (b'{\n"input": {}, "output": 0\n', "line-not-json", "1"),
    "more brackets than Python can read": (b"[\n" * 100_000, "line-not-json", "1"),
}


@pytest.mark.parametrize("near", NEAR_MISSES)
def test_what_is_nearly_json_lines_is_named(near: str) -> None:
    data, key, line = NEAR_MISSES[near]
    refused = refusal(data)
    assert (refused.key, refused.facts["line"]) == (f"refused.{key}", line)
    assert refused.facts["file"] == "cases.jsonl"


def test_the_first_bad_line_is_the_one_that_is_named() -> None:
    assert refusal(LEAST + b"\n1\n2\n").facts["line"] == "2"


# --- Files ---------------------------------------------------------------------------------------


def test_a_case_file_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + LEAST + b"\r\n" + LEAST)
    for given in (path, str(path)):
        cases: tuple[Any, ...] = load_cases(given)
        assert [case.line for case in cases] == [1, 2]


def test_a_bad_line_of_a_file_is_named_with_the_path_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(LEAST + b"\n[]\n")
    with pytest.raises(Refused) as caught:
        load_cases(path)
    assert caught.value.facts == {"file": str(path), "line": "2", "found": "[]"}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("missing.jsonl", "refused.cases-missing"),
        ("x" * 300, "refused.cases-missing"),
        ("a\0b", "refused.cases-missing"),
        (".", "refused.cases-are-a-folder"),
    ],
)
def test_a_file_that_is_not_there_or_is_none_is_refused(
    tmp_path: Path, name: str, key: str
) -> None:
    with pytest.raises(Refused) as caught:
        load_cases(tmp_path / name)
    assert caught.value.key == key
    assert caught.value.facts == {"file": str(tmp_path / name)}


def test_a_device_is_refused_for_reading_it_might_never_end() -> None:
    with pytest.raises(Refused) as caught:
        load_cases("/dev/null")
    assert caught.value.key == "refused.cases-are-no-file"
    assert caught.value.facts == {"file": "/dev/null"}


def test_an_empty_name_is_no_file_and_is_shown() -> None:
    with pytest.raises(Refused) as caught:
        load_cases("")
    assert (caught.value.key, caught.value.facts) == ("refused.cases-missing", {"file": '""'})


def test_a_file_that_cannot_be_read_is_refused_with_what_the_system_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "cases.jsonl"
    path.write_bytes(LEAST)
    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(Refused) as caught:
        load_cases(path)
    assert caught.value.key == "refused.case-file-unreadable"
    assert caught.value.facts == {"file": str(path), "problem": "Permission denied"}


def test_a_refusal_is_one_line_in_any_language() -> None:
    refused = refusal(LEAST + b"\n[]\n", "some\ncases.jsonl")
    for language in ("en", "zh-Hans", "ru"):
        assert "\n" not in refused.text(language)
        assert "some cases.jsonl" in refused.text(language)
    assert str(refused) == refused.text("en")
