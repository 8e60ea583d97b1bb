"""An oracle for return values, written from the contract alone (A3, B1, B2).

A strategy draws a *description*: what a value is made of, and how to build it afresh. The verdict
is read off the description by the tables below, never off the built value, so nothing here can
share a mistake with code that inspects values.
"""

from __future__ import annotations

import enum
import math
from collections import Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial
from os import terminal_size
from types import MappingProxyType, SimpleNamespace, coroutine
from typing import Any, NamedTuple, NoReturn, cast

from hypothesis import strategies as st

# --- Descriptions ---------------------------------------------------------------------------------


class Kind(enum.Enum):
    """What a described value is, in the contract's words."""

    NOTHING = "None"
    COROUTINE = "a coroutine"
    GENERATOR = "a generator, asynchronous or not"
    CLASS = "a class object"
    NUMBER = "a number that a float can hold"
    NAN = "a number that is NaN"
    INFINITE = "an infinite number"
    TOO_LARGE = "an int too large for a float"
    STRING = "a str, subclasses included"
    DICT = "a dict, subclasses included"
    SEQUENCE = "a tuple or a list, subclasses included"
    OTHER = "anything else"


NUMBERS = frozenset({Kind.NUMBER, Kind.NAN, Kind.INFINITE, Kind.TOO_LARGE})


@dataclass(frozen=True)
class Described:
    """A value: how to build it, what it is, and what it holds.

    `build` makes a fresh value and registers on the stack whatever must be closed. `plain` is the
    plain content of a number or a string. `items` are the real elements of a sequence, `entries`
    the real entries of a dict.
    """

    source: str
    kind: Kind
    build: Callable[[ExitStack], object] = field(repr=False, compare=False)
    plain: float | str | None = None
    items: tuple[Described, ...] = ()
    entries: tuple[tuple[Described, Described], ...] = ()

    def __repr__(self) -> str:
        return f"<{self.source}>"

    def get(self, name: str) -> Described | None:
        """The value that is really stored under ``name``."""
        found = [v for k, v in self.entries if k.kind is Kind.STRING and k.plain == name]
        return found[0] if found else None


# --- The tables: which fault, on which condition, at which place ----------------------------------


def _is(*kinds: Kind) -> Callable[[Described], bool]:
    return lambda value: value.kind in kinds


# The first row that holds is the only fault.
SHAPE: tuple[tuple[str, Callable[[Described], bool]], ...] = (
    ("returned-none", _is(Kind.NOTHING)),
    ("returned-coroutine", _is(Kind.COROUTINE)),
    ("returned-generator", _is(Kind.GENERATOR)),
    ("returned-dict", _is(Kind.DICT)),
    ("returned-class", _is(Kind.CLASS)),
    ("no-side-info", _is(*NUMBERS)),
    ("not-a-pair", _is(Kind.STRING, Kind.OTHER)),
    ("wrong-length", lambda value: len(value.items) != 2),
    (
        "swapped-pair",
        lambda value: value.items[0].kind is Kind.DICT and value.items[1].kind in NUMBERS,
    ),
)

NOT_A_NUMBER = frozenset(Kind) - NUMBERS

# At most one row holds for one score.
SCORE: tuple[tuple[str, frozenset[Kind]], ...] = (
    ("score-is-a-string", frozenset({Kind.STRING})),
    ("score-not-a-number", NOT_A_NUMBER - {Kind.STRING}),
    ("score-nan", frozenset({Kind.NAN})),
    ("score-infinite", frozenset({Kind.INFINITE})),
    ("score-too-large", frozenset({Kind.TOO_LARGE})),
)
NAMED_SCORE: tuple[tuple[str, frozenset[Kind]], ...] = (
    ("named-score-not-a-number", NOT_A_NUMBER),
    ("named-score-nan", frozenset({Kind.NAN})),
    ("named-score-infinite", frozenset({Kind.INFINITE})),
    ("named-score-too-large", frozenset({Kind.TOO_LARGE})),
)

