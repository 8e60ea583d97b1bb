"""Say of a case that its result is not the pinned one, in the line that `make pin` prints.

The tests of the examples say the same where they fail, also in a browser's Python: no Babel here.
"""

from __future__ import annotations

from skynet_stub import pinning
from skynet_stub.cases import Case
from skynet_stub.json_text import one_line
from skynet_stub.outcomes import Returned


def pin_change(file: str, case: Case, returned: Returned) -> str | None:
    """Which case, what it pinned, and what came back; `None` where the pin holds."""
    for change in pinning.changes([(case, returned)], complete=True):
        was = "nothing" if change.was is None else one_line(change.was)
        place = f"{file}:{case.line}: case {case.number}"
        return f"{place} pinned {was}, now {one_line(change.now)}"
    return None
