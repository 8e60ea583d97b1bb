"""A metric may ask a model in threads of its own; Pyodide has none, so not in tests/stub."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from skynet_stub.cases import Case
from skynet_stub.helpers import Helpers


def test_each_of_many_threads_gets_a_reply_of_its_own() -> None:
    replies = tuple(map(str, range(2000)))
    helpers = Helpers()
    case = Case(number=1, line=1, input={}, output="", llm=replies)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with helpers.running(case), ThreadPoolExecutor(8) as threads:
            given = list(threads.map(helpers.llm, ["?"] * len(replies)))
    finally:
        sys.setswitchinterval(before)
    assert sorted(given) == sorted(replies)