SCORE_PLACE = "[0]"
SIDE_PLACE = "[1]"
FEEDBACK_PLACE = '[1]["feedback"]'
SCORES_PLACE = '[1]["scores"]'
ODD_PLACE = f"{SCORES_PLACE}[...]"  # the named score with a name that is not plain

# Names that stand in a place as they are, in quotes. The contract does not say how others stand.
PLAIN_NAMES = ("a", "b", "accuracy", "format", "speed of reply", "x2")
PLAIN_NAMES_IN_PLACES = frozenset(f'["{name}"]' for name in PLAIN_NAMES)
ODD_NAMES = (
    "",
    '"',
    "\\",
    "it's",
    "line\nbreak",
    "\u2028",
    "\ud800",
    "]",
    '"]["b"]',
    "0",
    "точность",
)

REASONS = (
    *(reason for reason, _ in SHAPE),
    *(reason for reason, _ in SCORE),
    "side-info-not-a-dict",
    "no-feedback",
    "feedback-not-a-string",
    "scores-not-a-dict",
    "score-name-not-a-string",
    *(reason for reason, _ in NAMED_SCORE),
    "unreadable-value",
)


@dataclass(frozen=True)
class Expected:
    """The contract's verdict: all faults in order, or the plain parts of a valid pair."""

    faults: tuple[tuple[str, str], ...]
    score: float | None = None
    feedback: str | None = None
    scores: dict[str, float] | None = None


def _matching(rows: Iterable[tuple[str, frozenset[Kind]]], value: Described) -> Iterator[str]:
    return (reason for reason, kinds in rows if value.kind in kinds)


def _named_place(name: Described) -> str:
    return plain_place(f'{SCORES_PLACE}["{name.plain}"]' if name.kind is Kind.STRING else ODD_PLACE)


def plain_place(place: str) -> str:
    """A place, with "..." for a name whose spelling in a place the contract does not settle."""
    name = place.removeprefix(SCORES_PLACE)
    if name in {"", place} or name in PLAIN_NAMES_IN_PLACES:
        return place
    return ODD_PLACE


def _side_info_faults(side: Described) -> Iterator[tuple[str, str]]:
    if side.kind is not Kind.DICT:
        yield "side-info-not-a-dict", SIDE_PLACE
        return
    feedback, scores = side.get("feedback"), side.get("scores")
    if feedback is None:
        yield "no-feedback", SIDE_PLACE  # nothing stands at the key; the dict is at fault
    elif feedback.kind is not Kind.STRING:
        yield "feedback-not-a-string", FEEDBACK_PLACE
    if scores is None:
        return
    if scores.kind is not Kind.DICT:
        yield "scores-not-a-dict", SCORES_PLACE
    for name, number in scores.entries:
        if name.kind is not Kind.STRING:
            yield "score-name-not-a-string", _named_place(name)
        for reason in _matching(NAMED_SCORE, number):
            yield reason, _named_place(name)


def expected(value: Described) -> Expected:
    """The contract's verdict on a described value."""
    shape = next((reason for reason, holds in SHAPE if holds(value)), None)
    if shape is not None:
        return Expected(((shape, ""),))
    score, side = value.items
    faults = (
        *((reason, SCORE_PLACE) for reason in _matching(SCORE, score)),
        *_side_info_faults(side),
    )
    if faults:
        return Expected(faults)
    scores = side.get("scores")
    feedback = side.get("feedback")
    assert isinstance(score.plain, float)
    assert feedback is not None
    assert isinstance(feedback.plain, str)
    return Expected(
        (),
        score.plain,
        feedback.plain,
        None if scores is None else {str(k.plain): _float(v) for k, v in scores.entries},
    )


def _float(number: Described) -> float:
    assert isinstance(number.plain, float)
    return number.plain


# --- Subclasses: honest ones, and ones that lie about what they hold -----------------------------


class FloatChild(float):
    """A float that says something else of itself."""

    def __float__(self) -> float:
        return 99.0

    def __repr__(self) -> str:
        return "'a string'"

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = float.__hash__


class IntChild(int):
    """An int that says something else of itself."""

    def __float__(self) -> float:
        return float("nan")

    def __str__(self) -> str:
        return "one"


class Level(enum.IntEnum):
    """Ints that print as names."""

    LOW = 0
    HIGH = 3


