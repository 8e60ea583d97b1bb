"""The blocks of the reference: tables and sections made from the stub itself, and its catalogs."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import skynet_stub
from docs_build.faults import closest, refuse
from docs_build.reason_examples import with_facts
from docs_build.renderings import Rendering, Sources
from docs_build.snippets import Place
from docs_build.tables import code_cell, table
from skynet_stub.cases import CASE_FIELDS
from skynet_stub.messages import Catalog
from skynet_stub.options import COMMANDS, OPTIONS
from skynet_stub.record import Record

_STUB = Path(skynet_stub.__file__).parent
SCHEMA = _STUB / "report.schema.json"
TYPES = _STUB / "skynet-stubs" / "__init__.pyi"


def command_options(sources: Sources, place: Place, command: str) -> Rendering:
    """The options of one command: how each is written, and what it does."""
    if command not in COMMANDS:
        remedy = f"Commands: {', '.join(COMMANDS)}.{closest(command, COMMANDS)}"
        raise refuse(place.file, place.line, f"there is no command {command}.", remedy)
    word = sources.catalog.text
    body = []
    for name in COMMANDS[command].options:
        option = OPTIONS[name]
        written = f"{name} {option.value}" if option.value else name
        facts = {fact: str(value) for fact, value in option.facts.items()}
        sentence = word(option.key, **{fact: f"{{{fact}}}" for fact in facts})
        body.append([code_cell(written), with_facts(sentence, facts)])
    return Rendering(table([word("page.option"), word("page.option-does")], body))


def case_fields(sources: Sources) -> Rendering:
    """The fields of a case: whether each is required, and what it holds."""
    word = sources.catalog.text
    body = [
        [
            code_cell(name) + (f"<br>{word('page.required')}" if required else ""),
            word(f"case-field.{name}"),
        ]
        for name, required in CASE_FIELDS.items()
    ]
    return Rendering(table([word("page.key"), word("page.holds")], body))


def report_fields(sources: Sources) -> Rendering:
    """The fields of the report as JSON, from its schema: a list, and in it one for each object."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    return Rendering("\n".join(_fields(schema, "schema", "", sources.catalog)) + "\n")


def helpers(sources: Sources) -> Rendering:
    """The helpers of the `skynet` module: signature, what the platform says, what the stub does."""
    word = sources.catalog.text
    types: dict[str, Any] = {"__name__": "skynet"}
    exec(compile(TYPES.read_text("utf-8"), TYPES.name, "exec"), types)
    parts = []
    for name, function in types.items():
        if inspect.isfunction(function) and function.__module__ == "skynet":
            parts.append(_heading(f"{name}()", name))
            parts.append(f"{code_cell(_signature(name, function))}\n")
            parts.append(f"{word(f'helper.{name}')}\n\n{word(f'helper.{name}.stub')}\n")
    return Rendering("\n".join(parts))


def python_names(sources: Sources) -> Rendering:
    """The public names of the package: signature, what each is, and what a class has besides."""
    word = sources.catalog.text
    parts = []
    for name in sorted(skynet_stub.__all__, key=lambda name: (name[0].isupper(), name)):
        value = getattr(skynet_stub, name)
        parts.append(_heading(name, name.replace("_", "-").lower()))
        parts.append(f"{code_cell(_written(name, value))}\n\n{word(f'python.{name}')}\n")
        members = [
            "- "
            + word("page.member", name=code_cell(member), text=word(f"python.{name}.{key}"))
            + "\n"
            for key, member in _members(value)
        ]
        if members:
            parts.append("".join(members))
    return Rendering("\n".join(parts))


def _heading(code: str, id_: str) -> str:
    return f"### {code_cell(code)} {{#{id_.replace('_', '-')}}}\n"


def _fields(schema: Mapping[str, Any], key: str, indent: str, catalog: Catalog) -> Iterator[str]:
    """A line for every member of an object of the schema, those of the objects in it below each."""
    for name, field in schema.get("properties", {}).items():
        words = {"name": code_cell(name), "type": _types(field)}
        text = catalog.text(f"{key}.{name}")
        yield f"{indent}- {catalog.text('page.report-field', **words, text=text)}"
        for objects in (field, field.get("items", {})):
            yield from _fields(objects, f"{key}.{name}", f"{indent}    ", catalog)


def _types(field: Mapping[str, Any]) -> str:
    """The JSON types of a field; one of a few texts is a string."""
    found = field.get("type", "string")
    return ", ".join(found if isinstance(found, list) else [found])


def _written(name: str, value: Any) -> str:
    """A public name as it is called; a class that callers do not make, as it is defined."""
    if inspect.isfunction(value):
        return _signature(name, value)
    if issubclass(value, Record):
        fields = value.__annotations__
        parts = [_parameter(field, fields[field], value._defaults) for field in fields]
        return f"{name}({', '.join(parts)})"
    return f"class {name}({value.__base__.__name__})"


def _parameter(name: str, annotation: str, defaults: Mapping[str, object]) -> str:
    if name not in defaults:
        return f"{name}: {annotation}"
    default = defaults[name]
    return f"{name}: {annotation} = {dict(default) if isinstance(default, Mapping) else default!r}"


def _signature(name: str, function: Callable[..., object]) -> str:
    """The signature of a function, with its annotations as they are written."""
    signature = inspect.signature(function)
    parts = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        has_default = parameter.default is not parameter.empty
        defaults = {parameter.name: parameter.default} if has_default else {}
        parts.append(_parameter(parameter.name, _annotation(parameter.annotation), defaults))
    return f"{name}({', '.join(parts)}) -> {_annotation(signature.return_annotation)}"


def _annotation(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _members(value: Any) -> Iterator[tuple[str, str]]:
    """The properties and methods of a class: the key of its words, and how it is written."""
    if not inspect.isclass(value):
        return
    for key, member in vars(value).items():
        if key.startswith("_"):
            continue
        if isinstance(member, property):
            assert member.fget is not None
            yield key, f".{key}: {member.fget.__annotations__['return']}"
        elif inspect.isfunction(member):
            parameters = list(inspect.signature(member).parameters.values())[1:]
            written = ", ".join(f"{one.name}: {one.annotation}" for one in parameters)
            yield key, f".{key}({written}) -> {member.__annotations__['return']}"
