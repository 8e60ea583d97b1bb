"""Validate a JSON value by a JSON Schema, as far as the schema of the report goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "number": (int, float),
    "integer": (int,),
    "null": (type(None),),
}
_KNOWN = {
    *("$schema", "description", "type", "enum", "minimum"),
    *("required", "properties", "additionalProperties", "items"),
}


def faults(value: Any, schema: dict[str, Any], place: str = "") -> Iterator[str]:
    """Where a value is not as the schema says. A keyword that is not known here is an error."""
    assert set(schema) <= _KNOWN, place
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is none of {schema['enum']}"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is_a(value, kind) for kind in kinds):
        yield f"{place}: {value!r} is not of type {kinds}"
        return
    if isinstance(value, int | float) and value < schema.get("minimum", value):
        yield f"{place}: {value!r} is too small"
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from faults(element, schema.get("items", {}), f"{place}[{index}]")
    if isinstance(value, dict):
        yield from _member_faults(value, schema, place)


def _member_faults(value: dict[str, Any], schema: dict[str, Any], place: str) -> Iterator[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    yield from (
        f"{place}: {name} missing" for name in schema.get("required", []) if name not in value
    )
    for name, member in value.items():
        if name not in known and others is False:
            yield f"{place}: {name} is not known"
        else:
            yield from faults(member, known.get(name, others), f"{place}.{name}")


def _is_a(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])