class Share(float, enum.Enum):
    """Floats that print as names."""

    HALF = 0.5


class Word(str, enum.Enum):  # noqa: UP042 - the older spelling: str() of a member is not its content
    """Strings that print as names."""

    FEEDBACK = "feedback"
    SCORES = "scores"
    OTHER = "gut gemacht"


class StrChild(str):
    """A string that prints as another one and claims to be empty."""

    __slots__ = ()

    def __str__(self) -> str:
        return "another text"

    def __len__(self) -> int:
        return 0


class TupleClaimsTwo(tuple[object, ...]):
    """A tuple that says it has two elements, whatever it has."""

    __slots__ = ()

    def __len__(self) -> int:
        return 2


class TupleClaimsThree(tuple[object, ...]):
    """A tuple that says it has three elements, whatever it has."""

    __slots__ = ()

    def __len__(self) -> int:
        return 3


class ListClaimsTwo(list[object]):
    """A list that says it has two elements, whatever it has."""

    def __len__(self) -> int:
        return 2


class ListClaimsNone(list[object]):
    """A list that says it is empty, and shows no elements."""

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[object]:
        return iter(())


class DictChild(dict[Any, Any]):
    """An honest subclass."""


class MakesUpKeys(dict[Any, Any]):
    """A dict that gives a string for each key it lacks."""

    def __missing__(self, key: object) -> str:
        return "made up"


class ClaimsKeys(dict[Any, Any]):
    """A dict that claims to hold, and gives, what is not in it."""

    def __contains__(self, key: object) -> bool:
        return True

    def __getitem__(self, key: object) -> str:
        return "made up"

    def get(self, key: object, default: object = None) -> str:
        return "made up"


class HidesKeys(dict[Any, Any]):
    """A dict that denies what is in it."""

    def __contains__(self, key: object) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class GivesOnce(dict[Any, Any]):
    """A dict that loses what it gives."""

    def __getitem__(self, key: object) -> Any:
        return self.pop(key)


Point = namedtuple("Point", "score info")  # untyped, as many still are


class TypedPoint(NamedTuple):
    """The typed kind of named pair."""

    score: Any
    info: Any


# --- Things that are no number, string, dict, tuple or list --------------------------------------


@dataclass
class Result:
    """What DSPy returns: an object with `.score` and `.feedback`."""

    score: float
    feedback: str


class HasFloat:
    """An object that converts to a float, and is not one."""

    def __float__(self) -> float:
        return 0.5

    def __index__(self) -> int:
        return 1


class ShownOnce:
    """An object that looks like an array, once."""

    def __init__(self) -> None:
        self.shapes = [(1,)]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.shapes.pop()


def pretends(kind: type) -> object:
    """An object whose `__class__` says that it is of this type; its type is no subclass of it."""
    return type("Pretender", (), {"__class__": property(lambda _self: kind)})()


async def _coroutine() -> tuple[float, dict[str, str]]:
    return 0.5, {"feedback": "half"}


def _generator() -> Generator[object, None, None]:
    yield 0.5
    yield {"feedback": "half"}


async def _async_generator() -> AsyncGenerator[object, None]:
    yield 0.5
    yield {"feedback": "half"}


@coroutine
def _pause() -> Generator[None, None, None]:
    yield


async def _stubborn() -> None:
    try:
        await _pause()
    except GeneratorExit:
        await _pause()  # the first attempt to close it fails


def _closed_coroutine(stack: ExitStack) -> object:
    made = _coroutine()
    stack.callback(made.close)
    return made


def _stubborn_coroutine(stack: ExitStack) -> object:
    made = _stubborn()
    made.send(None)

    def close() -> None:
        with suppress(RuntimeError):
            made.close()
        made.close()

    stack.callback(close)
    return made


def _atom(
    source: str, kind: Kind, make: Callable[[], object], plain: float | str | None = None
) -> Described:
    return Described(source, kind, lambda _stack: make(), plain)


