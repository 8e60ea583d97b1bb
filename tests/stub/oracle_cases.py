"""An oracle for case files, written from the contract alone (B5).

Strategies write the lines of a case file out by hand, JSON included, together with the fields that
each line must give; or with one known fault in one known line. No JSON is parsed or dumped here, so
nothing can share a mistake with code that does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from hypothesis import strategies as st

NAME = "cases.jsonl"
KEYS = frozenset({"input", "output", "expected", "llm", "measured", "result"})
BOM = b"\xef\xbb\xbf"

# --- JSON, written out beside the value that it stands for ---------------------------------------


class Json(NamedTuple):
    """A JSON text and the value that it means."""

    text: str
    value: Any


SHORT_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\b": "\\b",
    "\f": "\\f",
}


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04X}\\u{0xDC00 + low:04X}"


def quoted(content: str, ascii_only: bool = False) -> Json:
    """A JSON string. A lone surrogate is always escaped: UTF-8 has no bytes for it."""

    def written(character: str) -> str:
        if character in SHORT_ESCAPES:
            return SHORT_ESCAPES[character]
        must = character < " " or "\ud800" <= character <= "\udfff"
        return _escaped(character) if must or (ascii_only and character > "~") else character

    return Json('"' + "".join(written(c) for c in content) + '"', content)


def array(items: Iterable[Json], comma: str = ", ") -> Json:
    """A JSON array of these items."""
    listed = list(items)
    return Json(f"[{comma.join(item.text for item in listed)}]", [item.value for item in listed])


def object_of(entries: Iterable[tuple[Json, Json]], comma: str = ", ", colon: str = ": ") -> Json:
    """A JSON object of these entries; a name that stands twice stands twice in the text."""
    listed = list(entries)
    text = comma.join(f"{name.text}{colon}{value.text}" for name, value in listed)
    return Json(f"{{{text}}}", {name.value: value.value for name, value in listed})


def named(**values: Json) -> Json:
    """A JSON object with plain names."""
    return object_of((quoted(name), value) for name, value in values.items())


NULL, TRUE, FALSE = Json("null", None), Json("true", True), Json("false", False)
ZERO, ONE, HALF = Json("0", 0), Json("1", 1), Json("0.5", 0.5)
EMPTY = Json("{}", {})

# Characters that str.splitlines or a text file would take for the end of a line, and JSON does not.
NO_LINE_ENDS = "\u2028\u2029\x85\v\f\x1c\x1d\x1e"
TEXTS = (
    "",
    "ok",
    "Which label?",
    f"a{NO_LINE_ENDS}b",
    "two\nlines\r\n",
    'quote " and \\',
    "\ufeff",
    "\ud800",
    "\U0001f600",
    "вот",
    "标签",
    "NaN",
    "}{",
    "# //",
    "\x00\x7f",
)
ALPHABET = f"aZ09 '\"\\/\b\n\r\t\x00\x7f\xa0\xdfя标\U0001f600\udfff\ufeff{{}}[]:,{NO_LINE_ENDS}"
texts = st.builds(
    quoted, st.sampled_from(TEXTS) | st.text(st.sampled_from(ALPHABET), max_size=6), st.booleans()
)
integers = st.sampled_from(
    [
        *(Json(str(n), n) for n in (0, 1, -1, 7, 2**53 + 1, -(2**64), 10**400)),
        Json("-0", 0),
    ]
)
FLOATS = (
    Json("1.0", 1.0),
    Json("-0.0", -0.0),
    Json("1e5", 100000.0),
    Json("1E+2", 100.0),
    Json("25e-2", 0.25),
    Json("1e-400", 0.0),
    Json("0.1000000000000000055511151231257827", 0.1),
    Json("1.7976931348623157e308", 1.7976931348623157e308),
)
floats = st.one_of(
    st.sampled_from(FLOATS),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: Json(repr(x), x)),
)
leaves = st.one_of(st.sampled_from([NULL, TRUE, FALSE]), integers, floats, texts)
commas = st.sampled_from([", ", ",", " ,\t", ",\r"])
colons = st.sampled_from([": ", ":", "\t:"])


def objects_of(
    values: st.SearchStrategy[Json], names: st.SearchStrategy[Json] = texts, max_size: int = 3
) -> st.SearchStrategy[Json]:
    """JSON objects without a repeated name."""
    entries = st.lists(
        st.tuples(names, values), max_size=max_size, unique_by=lambda entry: str(entry[0].value)
    )
    return st.builds(object_of, entries, commas, colons)


def _nested(values: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.one_of(
        st.builds(array, st.lists(values, max_size=3), commas), objects_of(values, max_size=2)
    )


def _nested_deep(depth: int) -> Json:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return Json("[" * depth + "1" + "]" * depth, value)


any_json = st.one_of(
    leaves, leaves, _nested(st.one_of(leaves, _nested(leaves))), st.just(_nested_deep(50))
)
any_object = objects_of(st.one_of(leaves, _nested(leaves)))

# --- Cases ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExpectedPin:
    """What the result of a case is pinned to."""

    score: float
    feedback: str | None
    scores: dict[str, float] | None


@dataclass(frozen=True)
class ExpectedCase:
    """The fields that a line must give; `number` and `line` are set when it stands in a file."""

    input: dict[str, Any]
    output: Any
    expected: Any = None
    llm: tuple[str, ...] = ()
    ms: float | None = None
    usd: float | None = None
    result: ExpectedPin | None = None
    number: int = 0
    line: int = 0


class Good(NamedTuple):
    """A valid line and what it gives."""

    text: bytes
    case: ExpectedCase


class Blank(NamedTuple):
    """A line of blanks."""

    text: bytes


class Bad(NamedTuple):
    """A line with one fault. `words` are what the refusal must name beside file and line, and
    `close` is the key of a case that it must name before any other key that is known."""

    text: bytes
    words: tuple[str, ...] = ()
    close: str | None = None


def _as_float(number: Any) -> float:
    assert isinstance(number, int | float)
    return number / 1


amounts = st.sampled_from(
    [
        ZERO,
        ONE,
        HALF,
        Json("-0.0", -0.0),
        Json("1200", 1200),
        Json("1e-7", 1e-7),
        Json(str(10**300), 10**300),
        NULL,
    ]
)
pin_numbers = st.one_of(
    st.sampled_from([ZERO, ONE, HALF, Json("-3", -3), Json(str(10**300), 10**300)]), floats
)
replies = st.lists(texts, max_size=3)


class Part(NamedTuple):
    """An entry of a case and the fields that it gives."""

    entry: tuple[str, Json]
    gives: dict[str, Any]


def _measured(entries: list[tuple[Json, Json]], comma: str) -> Part:
    written = object_of(entries, comma)
    return Part(
        ("measured", written),
        {name: None if x is None else _as_float(x) for name, x in written.value.items()},
    )


measurements = st.builds(
    _measured,
    st.lists(
        st.tuples(st.sampled_from(["ms", "usd"]).map(quoted), amounts),
        max_size=2,
        unique_by=lambda entry: str(entry[0].value),
    ),
    commas,
)


@st.composite
def pinned(draw: st.DrawFn) -> Part:
    """A pinned result, its keys in any order."""
    score = draw(pin_numbers)
    entries = [(quoted("score"), score)]
    pin = ExpectedPin(_as_float(score.value), None, None)
    if draw(st.booleans()):
        feedback = draw(texts)
        entries.append((quoted("feedback"), feedback))
        pin = replace(pin, feedback=feedback.value)
    if draw(st.booleans()):
        scores = draw(objects_of(pin_numbers, max_size=2))
        entries.append((quoted("scores"), scores))
        pin = replace(pin, scores={name: _as_float(x) for name, x in scores.value.items()})
    return Part(("result", object_of(draw(st.permutations(entries)))), {"result": pin})


OPTIONAL: dict[str, st.SearchStrategy[Part]] = {
    "expected": any_json.map(lambda x: Part(("expected", x), {"expected": x.value})),
    "llm": replies.map(lambda xs: Part(("llm", array(xs)), {"llm": tuple(x.value for x in xs)})),
    "measured": measurements,
    "result": pinned(),
}
around = st.sampled_from(["", "", " ", "\t"])


@st.composite
def good_lines(draw: st.DrawFn) -> Good:
    """A valid line: any optional keys, in any order."""
    given, output = draw(any_object), draw(any_json)
    parts = [
        Part(("input", given), {"input": given.value}),
        Part(("output", output), {"output": output.value}),
        *(draw(OPTIONAL[key]) for key in draw(st.sets(st.sampled_from(sorted(OPTIONAL))))),
    ]
    ordered = draw(st.permutations(parts))
    fields = {name: value for part in ordered for name, value in part.gives.items()}
    ascii_only = draw(st.booleans())
    written = object_of(
        ((quoted(part.entry[0], ascii_only), part.entry[1]) for part in ordered), draw(commas)
    )
    return Good(f"{draw(around)}{written.text}{draw(around)}".encode(), ExpectedCase(**fields))


blank_lines = st.sampled_from([b"", b" ", b"\t  "]).map(Blank)

# --- Lines with one fault ------------------------------------------------------------------------

OUTPUT = quoted("ok")
LAST = 2**1024 - 2**970  # the least int that is too large for a float


def _line(*words: str, **values: Json) -> Bad:
    """A case whose entries are these, beside a valid input and output."""
    entries = {"input": EMPTY, "output": OUTPUT} | values
    return Bad(named(**entries).text.encode(), words)


def _entries(*entries: tuple[str, str]) -> str:
    return "{" + ", ".join(f'"{name}": {value}' for name, value in entries) + "}"


def _raw(text: str, *words: str) -> Bad:
    return Bad(text.encode(), words)


REQUIRED = '"input": {}, "output": "ok"'
NOT_FINITE = tuple(Json(text, None) for text in ("NaN", "Infinity", "-Infinity", "1e999", "-1e999"))
NOT_FLOATS = tuple(Json(str(n), n) for n in (LAST, -LAST, 10**400))


def _bad_numbers() -> list[Bad]:
    lines = []
    for number in NOT_FINITE:
        lines += [
            _line(input=named(x=number)),
            _line(output=number),
            _line(output=array([ONE, named(x=array([number]))])),
            _line(expected=named(label=number)),
            _line(measured=named(ms=number)),
            _line(result=named(score=number)),
            _line(result=named(score=ONE, scores=named(a=number))),
        ]
    return lines


def _repeated_keys() -> list[Bad]:
    twice = object_of([(quoted("a"), ONE), (quoted("b"), ONE), (quoted("a"), ONE)])
    same = object_of([(quoted("label"), ONE), (Json('"l\\u0061bel"', "label"), HALF)])
    inside = [twice, array([ONE, twice]), named(x=array([named(y=twice)]))]
    return [
        _raw(f'{{{REQUIRED}, "output": "ok"}}', "output"),
        _raw(f'{{"input": {{}}, {REQUIRED}}}', "input"),
        _raw(f'{{{REQUIRED}, "expected": null, "expected": null}}', "expected"),
        _raw(f'{{{REQUIRED}, "expected": 1, "expect\\u0065d": 1}}', "expected"),
        _raw(f'{{{REQUIRED}, "result": {{"score": 1, "score": 1}}}}', "score"),
        _raw(f'{{{REQUIRED}, "measured": {{"usd": 1, "usd": 2}}}}', "usd"),
        _raw(f'{{{REQUIRED}, "result": {{"score": 1, "scores": {{"fmt": 1, "fmt": 0}}}}}}', "fmt"),
        _line("a", input=twice),
        _line("label", input=same),
        *(_line("a", output=value) for value in inside),
        *(_line("a", expected=value) for value in inside),
    ]


# An unknown key and the known one that it must be close to; None where none is.
UNKNOWN = (
    ("outputs", "output"),
    ("ouput", "output"),
    ("expect", "expected"),
    ("Expected", "expected"),
    ("inputs", "input"),
    ("measure", "measured"),
    ("results", "result"),
    ("llms", "llm"),
    ("zzzz", None),
    ("comment", None),
    ("", None),
    ("метка", None),
)


def _unknown_keys() -> list[Bad]:
    def line(key: str, close: str | None, value: str = "1") -> Bad:
        return Bad(f'{{{REQUIRED}, "{key}": {value}}}'.encode(), (key,), close)

    return [
        *(line(key, close) for key, close in UNKNOWN),
        *(line(key, close, "null") for key, close in UNKNOWN),
        _raw(f'{{{REQUIRED}, "two\\nlines": 1}}'),
        _raw(f'{{{REQUIRED}, "\\ud800": 1}}'),
        _line("feedbak", "feedback", result=named(score=ONE, feedbak=OUTPUT)),
        _line("reason", result=named(score=ONE, reason=OUTPUT)),
        _line("mss", "ms", measured=named(mss=ONE)),
        _line("seconds", measured=named(ms=ONE, seconds=ONE)),
    ]


def _wrong(key: str, within: str, others: dict[str, Json], values: Iterable[Json]) -> list[Bad]:
    return [_line(key, **{within: named(**{key: value}, **others)}) for value in values]


NOT_STRINGS = (NULL, ONE, TRUE, array([OUTPUT]), EMPTY)
NOT_NUMBERS = (TRUE, FALSE, quoted("1"), array([ONE]), EMPTY)
NEGATIVE = (Json("-1", -1), Json("-0.5", -0.5), Json("-1e-300", -1e-300))


def _each(key: str, values: Iterable[Json]) -> tuple[Bad, ...]:
    return tuple(_line(key, **{key: value}) for value in values)


FAULTS: dict[str, tuple[Bad, ...]] = {
    "bad JSON": (
        _raw("{"),
        _raw("}"),
        _raw("hello"),
        _raw("nan"),
        _raw(f"{{{REQUIRED},}}"),
        _raw(f"{{{REQUIRED}}},"),
        _raw(f"{{{REQUIRED}}} {{{REQUIRED}}}"),
        _raw(f"{{{REQUIRED}}} # a comment"),
        _raw(f"// {{{REQUIRED}}}"),
        _raw("{'input': {}, 'output': 1}"),
        _raw('{input: {}, "output": 1}'),
        _raw('{"input": {}, "output": True}'),
        _raw('{"input": {}, "output": 01}'),
        _raw('{"input": {}, "output": .5}'),
        _raw('{"input": {}, "output": +1}'),
        _raw('{"input": {}, "output": 0x1}'),
        _raw('{"input": {}, "output": "a raw\ttab"}'),
        _raw('{"input": {}, "output": "a raw \x0b"}'),
        _raw('{"input": {}, "output": "\\x41"}'),
        _raw('{"input": {}, "output": "\\u12"}'),
        _raw('{"input": {}\x0c, "output": 1}'),
        _raw('{"input": {},\u00a0"output": 1}'),
        _raw('{"input": {}, "output": 1}\u2028'),
        _raw(f"\ufeff\ufeff{{{REQUIRED}}}"),
    ),
    "not UTF-8": (
        *(
            Bad(b'{"input": {"a": "' + raw + b'"}, "output": 1}', ("UTF-8",))
            for raw in (b"\xff", b"\xc3", b"\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80")
        ),
        Bad(f"{{{REQUIRED}}}".encode("utf-16"), ("UTF-8",)),
    ),
    "no object": tuple(
        _raw(value.text)
        for value in (NULL, TRUE, ONE, HALF, quoted("input"), array([]), array([EMPTY]))
    ),
    "missing key": (
        _raw('{"input": {}}', "output"),
        _raw('{"output": 1}', "input"),
        _raw('{"output": null, "expected": {"label": "A"}}', "input"),
        _raw('{"input": {"output": 1}, "result": {"score": 1}}', "output"),
    ),
    "input no object": _each("input", (NULL, ONE, TRUE, quoted("a"), array([]), array([EMPTY]))),
    "number not finite": tuple(_bad_numbers()),
    "number too large": (
        *_wrong("ms", "measured", {}, NOT_FLOATS),
        *_wrong("usd", "measured", {"ms": ONE}, NOT_FLOATS),
        *_wrong("score", "result", {}, NOT_FLOATS),
        *(_line("a", result=named(score=ONE, scores=named(a=number))) for number in NOT_FLOATS),
        # More digits than Python turns into an int: it cannot be handed on, so it is refused.
        _line(output=Json("1" * 5000, None)),
        _line(input=named(x=Json("-" + "1" * 5000, None))),
    ),
    "repeated key": tuple(_repeated_keys()),
    "unknown key": tuple(_unknown_keys()),
    "llm wrong": (
        *_each("llm", (NULL, quoted("PASS"), ONE, TRUE, named(a=OUTPUT), array([ONE]))),
        *_each("llm", (array([OUTPUT, NULL]), array([array([OUTPUT])]), array([OUTPUT, FALSE]))),
    ),
    "measured wrong": (
        *_each("measured", (NULL, ONE, TRUE, quoted("1 ms"), array([ONE, ONE]))),
        *_wrong("ms", "measured", {}, NEGATIVE + NOT_NUMBERS),
        *_wrong("ms", "measured", {"usd": ONE}, NEGATIVE + NOT_NUMBERS),
        *_wrong("usd", "measured", {}, NEGATIVE + NOT_NUMBERS),
        *_wrong("usd", "measured", {"ms": NULL}, NEGATIVE + NOT_NUMBERS),
    ),
    "result wrong": (
        *_each("result", (NULL, ONE, TRUE, quoted("1"), array([ONE, EMPTY]))),
        _line("score", result=EMPTY),
        _line("score", result=named(feedback=OUTPUT)),
        _line("score", result=named(scores=named(a=ONE))),
        *_wrong("score", "result", {}, (NULL, *NOT_NUMBERS)),
        *_wrong("score", "result", {"feedback": OUTPUT}, (NULL, *NOT_NUMBERS)),
        *_wrong("feedback", "result", {"score": ONE}, NOT_STRINGS),
        *_wrong("scores", "result", {"score": ONE}, (NULL, ONE, TRUE, OUTPUT, array([ONE]))),
        *(
            _line("fmt", result=named(score=ONE, scores=named(a=ONE, fmt=value)))
            for value in (NULL, *NOT_NUMBERS)
        ),
    ),
    "nested too deep": (
        _line(output=Json("[" * 20_000 + "]" * 20_000, None)),
        _line(input=Json('{"a":' * 20_000 + "1" + "}" * 20_000, None)),
        _raw("[" * 20_000),
    ),
}


@st.composite
def cut_lines(draw: st.DrawFn) -> Bad:
    """A valid line of which the end is lost. (Inside a character it is no UTF-8 either.)"""
    text = draw(good_lines()).text.strip()
    return Bad(text[: draw(st.integers(1, len(text) - 1))])


# --- Files ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CaseFile:
    """A case file, and what it gives: its cases, or a bad line and what its refusal must name."""

    data: bytes
    cases: tuple[ExpectedCase, ...] = ()
    bad_line: int | None = None
    bad: Bad | None = None


@st.composite
def _file_of(draw: st.DrawFn, lines: list[Good | Blank | Bad]) -> CaseFile:
    written = draw(st.sampled_from([b"", BOM]))
    cases: list[ExpectedCase] = []
    bad: tuple[int, Bad] | None = None
    for at, line in enumerate(lines, start=1):
        last = at == len(lines)
        ends = [b"\n", b"\r\n", b""] if last else [b"\n", b"\r\n"]
        written += line.text + draw(st.sampled_from(ends))
        if isinstance(line, Good):
            cases.append(replace(line.case, number=len(cases) + 1, line=at))
        elif isinstance(line, Bad):
            bad = (at, line)
    if bad:
        return CaseFile(written, (), *bad)
    return CaseFile(written, tuple(cases))


@st.composite
def good_files(draw: st.DrawFn) -> CaseFile:
    """A file of one to four cases among blank lines."""
    lines: list[Good | Blank | Bad] = []
    for good in draw(st.lists(good_lines(), min_size=1, max_size=4)):
        lines += [*draw(st.lists(blank_lines, max_size=2)), good]
    return draw(_file_of([*lines, *draw(st.lists(blank_lines, max_size=2))]))


SIMPLE = Good(named(input=EMPTY, output=OUTPUT).text.encode(), ExpectedCase({}, "ok"))
TELLING = Good(
    named(input=EMPTY, output=quoted("\u2028\u2029\x85")).text.encode(),
    ExpectedCase({}, "\u2028\u2029\x85"),
)


@st.composite
def bad_files(draw: st.DrawFn, bad: st.SearchStrategy[Bad]) -> CaseFile:
    """A file with one bad line, perhaps behind those that a check runs; the others are good."""
    others = st.one_of(st.sampled_from([SIMPLE, TELLING]), blank_lines)
    before = draw(st.lists(others, max_size=5))
    after = draw(st.lists(others, max_size=2))
    return draw(_file_of([*before, draw(bad), *after]))


@st.composite
def files_without_cases(draw: st.DrawFn) -> CaseFile:
    """A file that holds no case at all."""
    lines: list[Good | Blank | Bad] = list(draw(st.lists(blank_lines, max_size=3)))
    return draw(_file_of(lines))


# --- Comparing -----------------------------------------------------------------------------------


def same(a: Any, b: Any) -> bool:
    """Equal in value and in type, at any depth: 1 is not 1.0, nor True, and -0.0 is not 0.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float):
        return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)
    return bool(a == b)
