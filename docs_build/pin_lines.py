"""Say of a case that its result is not the pinned one, in the line that `make pin` prints.

The tests of the examples say the same where they fail, also in a browser's Python: no Babel here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skynet_stub.json_text import one_line
from skynet_stub.pinning import Change


def pin_lines(file: str, changes: Iterable[Change]) -> Iterator[str]:
    """Which case, what it pinned, and what came back."""
    for change in changes:
        was = "nothing" if change.was is None else one_line(change.was)
        place = f"{file}:{change.case.line}: case {change.case.number}"
        yield f"{place} pinned {was}, now {one_line(change.now)}"
