"""Frames and prints come apart again, whatever was written between them (B4)."""

from __future__ import annotations

import pytest

from skynet_stub.frames import PRINTED_BYTES_IN_ALL, Frames, Printed, Room, frame

SECRET = b"0123456789abcdef"
CONTENT = {"case": 1, "score": 0.1, "feedback": "\ud800 é", "scores": None, "faults": [(), True]}


def taken(data: bytes, *numbers: int) -> list[object]:
    """The contents of these frames where the data arrive byte by byte, and all at once."""
    slowly, at_once = Frames(SECRET), Frames(SECRET)
    for byte in data:
        slowly.add(bytes([byte]))
    at_once.add(data)
    found = [slowly.take(number) for number in numbers]
    assert found == [at_once.take(number) for number in numbers]
    return found


def test_frames_are_taken_in_their_order() -> None:
    data = b"".join(frame(SECRET, number, CONTENT | {"case": number}) for number in range(3))
    assert taken(data, 0, 1, 2, 3) == [CONTENT | {"case": number} for number in range(3)] + [None]


def test_a_frame_is_taken_once_its_last_byte_is_there() -> None:
    data = frame(SECRET, 0, CONTENT)
    frames = Frames(SECRET)
    for byte in data[:-1]:
        frames.add(bytes([byte]))
        assert frames.take(0) is None
    frames.add(data[-1:])
    assert frames.take(0) == CONTENT


@pytest.mark.parametrize("junk", [b"\n", b"{}\n" * 1000, SECRET[:8], bytes(100), b"x" * 10**5])
def test_what_is_no_frame_is_passed_over(junk: bytes) -> None:
    one, two = frame(SECRET, 0, "one"), frame(SECRET, 1, "two")
    assert taken(junk + one + junk + two + junk, 0, 1) == ["one", "two"]


def test_a_frame_with_another_secret_is_passed_over() -> None:
    forged = frame(b"another secret..", 0, "forged")
    assert taken(forged + frame(SECRET, 0, "own"), 0) == ["own"]


def test_a_frame_with_another_number_is_passed_over() -> None:
    data = frame(SECRET, 0, "again") + frame(SECRET, 1, "next")
    assert taken(data, 1) == ["next"]


def test_a_frame_that_something_was_written_into_is_lost_but_not_the_next_one() -> None:
    broken, whole = frame(SECRET, 0, "x" * 100), frame(SECRET, 1, "whole")
    for place in range(17, len(broken) - 16):
        data = broken[:place] + b"junk" + broken[place:] + whole + frame(SECRET, 2, "y" * 200)
        frames = Frames(SECRET)
        frames.add(data)
        assert frames.take(1) in ("whole", None)
        assert frames.take(0) is None


def test_junk_is_not_kept() -> None:
    frames = Frames(SECRET)
    for _ in range(100):
        frames.add(b"x" * 10**5)
        assert frames.take(0) is None
    assert len(frames._unread) < len(SECRET)


def parts_of(data: bytes, count: int, room: Room | None = None) -> list[str]:
    printed = Printed(SECRET, room or Room())
    for start in range(0, len(data), 7):
        printed.add(data[start : start + 7])
    return [printed.part() for _ in range(count)]


def test_what_is_printed_is_parted_where_the_secret_stands() -> None:
    data = b"one\n" + SECRET + SECRET + "zwei é\n".encode() + SECRET + b"rest"
    assert parts_of(data, 5) == ["one\n", "", "zwei é\n", "rest", ""]


def test_the_beginning_of_a_secret_is_printed_text_where_it_does_not_go_on() -> None:
    assert parts_of(SECRET[:8] + b"x" + SECRET + SECRET[:8], 2) == ["01234567x", "01234567"]


def test_little_is_kept_of_each_case_once_much_is_kept_of_all() -> None:
    room = Room()
    for _ in range(1000):
        printed = Printed(SECRET, room)
        printed.add(b"x" * 200_000 + SECRET)
        text = printed.part()
    assert room.left < 0
    assert text == "x" * 512 + "\n[… 198976 bytes left out …]\n" + "x" * 512
    assert PRINTED_BYTES_IN_ALL - room.left < 18 * 1024 * 1024
