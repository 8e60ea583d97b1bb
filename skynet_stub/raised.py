"""Say what an exception of a metric tells its author: her own lines, and the names there (B4).

It needs no module of the standard library that would read sources or name slips: the metric's
folder is on the path by now, and may hold modules of those names.
"""

from __future__ import annotations

import _ast
import io
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, TracebackType

from skynet_stub.closest import closest
from skynet_stub.display import cut, show, show_exception
from skynet_stub.reasons import Fault, Hint

LINES = 6
"""How many lines of the author are shown of one exception, the first and the last of them."""

CHAIN = 4
"""How many exceptions are told of a chain, or of a group."""

_DSPY_NAMES = frozenset(
    ("gold", "pred", "trace", "pred_name", "pred_trace", "example", "prediction")
)


_NOT_THE_AUTHORS = tuple(
    f"{os.path.dirname(file)}{os.sep}"  # noqa: PTH120
    for file in (os.__file__, __file__)
)
"""The folders of Python's library and of the stub: a metric may stand above them, as in `/`."""

_MARK = b"\xef\xbb\xbf"
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
"""A comment that names the encoding of its file, as Python's reference describes it."""


def raised_fault(reason: str, error: BaseException, path: Path) -> Fault:
    """The fault of an exception, with the last line of the metric file that it passed.

    Its hints are the author's own lines, then those of the exceptions it was raised from, then
    what is known of the names in the line that failed. Frames of other files are left out.
    """
    line: int | None = None
    hints: list[Hint] = []
    with suppress(BaseException):  # the exception is the metric's, and may answer anything
        own = _own_frames(error, path)
        line = next((one.tb_lineno for one in reversed(own) if _file(one) == str(path)), None)
        hints += _line_hints(own, path)
        hints += (one for one in (error.__dict__.get("hint"),) if type(one) is Hint)
        hints += _chain_hints(error, path)
        hints += _name_hints(error, own)
    return Fault(reason, facts={"exception": show_exception(error)}, hints=tuple(hints), line=line)


def dspy_hints(names: frozenset[str]) -> Iterator[Hint]:
    """Say so where the parameters of a function are named as those of a DSPy metric."""
    if len(names & _DSPY_NAMES) > 1:
        yield Hint("hint.dspy-arguments")


def source_hint(file: str, line: int, text: str) -> Hint:
    """One line of a source file, as it stands there."""
    return Hint("hint.source", {"file": file, "line": str(line), "source": cut(text)})


def _file(traceback: TracebackType) -> str:
    return traceback.tb_frame.f_code.co_filename


def _folder(path: Path) -> str:
    return os.path.join(path.parent, "")  # noqa: PTH118  # of `/` it is `/`


def _own_frames(error: BaseException, path: Path) -> list[TracebackType]:
    """The part of a traceback that is in the author's files: those in the metric's folder."""
    folder = _folder(path)
    others = tuple(one for one in _NOT_THE_AUTHORS if one.startswith(folder))
    found, traceback = [], error.__traceback__
    while traceback is not None:
        file = _file(traceback)
        installed = "site-packages" in file.removeprefix(folder)
        if file.startswith(folder) and not installed and not file.startswith(others):
            found.append(traceback)
        traceback = traceback.tb_next
    return found


def _line_hints(own: list[TracebackType], path: Path) -> Iterator[Hint]:
    places = [(_file(one), one.tb_lineno) for one in own]
    lines = [
        place for place, before in zip(places, [None, *places], strict=False) if place != before
    ]
    left_out = len(lines) - LINES
    for number, (file, line) in enumerate(lines):
        if left_out > 0 and number == LINES // 2:
            yield Hint("hint.lines-left-out", {"n": str(left_out)})
        if left_out <= 0 or not LINES // 2 <= number < LINES // 2 + left_out:
            yield source_hint(file.removeprefix(_folder(path)), line, _source(file, line))


def _source(file: str, line: int) -> str:
    """The text of a line of a file, `""` where it cannot be read."""
    try:
        return _line(file, line).strip()
    except (OSError, LookupError):
        return ""


