"""What pages show of a terminal is what its commands print now."""

from __future__ import annotations

import pytest

from docs_build.project import this_project
from docs_build.terminals import printed, read_terminals, recording
from skynet_stub.messages import LANGUAGES

PROJECT = this_project()
TERMINALS = read_terminals(PROJECT.snippets)


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, language) for name, one in TERMINALS.items() for language in one.languages],
)
def test_a_recording_is_what_its_commands_print(name: str, language: str) -> None:
    one = TERMINALS[name]
    text = printed(PROJECT, one, language)
    for shown_in in (language,) if len(one.languages) > 1 else LANGUAGES:
        recorded = (PROJECT.snippets / recording(name, shown_in)).read_text("utf-8")
        assert text == recorded, "look at it, then `make pin`"
