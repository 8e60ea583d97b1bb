"""What a runner reports crosses a pipe as JSON, and arrives as it was (B4)."""

from __future__ import annotations

import json

from skynet_stub.helpers import ModelCall
from skynet_stub.outcomes import (
    Advice,
    Called,
    Loading,
    Printed,
    Returned,
    called_from_wire,
    loading_from_wire,
    to_wire,
)
from skynet_stub.reasons import Fault, Hint

FAULTS = (
    Fault("call-raised", facts={"exception": "ValueError: \ud800"}, line=3),
    Fault("score-is-a-string", "[0]", {"found": "'1'"}, (Hint("hint.convert", {"a": "b"}),)),
)
ADVICE = (Advice("parameter-order"), Advice("bool-score", 2, {"n": "1"}))


def test_how_loading_ended_arrives_as_it_was() -> None:
    for loading in (Loading(), Loading(FAULTS, ADVICE, Printed("printed\n"))):
        assert loading_from_wire(json.loads(json.dumps(to_wire(loading)))) == loading


def test_how_a_call_ended_arrives_as_it_was() -> None:
    system, user = {"role": "system", "content": "?"}, {"role": "user", "content": "\udfff"}
    for called in (
        Called(1),
        Called(2, faults=FAULTS, ms=1.5, printed=Printed("print", 7, "ed\n")),
        Called(3, returned=Returned(0.1, "")),
        Called(4, returned=Returned(-0.5, "\ud800 точно", {}), advice=ADVICE),
        Called(
            5,
            returned=Returned(1e308, "Right.", {"": 5e-324, "a": 1.0}),
            model_calls=(
                ModelCall("judge", (system, user), "PASS"),
                ModelCall("judge", (user,), ""),
            ),
        ),
    ):
        assert called_from_wire(json.loads(json.dumps(to_wire(called)))) == called
