"""What pages show of a terminal is what its commands print now."""

from __future__ import annotations

import pytest

from docs_build.project import this_project
from docs_build.terminals import printed, read_terminals, recording
from skynet_stub.messages import LANGUAGES

PROJECT = this_project()
TERMINALS = read_terminals(PROJECT.snippets)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TERMINALS)
def test_a_recording_is_what_its_commands_print(name: str, language: str) -> None:
    recorded = (PROJECT.snippets / recording(name, language)).read_text("utf-8")
    assert printed(PROJECT, TERMINALS[name], language) == recorded, "look at it, then `make pin`"