def _line(file: str, line: int) -> str:
    """The text of a line, decoded and parted as Python does it, `""` where there is none."""
    with io.open_code(file) as source:
        data = source.read()
    encoding = "utf-8-sig"
    for first in data.splitlines()[:2]:
        cookie = _COOKIE.match(first)
        if cookie and not data.startswith(_MARK):  # behind a mark only UTF-8 can be named
            encoding = cookie[1].decode("ascii")
            break
        if first.removeprefix(_MARK).strip() and not first.lstrip().startswith(b"#"):
            break
    lines = io.StringIO(data.decode(encoding, "replace"), None)  # any line end ends a line
    return next(islice(lines, line - 1, None), "")


def _chain_hints(error: BaseException, path: Path) -> Iterator[Hint]:
    """What an exception was raised from, and what a group of them holds."""
    told = 0
    origin = error
    while told < CHAIN:
        cause = origin.__cause__ or (None if origin.__suppress_context__ else origin.__context__)
        if cause is None:
            break
        yield Hint("hint.raised-from", {"exception": show_exception(cause)})
        yield from _line_hints(_own_frames(cause, path), path)
        origin, told = cause, told + 1
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions[:CHAIN]:
            yield Hint("hint.in-the-group", {"exception": show_exception(one)})
            yield from _line_hints(_own_frames(one, path), path)


def _name_hints(error: BaseException, own: list[TracebackType]) -> Iterator[Hint]:
    """What is known of the names in the line that failed."""
    if isinstance(error, ImportError) and str(error).startswith("attempted relative import"):
        yield Hint("hint.relative-import")
    if isinstance(error, EOFError):
        yield Hint("hint.no-input")
    if not own:
        return
    frame = own[-1].tb_frame
    if isinstance(error, SystemExit) and frame.f_code.co_name == "<module>":
        yield Hint("hint.no-arguments")
    if isinstance(error, NameError) and error.name:
        close = closest(error.name, {**frame.f_builtins, **frame.f_globals, **frame.f_locals})
        if close:
            yield Hint("hint.near-name", {"close": close})
    if isinstance(error, KeyError | AttributeError):
        yield from _dict_hints(error, own[-1])
        yield from dspy_hints(_parameters(own[0].tb_frame.f_code))


def _parameters(code: CodeType) -> frozenset[str]:
    return frozenset(code.co_varnames[: code.co_argcount])


def _dict_hints(error: KeyError | AttributeError, failed: TracebackType) -> Iterator[Hint]:
    """The keys of the dict that the failing expression took a key or an attribute of."""
    node, text = _failing_expression(failed)
    if not isinstance(node, _ast.Subscript | _ast.Attribute):
        return
    found = _value(node.value, failed.tb_frame)
    if type(found) is not dict:
        return
    name = cut(text.encode()[node.value.col_offset : node.value.end_col_offset].decode(), 60)
    if isinstance(node, _ast.Attribute) and node.attr in found:
        yield Hint("hint.key-not-attribute", {"name": name, "key": node.attr})
    elif found:
        keys = cut(", ".join(show(key) for key in islice(found, 20)))
        yield Hint("hint.keys-there", {"name": name, "keys": keys})
    else:
        yield Hint("hint.no-keys-there", {"name": name})


def _failing_expression(failed: TracebackType) -> tuple[_ast.expr | None, str]:
    """The expression that raised, parsed, and its text; `None` where it is not one line."""
    code = failed.tb_frame.f_code
    line, last_line, start, end = next(islice(code.co_positions(), failed.tb_lasti // 2, None))
    if line is None or line != last_line or start is None:
        return None, ""
    text = _line(code.co_filename, line).encode()[start:end].decode()
    try:
        tree = compile(text, "", "eval", _ast.PyCF_ONLY_AST)
    except SyntaxError:  # a statement: `raise KeyError(...)`
        return None, ""
    assert isinstance(tree, _ast.Expression)
    return tree.body, text


def _value(node: _ast.expr, frame: FrameType) -> object:
    """What a name, or a constant key of a dict, stands for; nothing of the metric's is run."""
    if isinstance(node, _ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, _ast.Subscript) and isinstance(node.slice, _ast.Constant):
        holder = _value(node.value, frame)
        return holder.get(node.slice.value) if type(holder) is dict else None
    return None
