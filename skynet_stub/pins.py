"""Compare what a metric returned with the pinned result of the case (B5)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping

from skynet_stub.cases import Pin
from skynet_stub.display import SHOWN_CHARACTERS
from skynet_stub.outcomes import Returned
from skynet_stub.reasons import Fault, Hint

RELATIVE_TOLERANCE = 1e-9
ABSOLUTE_TOLERANCE = 1e-12

_BEFORE = 40  # how much that is the same is shown before the first difference


def pin_faults(pin: Pin, returned: Returned) -> Iterator[Fault]:
    """Where the result differs from the pin: numbers by `math.isclose`, texts to the character.

    The feedback and the named scores are compared only where the pin has them.
    """
    if not _close(pin.score, returned.score):
        yield _fault("pinned-score-differs", "[0]", returned.score, pin.score)
    if pin.feedback is not None and pin.feedback != returned.feedback:
        yield _feedback_fault(returned.feedback, pin.feedback)
    if pin.scores is not None:
        scores = returned.scores or {}
        same_names = pin.scores.keys() == scores.keys()
        if not same_names or not all(_close(pin.scores[name], scores[name]) for name in scores):
            yield _scores_fault(returned.scores, pin.scores)


def _feedback_fault(returned: str, pinned: str) -> Fault:
    """Of long texts it is said where they first differ."""
    fault = _fault("pinned-feedback-differs", '[1]["feedback"]', returned, pinned)
    if not fault.facts["found"].startswith("…"):
        return fault
    position = _same_beginning(returned, pinned) + 1
    return fault.replace(hints=(Hint("hint.first-difference", {"position": str(position)}),))


def _scores_fault(returned: Mapping[str, float] | None, pinned: Mapping[str, float]) -> Fault:
    """Of many named scores those that differ are shown."""
    pinned = dict(pinned)  # a caller may pin any mapping
    if returned is not None and max(len(_json(returned)), len(_json(pinned))) > SHOWN_CHARACTERS:
        same = {
            name for name in returned if name in pinned and _close(pinned[name], returned[name])
        }
        returned = {name: score for name, score in returned.items() if name not in same}
        pinned = {name: score for name, score in pinned.items() if name not in same}
    return _fault("pinned-scores-differ", '[1]["scores"]', returned, pinned)


def _close(pinned: float, returned: float) -> bool:
    return math.isclose(pinned, returned, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)


def _fault(reason: str, place: str, returned: object, pinned: object) -> Fault:
    found, wanted = _apart(_json(returned), _json(pinned))
    if _look_alike(found, wanted):
        found, wanted = _apart(json.dumps(returned), json.dumps(pinned))
    return Fault(reason, place, {"found": found, "pinned": wanted})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two texts that differ, each cut to where they do."""
    start = 0
    if max(len(one), len(other)) > SHOWN_CHARACTERS:
        start = max(0, _same_beginning(one, other) - _BEFORE)
    return _window(one, start), _window(other, start)


def _window(text: str, start: int) -> str:
    room = SHOWN_CHARACTERS - bool(start)
    part = text[start : start + room]
    if start + room < len(text):
        part = f"{part[:-1]}…"
    return f"…{part}" if start else part


def _same_beginning(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _look_alike(one: str, other: str) -> bool:
    """Whether two texts that differ would look the same: in kinds of blanks, or in accents."""
    from unicodedata import normalize  # which only a result that differs needs

    return normalize("NFKC", one) == normalize("NFKC", other)
