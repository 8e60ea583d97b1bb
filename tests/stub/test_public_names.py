"""What the package offers: its public names, its types, and the types of `skynet` (B6)."""

from __future__ import annotations

import ast
import datetime
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import skynet_stub
from skynet_stub import (
    advice,
    calling,
    cases,
    check,
    helpers,
    limits,
    outcomes,
    reasons,
    return_value,
    reward,
)
from skynet_stub.cases import Measured
from skynet_stub.helpers import Helpers
from skynet_stub.record import Record

STUB = Path(skynet_stub.__file__).parent

PUBLIC = [
    "Advice",
    "Called",
    "Case",
    "Failure",
    "Fault",
    "Hint",
    "ItemResult",
    "Loading",
    "Measured",
    "ModelCall",
    "Models",
    "Pin",
    "Printed",
    "Refused",
    "Report",
    "Returned",
    "Verdict",
    "check_metric",
    "check_return_value",
    "load_cases",
]


def test_the_public_names_are_these() -> None:
    assert skynet_stub.__all__ == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_can_be_imported_and_says_what_it_is_for(name: str) -> None:
    documentation = inspect.getdoc(getattr(skynet_stub, name))
    assert documentation
    assert not documentation.startswith(f"{name}(")  # which dataclasses write of themselves


@pytest.mark.parametrize(
    ("function", "rules"),
    [
        (skynet_stub.check_metric, {"A7", "B4", "B7"}),
        (skynet_stub.check_return_value, {"A3", "B1", "B2"}),
        (skynet_stub.load_cases, {"B5"}),
        (reward.reward, {"A6", "B6"}),
    ],
)
def test_a_public_function_names_the_rules_that_it_keeps(function: Any, rules: set[str]) -> None:
    assert rules <= set(re.findall(r"\b[AB]\d\b", inspect.getdoc(function) or ""))


def test_the_signatures_of_the_public_functions_are_these() -> None:
    assert parameters_of(skynet_stub.check_return_value) == [("value", POSITIONAL, NONE)]
    assert parameters_of(skynet_stub.load_cases) == [("path", POSITIONAL, NONE)]
    assert parameters_of(skynet_stub.check_metric) == [
        ("metric", POSITIONAL, NONE),
        ("cases", POSITIONAL, None),
        ("all_cases", KEYWORD, False),
        ("numbers", KEYWORD, ()),
        ("timeout", KEYWORD, 60),
        ("memory", KEYWORD, 1024),
        ("models", KEYWORD, skynet_stub.Models()),
        ("runner", KEYWORD, None),
    ]


def test_the_types_of_what_is_public_are_public() -> None:
    fields = " ".join(
        str(annotation)
        for name in PUBLIC
        if isinstance(kind := getattr(skynet_stub, name), type) and issubclass(kind, Record)
        for annotation in kind.__annotations__.values()
    )
    records = {kind.__name__ for kind in Record.__subclasses__()}
    named = set(re.findall(r"[A-Z]\w+", fields)) & records
    assert named >= {"Called", "Fault", "ItemResult", "Loading"}
    assert named <= set(PUBLIC)


def test_a_name_that_is_not_there_is_an_error_that_names_it() -> None:
    with pytest.raises(AttributeError, match="'skynet_stub' has no attribute 'chek_metric'"):
        skynet_stub.chek_metric  # type: ignore[attr-defined]  # noqa: B018
    assert set(PUBLIC) <= set(dir(skynet_stub))


def test_every_module_says_what_it_is_for_in_its_first_line() -> None:
    for path in sorted(STUB.glob("*.py")):
        documentation = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert re.search(r"[.)]$", documentation.partition("\n")[0]), path.name


def test_the_package_ships_its_types() -> None:
    assert (STUB / "py.typed").is_file()


PROCESS_MODULES = {
    *("clock", "keeper", "process", "process_tree", "shield", "supervisor", "watched", "worker")
}
"""The modules that only a system with processes can import."""


