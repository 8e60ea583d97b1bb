"""Compare what a metric returned with the pinned result of the case (B5)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from skynet_stub.cases import Pin
from skynet_stub.display import show_json
from skynet_stub.outcomes import Returned
from skynet_stub.reasons import Fault

RELATIVE_TOLERANCE = 1e-9
ABSOLUTE_TOLERANCE = 1e-12


def pin_faults(pin: Pin, returned: Returned) -> Iterator[Fault]:
    """Where the result differs from the pin: numbers by `math.isclose`, texts to the character.

    The feedback and the named scores are compared only where the pin has them.
    """
    if not _close(pin.score, returned.score):
        yield _fault("pinned-score-differs", "[0]", returned.score, pin.score)
    if pin.feedback is not None and pin.feedback != returned.feedback:
        yield _fault("pinned-feedback-differs", '[1]["feedback"]', returned.feedback, pin.feedback)
    if pin.scores is not None:
        scores = returned.scores or {}
        same_names = pin.scores.keys() == scores.keys()
        if not same_names or not all(_close(pin.scores[name], scores[name]) for name in scores):
            place = '[1]["scores"]'
            yield _fault("pinned-scores-differ", place, returned.scores, dict(pin.scores))


def _close(pinned: float, returned: float) -> bool:
    return math.isclose(pinned, returned, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)


def _fault(reason: str, place: str, found: object, pinned: object) -> Fault:
    return Fault(reason, place, {"found": show_json(found), "pinned": show_json(pinned)})
