"""Read the sources of the message catalogs and the keys that the code names, for the tests."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

STUB = Path(__file__).resolve().parents[2] / "skynet_stub"
"""The folder of the stub's code and of its catalogs."""

_KEY = re.compile(r"(item|reason|remedy|hint|advice|refused|report|command|spec)\.[a-z][a-z.-]*")
_ENTRY = re.compile(r'^(msgid|msgid_plural|msgstr|msgstr\[\d\]) (".*")$|^(".*")$')


@dataclass(frozen=True)
class Message:
    """One entry of a catalog: its key, and its text, or one text for each plural form."""

    key: str
    texts: tuple[str, ...]
    plural: bool


def messages(language: str) -> dict[str, Message]:
    """The entries of a catalog's source by key. A line that is none of a catalog's is an error."""
    path = STUB / "locale" / f"{language}.po"
    entries: list[dict[str, str]] = [{}]
    field = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        match = _ENTRY.fullmatch(line)
        assert match is not None, f"{path.name}: {line}"
        if match[1] == "msgid":
            entries.append({})
        field = match[1] or field
        entries[-1][field] = entries[-1].get(field, "") + ast.literal_eval(match[2] or match[3])
    found = [_message(entry) for entry in entries[2:]]  # the first one is the header
    assert len({message.key for message in found}) == len(found), f"{path.name}: a repeated key"
    return {message.key: message for message in found}


def _message(entry: dict[str, str]) -> Message:
    texts = tuple(text for field, text in entry.items() if field.startswith("msgstr"))
    return Message(entry["msgid"], texts, "msgid_plural" in entry)


def named_keys() -> set[str]:
    """Every key that stands in the code as a literal."""
    found = {text for _, text in _strings() if _KEY.fullmatch(text)}
    return {text for text in found if not text.endswith(".json")}  # the name of a file


def refusals() -> set[str]:
    """The keys of all refusals: the code names them without their first part."""
    return {f"refused.{name}" for name in _first_arguments("Refused", "refuse")} | {
        f"refused.value-{name}" for name in _first_arguments("_wrong")
    }


def advised() -> set[str]:
    """The ids of all advice that the code can give."""
    return set(_first_arguments("Advice"))


def described() -> dict[str, str]:
    """The description of each member of the report as JSON, by the path of names to it."""
    schema = json.loads((STUB / "report.schema.json").read_text(encoding="utf-8"))
    return {path or "document": text for path, text in _descriptions(schema, "")}


def _descriptions(schema: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
    if "description" in schema:
        yield path, schema["description"]
    for name, member in schema.get("properties", {}).items():
        yield from _descriptions(member, f"{path}.{name}".lstrip("."))
    if "items" in schema:
        yield from _descriptions(schema["items"], path)


def states() -> set[str]:
    """The keys of the states of an item: the code names them without their first part."""
    hyphenated = re.compile(r"[a-z]+(-[a-z]+)+")
    return {
        f"report.{text}"
        for file, text in _strings()
        if file == "report.py" and hyphenated.fullmatch(text)
    }


@cache
def _nodes() -> tuple[tuple[str, ast.AST], ...]:
    """Every node of the stub's code, with the name of its file."""
    return tuple(
        (path.name, node)
        for path in sorted(STUB.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )


def _strings() -> Iterator[tuple[str, str]]:
    for file, node in _nodes():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield file, node.value


def _first_arguments(*functions: str) -> Iterator[str]:
    """The first argument of each call of these functions, where it is a literal."""
    for _, node in _nodes():
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
        first = node.args[0]
        if name in functions and isinstance(first, ast.Constant):
            assert isinstance(first.value, str)
            yield first.value
