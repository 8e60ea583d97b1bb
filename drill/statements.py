"""The statements of the contract: where pages say each, in which words, and what proves it.

`statements.toml` binds each statement to a heading, to its words in each language, and to tests.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skynet_stub import limits

FILE = Path(__file__).with_name("statements.toml")

_PAGE = "concepts/scorers"
_HEADING = re.compile(r"#{1,6} .*\{#(?P<id>[a-z0-9-]+)\}\s*")
_FENCE = re.compile(r" *(?P<ticks>`{3,})")
_LIMIT = re.compile(r"\$([A-Z_]+)")


@dataclass(frozen=True, slots=True)
class Place:
    """What stands under a heading of a page, by language."""

    page: str
    heading: str
    says: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its number in the contract (`A3.2`), the fact, its tests and its places."""

    id: str
    fact: str
    tests: tuple[str, ...]
    places: tuple[Place, ...]


def read_statements() -> tuple[Statement, ...]:
    """All statements, in the order of the contract. Raises `KeyError` for one without a part."""
    return tuple(_statement(row) for row in tomllib.loads(FILE.read_text("utf-8"))["statement"])


def sections(markdown: str) -> Mapping[str, str]:
    """The text under each heading of a page, up to the next heading, by id; code is no heading."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        ticks = _FENCE.match(line)
        if ticks and (not fence or line.strip() == fence):
            fence = "" if fence else ticks["ticks"]
        elif not fence and (heading := _HEADING.fullmatch(line)):
            current = found.setdefault(heading["id"], [])
        current.append(line)
    return {id_: "\n".join(lines) for id_, lines in found.items()}


def tests_to_run(statements: tuple[Statement, ...]) -> frozenset[str]:
    """The tests that prove the statements, by their ids without parameters."""
    return frozenset(test for statement in statements for test in statement.tests)


def _statement(row: Mapping[str, Any]) -> Statement:
    places = tuple(_place(place) for place in row["place"])
    return Statement(row["id"], row["fact"], tuple(row["tests"]), places)


def _place(row: Mapping[str, Any]) -> Place:
    says = {
        language: tuple(_with_limits(text) for text in texts)
        for language, texts in row["says"].items()
    }
    return Place(row.get("page", _PAGE), row["heading"], says)


def _with_limits(text: str) -> str:
    """A text with the numbers of the stub in place of their names."""
    return _LIMIT.sub(lambda name: str(getattr(limits, name[1])), text)