def test_the_core_needs_nothing_that_a_browser_lacks() -> None:
    # The process runner is imported only when it is used.
    for path in sorted(STUB.glob("*.py")):
        if path.stem in PROCESS_MODULES:
            continue
        top = ast.parse(path.read_text(encoding="utf-8")).body
        imported = {
            name
            for node in top
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in [getattr(node, "module", None), *(alias.name for alias in node.names)]
        }
        assert not imported & {
            *PROCESS_MODULES,
            *(f"skynet_stub.{name}" for name in PROCESS_MODULES),
            "_signal",
            "ctypes",
            "multiprocessing",
            "resource",
            "select",
            "selectors",
            "signal",
            "socket",
            "subprocess",
            "threading",
        }, path.name


def test_the_guide_was_recorded_on_a_day_that_has_been() -> None:
    assert datetime.date(2026, 11, 30) == limits.GUIDE_RECORDED


def test_records_cannot_be_changed() -> None:
    kinds = [
        kind
        for module in (advice, calling, cases, check, helpers, outcomes, reasons, return_value)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Record)
    ]
    assert len(kinds) >= 15
    for kind in kinds:
        assert kind.__setattr__ is Record.__setattr__, kind


def test_reasons_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        reasons.REASONS["new"] = reasons.REASONS["no-feedback"]  # type: ignore[index]


# --- The types of the skynet module --------------------------------------------------------------

POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD
KEYWORD = inspect.Parameter.KEYWORD_ONLY
NONE = inspect.Parameter.empty


def parameters_of(function: Any) -> list[tuple[str, object, object]]:
    parameters = inspect.signature(function).parameters.values()
    return [(parameter.name, parameter.kind, parameter.default) for parameter in parameters]


def type_stubs() -> dict[str, ast.FunctionDef | ast.ClassDef]:
    source = (STUB / "skynet-stubs" / "__init__.pyi").read_text(encoding="utf-8")
    return {
        node.name: node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


def real_module() -> ModuleType:
    return Helpers().module()


def test_the_type_stubs_offer_what_the_module_offers() -> None:
    offered = {name for name in type_stubs() if not name.startswith("_")}
    assert offered == set(real_module().__all__)
    assert offered == {"llm", "observation", "reward", "service_cost"}


@pytest.mark.parametrize("name", ["llm", "observation", "reward", "service_cost"])
def test_a_function_has_the_parameters_and_types_of_its_stub(name: str) -> None:
    stub = type_stubs()[name]
    assert isinstance(stub, ast.FunctionDef)
    real = inspect.signature(getattr(real_module(), name))
    stub_arguments = stub.args
    assert not stub_arguments.kwonlyargs
    assert not stub_arguments.posonlyargs
    assert stub_arguments.vararg is None
    assert stub_arguments.kwarg is None
    required = len(stub_arguments.args) - len(stub_arguments.defaults)
    defaults = [NONE] * required + [ast.literal_eval(node) for node in stub_arguments.defaults]
    written = [
        (argument.arg, POSITIONAL, default, ast.unparse(argument.annotation))
        for argument, default in zip(stub_arguments.args, defaults, strict=True)
        if argument.annotation is not None
    ]
    assert written == [
        (parameter.name, parameter.kind, parameter.default, parameter.annotation)
        for parameter in real.parameters.values()
    ]
    assert stub.returns is not None
    returned = ast.unparse(stub.returns)
    if name == "observation":  # named apart, or the stubs would need the package
        assert (returned, real.return_annotation) == ("_Observation", "Measured")
    else:
        assert returned == real.return_annotation


def test_an_observation_has_the_properties_of_its_stub() -> None:
    stub = type_stubs()["_Observation"]
    assert isinstance(stub, ast.ClassDef)
    written = {
        node.name: ast.unparse(node.returns)
        for node in stub.body
        if isinstance(node, ast.FunctionDef) and node.returns is not None
    }
    assert written == Measured.__annotations__
    assert set(written) == {"ms", "usd"}
