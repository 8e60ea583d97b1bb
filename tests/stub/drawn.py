"""How many examples Hypothesis draws in a test that says so itself."""

from __future__ import annotations

from hypothesis import settings


def drawn(examples: int) -> settings:
    """So many examples, but under `--fast` as much fewer as in any other test.

    No example database: a test run leaves nothing behind. The blob reproduces a failure.
    """
    count = max(1, examples * settings().max_examples // 100)
    return settings(deadline=None, database=None, print_blob=True, max_examples=count)
