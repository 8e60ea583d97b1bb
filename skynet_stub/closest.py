"""Find the known name that somebody most likely meant."""

from __future__ import annotations

from collections.abc import Iterable


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is the fewest slips away, or `None` where none is near enough.

    A slip is a letter that is missing, too many, wrong, or swapped with the next one; case does
    not count. Near enough is at most one slip in three letters.
    """
    best, fewest = None, len(name)
    for one in known:
        allowed = min(len(name), len(one)) // 3
        if abs(len(name) - len(one)) <= allowed:  # else it is too far, and may be very long
            slips = _slips(name.lower(), one.lower())
            if slips <= allowed and slips < fewest:
                best, fewest = one, slips
    return best


def _slips(one: str, other: str) -> int:
    """The edit distance of two words, a swap of neighbours counted as one edit."""
    earlier: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            cost = min(last[j] + 1, row[-1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        earlier, last = last, row
    return last[-1]