NOTHING = _atom("None", Kind.NOTHING, lambda: None)
COROUTINE = Described("coroutine", Kind.COROUTINE, _closed_coroutine)
COROUTINES = (COROUTINE, Described("stubborn coroutine", Kind.COROUTINE, _stubborn_coroutine))
GENERATORS = (
    _atom("generator", Kind.GENERATOR, _generator),
    _atom("generator expression", Kind.GENERATOR, lambda: (x for x in "ab")),
    _atom("async generator", Kind.GENERATOR, _async_generator),
)
CLASSES = (
    _atom("the class float", Kind.CLASS, lambda: float),
    _atom("the class dict", Kind.CLASS, lambda: dict),
    _atom("the class Result", Kind.CLASS, lambda: Result),
    _atom("the class TypedPoint", Kind.CLASS, lambda: TypedPoint),
    _atom("the enum class Level", Kind.CLASS, lambda: Level),
)
OTHERS = (
    _atom("Decimal('0.5')", Kind.OTHER, lambda: Decimal("0.5")),
    _atom("Decimal('NaN')", Kind.OTHER, lambda: Decimal("NaN")),
    _atom("Fraction(1, 2)", Kind.OTHER, lambda: Fraction(1, 2)),
    _atom("complex(0.5)", Kind.OTHER, lambda: complex(0.5)),
    _atom("b'ok'", Kind.OTHER, lambda: b"ok"),
    _atom("bytearray(b'ok')", Kind.OTHER, lambda: bytearray(b"ok")),
    _atom("{0.5, 'ok'}", Kind.OTHER, lambda: {0.5, "ok"}),
    _atom("frozenset({1, 2})", Kind.OTHER, lambda: frozenset({1, 2})),
    _atom("range(2)", Kind.OTHER, lambda: range(2)),
    _atom("object()", Kind.OTHER, object),
    _atom("...", Kind.OTHER, lambda: ...),
    _atom("NotImplemented", Kind.OTHER, lambda: NotImplemented),
    _atom("a function", Kind.OTHER, lambda: _generator),
    _atom("ValueError('wrong')", Kind.OTHER, lambda: ValueError("wrong")),
    _atom("deque of two", Kind.OTHER, lambda: deque([0.5, {"feedback": "half"}])),
    _atom("UserList of two", Kind.OTHER, lambda: UserList([0.5, {"feedback": "half"}])),
    _atom("UserDict", Kind.OTHER, lambda: UserDict({"feedback": "half"})),
    _atom("mappingproxy", Kind.OTHER, lambda: MappingProxyType({"feedback": "half"})),
    _atom("dict.items()", Kind.OTHER, lambda: {"a": 1, "b": 2}.items()),
    _atom("iter of a pair", Kind.OTHER, lambda: iter((0.5, {"feedback": "half"}))),
    _atom("zip", Kind.OTHER, lambda: zip([0.5], [{"feedback": "half"}], strict=True)),
    _atom("Result(...)", Kind.OTHER, lambda: Result(0.5, "half")),
    _atom("namespace", Kind.OTHER, lambda: SimpleNamespace(score=0.5, feedback="half")),
    _atom("HasFloat()", Kind.OTHER, HasFloat),
    _atom("ShownOnce()", Kind.OTHER, ShownOnce),
    *(
        _atom(f"pretends to be {cls.__name__}", Kind.OTHER, partial(pretends, cls))
        for cls in (float, str, dict, tuple, list, bool)
    ),
)

# --- Strategies: each part by what is right or wrong with it -------------------------------------

LARGEST = 2**1024 - 2**970 - 1  # the largest int that rounds to a float; one more is too large


def _number(kind: Kind, value: float) -> st.SearchStrategy[Described]:
    return st.sampled_from(
        [
            _atom(repr(value), kind, lambda: value, value),
            _atom(f"FloatChild({value!r})", kind, lambda: FloatChild(value), value),
        ]
    )


def _int(value: int, child: bool) -> Described:
    """An int is a number as far as a float can hold it."""
    short = str(value) if value.bit_length() < 99 else f"int of {value.bit_length()} bits"
    source = f"IntChild({short})" if child else short

    def make() -> object:
        return IntChild(value) if child else value

    if abs(value) > LARGEST:
        return _atom(source, Kind.TOO_LARGE, make)
    return _atom(source, Kind.NUMBER, make, value / 1)


