"""How results cross from the worker to the supervisor, whatever else is written to the pipe (B4).

A frame is the secret of the worker, its length, its content, and the secret again. The metric
shares the worker's process and can reach its pipes, so it may write to them, also amid a frame:
what is not a whole frame is passed over. The content is marshalled: written by C code alone, it
is right also where a metric patched `json` (to round floats, say).
"""

from __future__ import annotations

import marshal
from collections import deque
from sys import getsizeof
from typing import Any

from skynet_stub.outcomes import NOTHING_PRINTED, Printed

SECRET_BYTES = 16
"""The length of a secret: it is drawn for each worker, and known to it and to its supervisor."""

PRINTED_BYTES = 64 * 1024
"""How much of what a case prints is kept, from its start and again from its end, in bytes (B4)."""

PRINTED_BYTES_IN_ALL = 16 * 1024 * 1024
"""How much is kept of all cases together, in bytes; after that, far less of each."""

_PRINTED_BYTES_AFTER = 512
_LENGTH_BYTES = 8


BROKEN = -1
"""The number of the frame that says that the stub itself failed in a worker, at any time."""

RETURNED = -2
"""The number of the frame that says that a call has returned, and that judging its value takes
time of our own; the frame of the call follows. Its content is `True`."""


def frame(secret: bytes, number: int, content: Any) -> bytes:
    """A frame with its number, which counts the frames of a worker from 0, and plain content."""
    body = marshal.dumps((number, content))
    return b"".join((secret, len(body).to_bytes(_LENGTH_BYTES, "big"), body, secret))


class Frames:
    """The frames in what is read from a pipe."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._unread = bytearray()

    def add(self, data: bytes) -> None:
        self._unread += data

    def take(self, number: int) -> Any:
        """The content of the frame of this number, or of one that may come at any time; `None`
        where none is there."""
        while (body := self._next()) is not None:
            try:
                found, content = marshal.loads(body)
            except (ValueError, EOFError, TypeError):  # something was written over a part of it
                continue
            if found in (number, BROKEN, RETURNED):
                return content
        return None

    def _next(self) -> bytes | None:
        unread, secret = self._unread, self._secret
        while (start := unread.find(secret)) >= 0:
            body = start + SECRET_BYTES + _LENGTH_BYTES
            end = body + int.from_bytes(unread[start + SECRET_BYTES : body], "big")
            if len(unread) < end + SECRET_BYTES:
                del unread[:start]
                return None
            if unread.startswith(secret, end):
                found = bytes(unread[body:end])
                del unread[: end + SECRET_BYTES]
                return found
            del unread[: start + SECRET_BYTES]  # something was written amid it
        del unread[: max(0, len(unread) - SECRET_BYTES + 1)]
        return None


class Room:
    """What is left of `PRINTED_BYTES_IN_ALL`."""

    def __init__(self) -> None:
        self.left = PRINTED_BYTES_IN_ALL


class PrintedParts:
    """What a metric prints, parted where the worker wrote its secret: after each frame's work."""

    def __init__(self, secret: bytes, room: Room) -> None:
        self._secret = secret
        self._room = room
        self._unread = b""
        self._current = self._empty()
        self._parts: deque[Printed] = deque()

    def add(self, data: bytes) -> None:
        data = self._unread + data
        *parts, rest = data.split(self._secret)
        for part in parts:
            if part or self._current:
                self._current.add(part)
                self._parts.append(self._end_of_part())
            else:  # as usual
                self._parts.append(NOTHING_PRINTED)
        sure = max(0, len(rest) - SECRET_BYTES + 1)  # the secret may have begun behind it
        self._current.add(rest[:sure])
        self._unread = rest[sure:]

    def part_ended(self) -> bool:
        """Whether a part is whole: what was printed up to the next frame."""
        return bool(self._parts)

    def part(self) -> Printed:
        """The next part, or what there is of it."""
        if self._parts:
            return self._parts.popleft()
        self._current.add(self._unread)
        self._unread = b""
        return self._end_of_part()

    def _end_of_part(self) -> Printed:
        kept = self._current.kept()
        self._room.left -= getsizeof(kept.head) + getsizeof(kept.tail)  # one wide letter widens all
        self._current = self._empty()
        return kept

    def _empty(self) -> _HeadAndTail:
        return _HeadAndTail(PRINTED_BYTES if self._room.left > 0 else _PRINTED_BYTES_AFTER)


class _HeadAndTail:
    """The first and the last bytes of a stream, and how many between them were left out."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._head = self._tail = b""
        self._left_out = 0

    def __bool__(self) -> bool:
        return bool(self._head or self._tail)

    def add(self, data: bytes) -> None:
        room = self._size - len(self._head)
        self._head += data[:room]
        tail = self._tail + data[room:]
        self._left_out += max(0, len(tail) - self._size)
        self._tail = tail[-self._size :]

    def kept(self) -> Printed:
        """What was kept, as text."""
        if not self._left_out:
            return Printed((self._head + self._tail).decode("utf-8", "replace"))
        head, tail = (part.decode("utf-8", "replace") for part in (self._head, self._tail))
        return Printed(head, self._left_out, tail)
