"""Records: fields by position or by name, defaults, equal by value, never changed."""

from __future__ import annotations

import copy
import pickle

import pytest

from skynet_stub.record import Record, fields_of


class Point(Record):
    """A record with a default."""

    x: int
    y: int = 0


class Other(Record):
    """The same fields in another class."""

    x: int
    y: int = 0


def test_fields_are_given_by_position_or_by_name_and_have_defaults() -> None:
    assert Point(1) == Point(x=1) == Point(1, 0) == Point(y=0, x=1)
    assert (Point(1, 2).x, Point(1, y=2).y) == (1, 2)
    assert fields_of(Point(1)) == {"x": 1, "y": 0}


@pytest.mark.parametrize(
    "build",
    [
        lambda: Point(),  # type: ignore[call-arg]
        lambda: Point(y=1),  # type: ignore[call-arg]
        lambda: Point(1, 2, 3),  # type: ignore[call-arg]
        lambda: Point(1, z=3),  # type: ignore[call-arg]
        lambda: Point(1).replace(z=3),
    ],
    ids=["none", "one missing", "too many", "unknown", "unknown change"],
)
def test_other_fields_than_its_own_are_an_error(build: object) -> None:
    assert callable(build)
    with pytest.raises(TypeError, match="Point takes x, y"):
        build()


def test_records_are_equal_by_class_and_fields() -> None:
    assert Point(1, 2) != Point(2, 1)
    assert Point(1, 2) != Other(1, 2)
    assert Point(1, 2) != (1, 2)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2


def test_a_record_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match=r"Point\.x cannot be changed"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match=r"Point\.z cannot be changed"):
        point.z = 2
    with pytest.raises(AttributeError, match=r"Point\.x cannot be deleted"):
        del point.x
    assert point == Point(1)


def test_another_record_is_made_from_it() -> None:
    assert Point(1, 2).replace(y=3) == Point(1, 3)


def test_a_record_is_shown_copied_pickled_and_matched_by_its_fields() -> None:
    assert repr(Point(1)) == "Point(x=1, y=0)"
    assert copy.deepcopy(Point(1, 2)) == Point(1, 2)
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