ENUM_NUMBERS = (
    _atom("True", Kind.NUMBER, lambda: True, 1.0),
    _atom("False", Kind.NUMBER, lambda: False, 0.0),
    _atom("Level.LOW", Kind.NUMBER, lambda: Level.LOW, 0.0),
    _atom("Level.HIGH", Kind.NUMBER, lambda: Level.HIGH, 3.0),
    _atom("Share.HALF", Kind.NUMBER, lambda: Share.HALF, 0.5),
)

finite_numbers: st.SearchStrategy[Described] = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).flatmap(lambda x: _number(Kind.NUMBER, x)),
    st.builds(_int, st.integers(-(10**20), 10**20), st.booleans()),
    st.builds(_int, st.sampled_from([LARGEST, -LARGEST, 10**300]), st.booleans()),
    st.sampled_from(ENUM_NUMBERS),
)
nans = _number(Kind.NAN, math.nan)
infinities = st.sampled_from([math.inf, -math.inf]).flatmap(lambda x: _number(Kind.INFINITE, x))
too_large = st.builds(
    _int,
    st.sampled_from([LARGEST + 1, -LARGEST - 1, 10**400, -(10**400), 10**5000]),
    st.booleans(),
)
any_number = st.one_of(finite_numbers, nans, infinities, too_large)


def _string(text: str, child: bool) -> Described:
    if child:
        return _atom(f"StrChild({text!r})", Kind.STRING, lambda: StrChild(text), text)
    return _atom(repr(text), Kind.STRING, lambda: text, text)


def _word(member: Word) -> Described:
    return _atom(str(member), Kind.STRING, lambda: member, str(member.value))


TEXTS = (
    "",
    " ",
    "0.8",
    "1",
    "nan",
    "ok",
    "hi",
    "feedback",
    "expected 'A', got 'B'",
    "one\ntwo\r\n\x00\u2028",
    "\ud800",
    "\U0001f600",
    "вот",
    "标签",
    "a" * 1000,
)
strings: st.SearchStrategy[Described] = st.one_of(
    st.builds(_string, st.sampled_from(TEXTS), st.booleans()),
    st.sampled_from(Word).map(_word),
)


def _sequence(make: Callable[[list[object]], object], name: str) -> Callable[..., Described]:
    def described(*items: Described) -> Described:
        return Described(
            f"{name}({', '.join(item.source for item in items)})",
            Kind.SEQUENCE,
            lambda stack: make([item.build(stack) for item in items]),
            items=items,
        )

    return described


SEQUENCES = (
    _sequence(tuple, "tuple"),
    _sequence(list, "list"),
    _sequence(TupleClaimsTwo, "TupleClaimsTwo"),
    _sequence(TupleClaimsThree, "TupleClaimsThree"),
    _sequence(ListClaimsTwo, "ListClaimsTwo"),
    _sequence(ListClaimsNone, "ListClaimsNone"),
)
PAIRS = (
    *SEQUENCES,
    _sequence(lambda items: Point(*items), "Point"),
    _sequence(lambda items: TypedPoint(*items), "TypedPoint"),
    _sequence(lambda items: terminal_size(cast("list[int]", items)), "terminal_size"),
)


def _dict(make: Callable[[dict[Any, Any]], object], name: str) -> Callable[..., Described]:
    def described(*entries: tuple[Described, Described]) -> Described:
        return Described(
            f"{name}({', '.join(f'{k.source}: {v.source}' for k, v in entries)})",
            Kind.DICT,
            lambda stack: make({k.build(stack): v.build(stack) for k, v in entries}),
            entries=entries,
        )

    return described


DICTS: tuple[Callable[..., Described], ...] = (
    _dict(dict, "dict"),
    _dict(OrderedDict, "OrderedDict"),
    _dict(lambda entries: defaultdict(str, entries), "defaultdict"),
    _dict(lambda entries: defaultdict(lambda: "made up", entries), "defaultdict of texts"),
    _dict(Counter, "Counter"),
    _dict(DictChild, "DictChild"),
    _dict(MakesUpKeys, "MakesUpKeys"),
    _dict(ClaimsKeys, "ClaimsKeys"),
    _dict(HidesKeys, "HidesKeys"),
    _dict(GivesOnce, "GivesOnce"),
)

