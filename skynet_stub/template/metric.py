"""Score 1 where the output is the expected label, else 0: a metric to begin with.

Skynet calls `score` once for each case. The cases stand in cases.jsonl, beside this file: one JSON
object a line. Change both to what you want to score, and check them with

    skynet-stub check metric.py
"""

from __future__ import annotations

from typing import Any


def score(
    input: dict[str, Any], output: Any, expected: dict[str, Any] | None = None
) -> tuple[float, dict[str, Any]]:
    # The optimizer tries to raise the score, and reads the feedback to write the next version: so
    # say what is wrong, and what the right output looks like.
    label = expected.get("label") if expected else None
    if label is None:
        return 0.0, {"feedback": "This case has no expected label."}
    if output == label:
        return 1.0, {"feedback": f"Correct: the label is {label!r}."}
    return 0.0, {"feedback": f"Expected {label!r}, got {output!r}."}
