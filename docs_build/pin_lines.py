"""Say of a case that its result is not the pinned one, in the line that `make pin` prints.

The tests of the examples say the same where they fail, also in a browser's Python: no Babel here.
"""

from __future__ import annotations

from docs_build.jsonl import one_line
from skynet_stub.cases import Case, Pin
from skynet_stub.outcomes import Returned
from skynet_stub.pins import pin_faults


def pin_change(file: str, case: Case, returned: Returned) -> str | None:
    """Which case, what it pinned, and what came back; `None` where the pin holds."""
    if holds(case.result, returned):
        return None
    was = one_line(written(case.result)) if case.result else "nothing"
    return f"{file}:{case.line}: case {case.number} pinned {was}, now {one_line(written(returned))}"


def holds(pin: Pin | None, returned: Returned) -> bool:
    """Whether a case pins all that was returned, and pins it right."""
    if pin is None or pin.feedback is None or (pin.scores is None) != (returned.scores is None):
        return False
    return not any(pin_faults(pin, returned))


def written(result: Pin | Returned) -> dict[str, object]:
    """The `result` of a case as it is written."""
    members: dict[str, object] = {"score": _readable(result.score)}
    if result.feedback is not None:
        members["feedback"] = result.feedback
    if result.scores is not None:
        members["scores"] = {name: _readable(score) for name, score in result.scores.items()}
    return members


def _readable(number: float) -> float:
    """A number without the noise of its last digits, which a pin is not compared by (B5)."""
    return float(f"{number:.12g}")