_HALF, _ONE = _string("half", False), _int(1, False)
_FEEDBACK, _SCORES = _string("feedback", False), _string("scores", False)
SOME_DICTS = tuple(
    make(*entries)
    for make in DICTS
    for entries in (
        (),
        ((_FEEDBACK, _HALF),),
        ((_string("score", False), _ONE), (_FEEDBACK, NOTHING)),
    )
)
SOME_SEQUENCES = tuple(
    make(*items)
    for make in SEQUENCES
    for items in ((), (_ONE,), (_ONE, _HALF), (_ONE, _ONE, _HALF))
)
dicts_of_something = st.sampled_from(SOME_DICTS)
sequences_of_something = st.sampled_from(SOME_SEQUENCES)
no_values = st.one_of(
    st.sampled_from([NOTHING, *COROUTINES]), st.sampled_from(GENERATORS), st.sampled_from(CLASSES)
)
others = st.sampled_from(OTHERS)
not_strings = st.one_of(any_number, no_values, others, dicts_of_something, sequences_of_something)
not_dicts = st.one_of(any_number, no_values, others, strings, sequences_of_something)
neither_number_nor_string = st.one_of(no_values, others, dicts_of_something, sequences_of_something)
not_numbers = st.one_of(neither_number_nor_string, strings)

# Names. Most are plain.
NAMES_OF_OTHER_TYPES = (
    _atom("None", Kind.NOTHING, lambda: None),
    _atom("7", Kind.NUMBER, lambda: 7, 7.0),
    _atom("0.5", Kind.NUMBER, lambda: 0.5, 0.5),
    _atom("True", Kind.NUMBER, lambda: True, 1.0),
    _atom("nan", Kind.NAN, lambda: math.nan, math.nan),
    _atom("b'a'", Kind.OTHER, lambda: b"a"),
    _atom("('a', 'b')", Kind.OTHER, lambda: ("a", "b")),
    _atom("the class float", Kind.CLASS, lambda: float),
)
score_names = st.builds(
    _string, st.sampled_from(PLAIN_NAMES * 3 + ODD_NAMES), st.sampled_from([False, False, True])
)
not_names = st.sampled_from(NAMES_OF_OTHER_TYPES)


@st.composite
def scores_with(
    draw: st.DrawFn,
    names: st.SearchStrategy[Described] = score_names,
    numbers: st.SearchStrategy[Described] = finite_numbers,
    among: st.SearchStrategy[Described] = finite_numbers,
) -> Described:
    """Named scores: at least one from `names` and `numbers`, and perhaps others from `among`."""
    first = draw(st.tuples(names, numbers))
    rest = draw(st.lists(st.tuples(score_names, among), max_size=2))
    unique: dict[object, tuple[Described, Described]] = {}
    for name, number in [first, *rest]:
        unique.setdefault(name.plain if name.kind is Kind.STRING else name.kind, (name, number))
    entries = draw(st.permutations(list(unique.values())))
    make: Callable[..., Described] = draw(st.sampled_from(DICTS))
    return make(*entries)


good_scores = st.one_of(st.sampled_from(DICTS).map(lambda make: make()), scores_with())
some_scores = scores_with(
    names=st.one_of(score_names, not_names),
    numbers=st.one_of(any_number, not_numbers),
    among=st.one_of(any_number, not_numbers),
)


def _key(name: str) -> st.SearchStrategy[Described]:
    return st.sampled_from([_string(name, False), _string(name, False), _word(Word(name))])


further_entries = st.lists(
    st.sampled_from(
        [
            (_string("note", False), NOTHING),
            (_string("Feedback", False), _string("wrong case", False)),
            (_string("score", False), _atom("nan", Kind.NAN, lambda: math.nan, math.nan)),
            (_int(3, False), _atom("object()", Kind.OTHER, object)),
            (NOTHING, COROUTINE),
            (_atom("b'feedback'", Kind.OTHER, lambda: b"feedback"), NOTHING),
        ]
    ),
    max_size=2,
    unique_by=lambda entry: entry[0].source,
)


