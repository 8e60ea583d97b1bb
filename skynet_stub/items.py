"""The items of the contract check, in the order in which they are judged and shown (B7)."""

from __future__ import annotations

FILE = "file"
FUNCTION = "function"
REWARD_SPEC = "reward-spec"
RUN = "run"
TIMEOUT = "timeout"
RETURN_VALUE = "return-value"
RESULT = "result"

CHECK_ITEMS = (FILE, FUNCTION, REWARD_SPEC, RUN, TIMEOUT, RETURN_VALUE, RESULT)
"""Ids of all items. The name of an item in a language is the catalog's `item.<id>`."""
