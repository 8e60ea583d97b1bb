"""Every reason for which the contract check can fail: its code, its item, and its rule (B2, B7)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from skynet_stub import items
from skynet_stub.record import Record


class Reason(Record):
    """One reason code.

    `item` is the id of the check item that fails for it. `rule` is the rule of the contract
    that says so. `facts` are the names of the placeholders that its remedy may use. The words
    are the catalog's: `reason.<code>` and `remedy.<code>`.
    """

    code: str
    item: str
    rule: str
    facts: tuple[str, ...] = ()


NO_FACTS: Mapping[str, str] = MappingProxyType({})


class Hint(Record):
    """What more is known of a fault (a near miss, say): its sentence's key in the catalogs, and
    the facts that the sentence names."""

    key: str
    facts: Mapping[str, str] = NO_FACTS


class Fault(Record):
    """A reason that was found, and where.

    `place` is the place within the return value (`""` for the whole of it, `[0]`,
    `[1]["feedback"]`); `facts` fill the placeholders of the remedy; `line` is the line of the
    metric file that it came from, where there is one.
    """

    reason: str
    place: str = ""
    facts: Mapping[str, str] = NO_FACTS
    hints: tuple[Hint, ...] = ()
    line: int | None = None


_VALUE = ("found", "type")
_RAISED = ("exception",)

# The order is the order of the contract: shape, score, side info, feedback, named scores (B2).
_ALL = (
    Reason("file-unreadable", items.FILE, "B3", ("problem",)),
    Reason("file-not-python", items.FILE, "B3", ("problem", "version")),
    Reason("loading-raised", items.FILE, "B3", _RAISED),
    Reason("loading-exited", items.FILE, "B4", ("code",)),
    Reason("loading-killed", items.FILE, "B4", ("signal",)),
    Reason("loading-out-of-memory", items.FILE, "B4", ("limit",)),
    Reason("no-score-function", items.FUNCTION, "A1", ()),
    Reason("score-not-callable", items.FUNCTION, "B3", _VALUE),
    Reason("signature-does-not-bind", items.FUNCTION, "B3", ("signature",)),
    Reason("reward-spec-invalid", items.REWARD_SPEC, "A6"),
    Reason("call-raised", items.RUN, "B4", _RAISED),
    Reason("call-exited", items.RUN, "B4", ("code",)),
    Reason("call-killed", items.RUN, "B4", ("signal",)),
    Reason("call-out-of-memory", items.RUN, "B4", ("limit",)),
    Reason("loading-timed-out", items.TIMEOUT, "B4", ("seconds",)),
    Reason("call-timed-out", items.TIMEOUT, "B4", ("seconds",)),
    Reason("returned-none", items.RETURN_VALUE, "B2"),
    Reason("returned-coroutine", items.RETURN_VALUE, "B2"),
    Reason("returned-generator", items.RETURN_VALUE, "B2"),
    Reason("returned-dict", items.RETURN_VALUE, "B2", ("found",)),
    Reason("returned-class", items.RETURN_VALUE, "B2", ("found",)),
    Reason("no-side-info", items.RETURN_VALUE, "A3", ("found",)),
    Reason("not-a-pair", items.RETURN_VALUE, "A3", _VALUE),
    Reason("wrong-length", items.RETURN_VALUE, "A3", ("found", "length")),
    Reason("swapped-pair", items.RETURN_VALUE, "B2"),
    Reason("score-is-a-string", items.RETURN_VALUE, "A3", _VALUE),
    Reason("score-not-a-number", items.RETURN_VALUE, "B1", _VALUE),
    Reason("score-nan", items.RETURN_VALUE, "B1"),
    Reason("score-infinite", items.RETURN_VALUE, "B1", ("found",)),
    Reason("score-too-large", items.RETURN_VALUE, "B1", ("found",)),
    Reason("side-info-not-a-dict", items.RETURN_VALUE, "A3", _VALUE),
    Reason("no-feedback", items.RETURN_VALUE, "A3", ("found",)),
    Reason("feedback-not-a-string", items.RETURN_VALUE, "A3", _VALUE),
    Reason("scores-not-a-dict", items.RETURN_VALUE, "B2", _VALUE),
    Reason("score-name-not-a-string", items.RETURN_VALUE, "B2", _VALUE),
    Reason("named-score-not-a-number", items.RETURN_VALUE, "A3", _VALUE),
    Reason("named-score-nan", items.RETURN_VALUE, "B1"),
    Reason("named-score-infinite", items.RETURN_VALUE, "B1", ("found",)),
    Reason("named-score-too-large", items.RETURN_VALUE, "B1", ("found",)),
    Reason("unreadable-value", items.RETURN_VALUE, "B2", ("type", "exception")),
    Reason("pinned-score-differs", items.RESULT, "B5", ("found", "pinned")),
    Reason("pinned-feedback-differs", items.RESULT, "B5", ("found", "pinned")),
    Reason("pinned-scores-differ", items.RESULT, "B5", ("found", "pinned")),
)

REASONS: Mapping[str, Reason] = MappingProxyType({reason.code: reason for reason in _ALL})
"""All reasons by code, in the order of the contract."""