@st.composite
def side_infos(
    draw: st.DrawFn,
    feedback: st.SearchStrategy[Described] | None = strings,
    scores: st.SearchStrategy[Described] | None = good_scores,
) -> Described:
    """A dict with this feedback and these scores (None: left out), and perhaps further keys."""
    entries = draw(further_entries)
    if feedback is not None:
        entries.append((draw(_key("feedback")), draw(feedback)))
    if scores is not None:
        entries.append((draw(_key("scores")), draw(scores)))
    make: Callable[..., Described] = draw(st.sampled_from(DICTS))
    return make(*draw(st.permutations(entries)))


good_side_infos = st.one_of(side_infos(scores=None), side_infos())
any_score = st.one_of(finite_numbers, any_number, not_numbers)
any_side_info = st.one_of(
    good_side_infos,
    not_dicts,
    side_infos(feedback=None, scores=None),
    side_infos(st.one_of(strings, not_strings), st.one_of(good_scores, some_scores, not_dicts)),
    side_infos(None, st.one_of(some_scores, not_dicts)),
)


def _sequences(
    kinds: tuple[Callable[..., Described], ...], *items: st.SearchStrategy[Described]
) -> st.SearchStrategy[Described]:
    return st.builds(lambda make, *drawn: make(*drawn), st.sampled_from(kinds), *items)


def pairs(
    score: st.SearchStrategy[Described] = finite_numbers,
    side: st.SearchStrategy[Described] = good_side_infos,
) -> st.SearchStrategy[Described]:
    """A pair, of any class that makes one."""
    return _sequences(PAIRS, score, side)


def _pairs_with_scores(scores: st.SearchStrategy[Described]) -> st.SearchStrategy[Described]:
    return pairs(side=side_infos(scores=scores))


valid_values = pairs()

# Every single thing at every place of an otherwise valid pair: few enough to try them all.
THINGS = (
    *(NOTHING, *COROUTINES, *GENERATORS, *CLASSES, *OTHERS, *ENUM_NUMBERS),
    *(*SOME_DICTS, *SOME_SEQUENCES, *map(_word, Word)),
)
_pair, _dict_of = SEQUENCES[0], DICTS[0]
AT_PLACES: dict[str, Callable[[Described], Described]] = {
    "the value": lambda thing: thing,
    "the score": lambda thing: _pair(thing, _dict_of((_FEEDBACK, _HALF))),
    "the side info": lambda thing: _pair(_ONE, thing),
    "the feedback": lambda thing: _pair(_ONE, _dict_of((_FEEDBACK, thing))),
    "the scores": lambda thing: _pair(_ONE, _dict_of((_FEEDBACK, _HALF), (_SCORES, thing))),
    "a named score": lambda thing: _pair(
        _ONE, _dict_of((_FEEDBACK, _HALF), (_SCORES, _dict_of((_string("a", False), thing))))
    ),
    "another key": lambda thing: _pair(
        _ONE, _dict_of((_FEEDBACK, _HALF), (_string("note", False), thing))
    ),
}

