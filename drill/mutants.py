"""The mutants of a module: the same code with one small thing wrong, one mutant a place."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any, TypeVar

SHOWN_CHARACTERS = 100
"""How long the code around a change may be in which it is shown."""

MODULE = "<module>"
"""Stands for the function where a change is in none."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was changed: the function, the code before and after, and which of several equal
    ones it is, counted from 1."""

    function: str
    before: str
    after: str
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change, and the code of the whole module with it."""

    change: Change
    compile: Callable[[], CodeType]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node stands: in a field of its parent, at an index where the field is a list."""

    parent: ast.AST
    field: str
    index: int | None

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def mutants(source: str, file: str) -> list[Mutant]:
    """All mutants of a module's source, in its order. `file` is named in their tracebacks."""
    tree = ast.parse(source)
    counts: Counter[tuple[str, str, str]] = Counter()
    made = []
    text = cache(_text)  # each node is shown for all that stands in it; the tree stays as it is
    for place, node, function, around in _nodes(tree, (), ()):
        for new in _instead_of(node):
            ast.copy_location(new, node)
            before, after = _shown(place, node, new, around, text)
            counts[function, before, after] += 1
            change = Change(function, before, after, counts[function, before, after])
            made.append(Mutant(change, _compiler(tree, place, node, new, file)))
    return made


def _compiler(
    tree: ast.Module, place: _Place, node: ast.AST, new: ast.AST, file: str
) -> Callable[[], CodeType]:
    def compiled() -> CodeType:
        place.put(new)
        try:
            return compile(ast.fix_missing_locations(tree), file, "exec")
        finally:
            place.put(node)

    return compiled


# --- Where ---------------------------------------------------------------------------------------

_TYPES = {"annotation", "returns", "type_params"}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _nodes(
    node: ast.AST, scopes: tuple[str, ...], around: tuple[ast.AST, ...]
) -> Iterator[tuple[_Place, ast.AST, str, tuple[ast.AST, ...]]]:
    """Each node below this one with its place, its function, and the nodes around it."""
    for field, value in ast.iter_fields(node):
        if field in _TYPES:
            continue
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if not isinstance(child, ast.AST) or _left_alone(child):
                continue
            place = _Place(node, field, index if isinstance(value, list) else None)
            yield place, child, ".".join(scopes) or MODULE, around
            within = (*scopes, child.name) if isinstance(child, _SCOPES) else scopes
            yield from _nodes(child, within, (*around, child))


