"""Every statement of the contract stands on the pages, in each language, and has its tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from docs_build.project import this_project
from drill.statements import Statement, read_statements, sections
from skynet_stub.messages import LANGUAGES

pytest_plugins = ["staged_pages"]
STATEMENTS = read_statements()
RULES = ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9")


def by_id(statement: Statement) -> str:
    return statement.id


@cache
def functions_of(file: Path) -> frozenset[str]:
    """The names of the tests that a file defines."""
    tree = ast.parse(file.read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_the_statements_are_numbered_without_a_gap_and_every_rule_has_some() -> None:
    ids = [statement.id for statement in STATEMENTS]
    rules = list(dict.fromkeys(id_.partition(".")[0] for id_ in ids))
    assert tuple(rule for rule in rules if rule.startswith("A")) == RULES
    assert ids == [
        f"{rule}.{number + 1}"
        for rule in rules
        for number in range(sum(id_.startswith(f"{rule}.") for id_ in ids))
    ]


@pytest.mark.parametrize("statement", STATEMENTS, ids=by_id)
def test_a_statement_stands_under_its_heading_in_each_language(
    staged: Mapping[tuple[str, str], str], statement: Statement
) -> None:
    assert statement.places
    for place in statement.places:
        assert tuple(place.says) == LANGUAGES
        for language in LANGUAGES:
            file = f"docs/{language}/{place.page}.md"
            found = sections(staged[language, place.page])
            assert place.heading in found, f"{file} has no heading {{#{place.heading}}}"
            text = found[place.heading].replace("\N{NO-BREAK SPACE}", " ")
            for words in place.says[language]:
                assert words.strip(), statement.id
                if words not in text:
                    pytest.fail(
                        f"{file}, under #{place.heading}: {words!r} is gone, which says that"
                        f" {statement.fact!r} ({statement.id}). Where the page says it in other"
                        " words, write these into drill/statements.toml.",
                        pytrace=False,
                    )


@pytest.mark.parametrize("statement", STATEMENTS, ids=by_id)
def test_every_test_that_a_statement_names_is_written(statement: Statement) -> None:
    assert statement.tests
    for test in statement.tests:
        file, _, name = test.partition("::")
        assert re.fullmatch(r"tests/\w+/test_\w+\.py", file)
        assert name in functions_of(this_project().root / file), test


def test_a_section_ends_at_the_next_heading_and_code_has_none() -> None:
    page = "x\n# A {#a}\none\n``` { .python }\n# no {#no}\n```\n## B {#b}\ntwo\n"
    assert sections(page) == {
        "a": "# A {#a}\none\n``` { .python }\n# no {#no}\n```",
        "b": "## B {#b}\ntwo\n",
    }