# For each reason, values that have that fault and mostly no other.
FAULTY: dict[str, st.SearchStrategy[Described]] = {
    "returned-none": st.just(NOTHING),
    "returned-coroutine": st.sampled_from(COROUTINES),
    "returned-generator": st.sampled_from(GENERATORS),
    "returned-dict": st.one_of(dicts_of_something, good_side_infos),
    "returned-class": st.sampled_from(CLASSES),
    "no-side-info": any_number,
    "not-a-pair": st.one_of(others, strings),
    "wrong-length": st.one_of(
        _sequences(SEQUENCES),
        _sequences(SEQUENCES, any_score),
        _sequences(SEQUENCES, finite_numbers, good_side_infos, any_side_info),
        _sequences(SEQUENCES, finite_numbers, strings, good_scores, any_side_info),
    ),
    "swapped-pair": pairs(st.one_of(good_side_infos, dicts_of_something), any_number),
    "score-is-a-string": pairs(score=strings),
    "score-not-a-number": pairs(score=neither_number_nor_string),
    "score-nan": pairs(score=nans),
    "score-infinite": pairs(score=infinities),
    "score-too-large": pairs(score=too_large),
    # A dict before a number would be a swapped pair; a number comes first here.
    "side-info-not-a-dict": pairs(side=not_dicts),
    "no-feedback": pairs(side=st.one_of(side_infos(None), side_infos(None, None))),
    "feedback-not-a-string": pairs(side=side_infos(not_strings)),
    "scores-not-a-dict": _pairs_with_scores(not_dicts),
    "score-name-not-a-string": _pairs_with_scores(scores_with(names=not_names)),
    "named-score-not-a-number": _pairs_with_scores(scores_with(numbers=not_numbers)),
    "named-score-nan": _pairs_with_scores(scores_with(numbers=nans)),
    "named-score-infinite": _pairs_with_scores(scores_with(numbers=infinities)),
    "named-score-too-large": _pairs_with_scores(scores_with(numbers=too_large)),
}

values_with_many_faults = pairs(any_score, any_side_info)
any_value = st.one_of(values_with_many_faults, valid_values, *FAULTY.values())


# --- Subclasses whose own methods raise (unreadable-value) ---------------------------------------


class Refusal(BaseException):
    """No Exception, as SystemExit is none."""


# The methods by which a part could be read, of all the types that a part can have.
READING = (
    *("__len__", "__iter__", "__getitem__", "__contains__", "__reversed__", "__bool__"),
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__"),
    *("__float__", "__int__", "__index__", "__trunc__", "__abs__", "__neg__", "__add__", "__mul__"),
    *("__str__", "__repr__", "__format__", "__reduce__", "__reduce_ex__"),
    *("get", "keys", "values", "items", "copy", "index", "count", "encode", "strip", "isspace"),
    *("is_integer", "as_integer_ratio"),
)


def raising_subclass(base: type, error: type[BaseException], names: Iterable[str]) -> type:
    """A subclass of `base` whose methods of these names raise `error`."""

    def refuse(*_args: object, **_named: object) -> NoReturn:
        raise error("this method always raises")

    return type(f"Raising{base.__name__}", (base,), {n: refuse for n in names if hasattr(base, n)})


RAISING_PLACES = ("", SCORE_PLACE, SIDE_PLACE, FEEDBACK_PLACE, SCORES_PLACE, f'{SCORES_PLACE}["a"]')


def raising(
    place: str,
    error: type[BaseException],
    methods: Iterable[str] = READING,
    pair: type = tuple,
    b: object = 2,
) -> object:
    """`(0.5, {"feedback": "half", "scores": {"a": 1.0, "b": b}})`, but the methods of these names
    of the part at this place raise."""
    assert place in RAISING_PLACES
    names = tuple(methods)

    def part(here: str, value: Any) -> Any:
        return raising_subclass(type(value), error, names)(value) if here == place else value

    scores = part(SCORES_PLACE, {"a": part(f'{SCORES_PLACE}["a"]', 1.0), "b": b})
    side = part(SIDE_PLACE, {"feedback": part(FEEDBACK_PLACE, "half"), "scores": scores})
    return part("", pair((part(SCORE_PLACE, 0.5), side)))


RAISING_CONTENT = Expected((), 0.5, "half", {"a": 1.0, "b": 2.0})


class RaisingKey:
    """A key that is taken for another one until they are compared, which raises after a while."""

    def __init__(self, like: str) -> None:
        self.like = like
        self.comparisons: float = math.inf

    def __hash__(self) -> int:
        return hash(self.like)

    def __eq__(self, other: object) -> bool:
        self.comparisons -= 1
        if self.comparisons < 0:
            raise Refusal
        return False


def pair_with_raising_key(like: str, after: int) -> object:
    """A valid pair, but that a key of its side info raises after so many comparisons."""
    key = RaisingKey(like)
    pair = 0.5, {key: None, "feedback": "half", "scores": {"a": 1.0, "b": 2}}
    key.comparisons = after
    return pair