def _left_alone(node: ast.AST) -> bool:
    """What is there for its readers and for the checker of types alone, imports, and `assert` and
    `strict=True`, which hold against our own mistakes."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    return isinstance(node, ast.Assert | ast.Import | ast.ImportFrom)


def _shown(
    place: _Place,
    node: ast.AST,
    new: ast.AST,
    around: Sequence[ast.AST],
    text: Callable[[ast.AST], str],
) -> tuple[str, str]:
    """The code before and after: as much of the statement around it as is easily read.

    `text` is that of a node of the module without the change.
    """
    for outer in around:
        if isinstance(outer, ast.stmt | ast.expr | ast.keyword | ast.ExceptHandler):
            before = text(outer)
            if len(before) <= SHOWN_CHARACTERS:
                place.put(new)
                try:
                    after = _text(outer)
                finally:
                    place.put(node)
                if after != before:  # else the change is in the body that is not shown
                    return before, after
    return text(node), _text(new)


def _text(node: ast.AST) -> str:
    """The code of a node on one line: of a statement with a body, what stands above that."""
    if isinstance(node, ast.comprehension):
        return ast.unparse(node).strip()
    if hasattr(node, "body") and isinstance(node.body, list):
        if not _raises_again(node):
            node = _with(node, body=[ast.Expr(ast.Constant(...))])
        if isinstance(node, ast.ExceptHandler):
            return " ".join(ast.unparse(node).split())
        if hasattr(node, "orelse"):
            node.orelse = []
        if isinstance(node, ast.Try):
            return "try:"
    return " ".join(ast.unparse(node).split()).removesuffix(" ...")


def _raises_again(node: ast.AST) -> bool:
    """Whether it is a handler of which that is all."""
    match node:
        case ast.ExceptHandler(body=[ast.Raise(exc=None)]):
            return True
    return False


# --- What ----------------------------------------------------------------------------------------

_COMPARED: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_COMPUTED: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}

_Node = TypeVar("_Node", bound=ast.AST)


def _with(node: _Node, **fields: Any) -> _Node:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _without(items: Sequence[Any]) -> Iterator[list[Any]]:
    """The items without each of them in turn."""
    for index in range(len(items)):
        yield [*items[:index], *items[index + 1 :]]


def _instead_of(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand wrongly in the place of a node."""
    match node:
        case ast.Constant(value=value):
            yield from (_with(node, value=other) for other in _other_values(value))
        case ast.Compare(ops=[operator], comparators=[_]):
            yield from (_with(node, ops=[other()]) for other in _COMPARED[type(operator)])
        case ast.Compare(ops=operators):
            for index, operator in enumerate(operators):
                for other in _COMPARED[type(operator)]:
                    changed = [*operators[:index], other(), *operators[index + 1 :]]
                    yield _with(node, ops=changed)
        case ast.BoolOp(op=operator, values=values):
            yield _with(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
            for rest in _without(values):
                yield _with(node, values=rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in _COMPUTED:
            yield _with(node, op=_COMPUTED[type(operator)]())
        case ast.Slice(lower=lower, upper=upper):
            if lower is not None:
                yield _with(node, lower=None)
            if upper is not None:
                yield _with(node, upper=None)
        case ast.Call():
            yield from _other_calls(node)
        case ast.comprehension(ifs=conditions):
            yield from (_with(node, ifs=rest) for rest in _without(conditions))
        case ast.ExceptHandler():
            yield from _other_handlers(node)
        case ast.IfExp(test=test) if not isinstance(test, ast.Compare):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
    if isinstance(node, ast.stmt):
        yield from _other_statements(node)


def _other_values(value: object) -> tuple[object, ...]:
    match value:
        case bool():
            return (not value,)
        case int() | float():
            return (value + 1, value - 1)
        case str():
            return ("" if value else "XX",)
        case bytes():
            return (b"" if value else b"XX",)
    return ()


def _other_calls(call: ast.Call) -> Iterator[ast.AST]:
    for keyword in call.keywords:
        if not _left_alone(keyword):
            yield _with(call, keywords=[one for one in call.keywords if one is not keyword])
    match call:
        case ast.Call(func=ast.Attribute(value=value), args=[], keywords=[]):
            yield value
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]):
            if name in _NAMES:
                yield _with(call, func=ast.Name(_NAMES[name], ast.Load()))
            elif name.islower() and not isinstance(argument, ast.Starred):
                yield argument


def _other_handlers(handler: ast.ExceptHandler) -> Iterator[ast.AST]:
    if not (len(handler.body) == 1 and isinstance(handler.body[0], ast.Raise)):
        yield _with(handler, body=[ast.Raise()])
    if isinstance(handler.type, ast.Tuple):
        for rest in _without(handler.type.elts):
            yield _with(handler, type=_with(handler.type, elts=rest))


def _other_statements(statement: ast.stmt) -> Iterator[ast.AST]:
    match statement:
        case ast.Return(value=value) if value is not None:
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield _with(statement, value=None)
        case ast.Continue():
            yield ast.Break()
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Expr() | ast.Raise() | ast.Delete() | ast.AugAssign():
            yield ast.Pass()
        case ast.Return():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.If(test=test) | ast.While(test=test):
            if not isinstance(test, ast.Compare) and not _is_not(test):
                yield _with(statement, test=ast.UnaryOp(ast.Not(), test))
        case ast.With(items=[ast.withitem(optional_vars=None)], body=body):
            yield ast.If(ast.Constant(True), body, [])
    if isinstance(statement, _SCOPES):
        for rest in _without(statement.decorator_list):
            yield _with(statement, decorator_list=rest)


def _is_not(test: ast.expr) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
