"""Load a metric file as Python itself would, as a module named `metric` (A1, B3)."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from skynet_stub import calling
from skynet_stub.display import cut, show, show_exception, type_name
from skynet_stub.raised import raised_fault as raised_fault
from skynet_stub.raised import source_hint
from skynet_stub.reasons import Fault, Hint
from skynet_stub.return_value import is_exactly
from skynet_stub.reward import spec_problems
from skynet_stub.spawned import MODULE_NAME, SourceLoader

FILE_NAME = "metric.py"
FUNCTION_NAME = "score"
SPEC_NAME = "REWARD_SPEC"
_NOTHING = nullcontext()


class CannotLoad(Exception):
    """The metric file could not be made a module; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.reason)


@contextmanager
def folder_importable(path: Path) -> Iterator[None]:
    """Let the metric import from its own folder; leave no compiled files in it, nor modules of it.

    So the next metric in this process imports its own modules, whatever their names.
    """
    writes, path_before, modules_before = sys.dont_write_bytecode, list(sys.path), dict(sys.modules)
    sys.dont_write_bytecode = True
    if _may_shadow_python(path.parent):
        import inspect  # noqa: F401  # `calling` may need it: Python's own, not what stands there
    sys.path.insert(0, str(path.parent))
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes
        sys.path[:] = path_before
        for name, module in list(sys.modules.items()):
            if module is not modules_before.get(name) and _is_from(path.parent, module):
                del sys.modules[name]
                if name in modules_before:
                    sys.modules[name] = modules_before[name]


def _may_shadow_python(folder: Path) -> bool:
    """Whether a file in the folder has the name of a module of Python's, as far as can be seen."""
    try:
        return any(one.stem in sys.stdlib_module_names for one in folder.iterdir())
    except OSError:  # one may enter a folder, and import from it, that one cannot list
        return True


def _is_from(folder: Path, module: object) -> bool:
    names = module.__dict__ if isinstance(module, ModuleType) else {}
    places = (names.get("__file__"), *names.get("__path__", ()))  # a package may have no file
    return any(isinstance(place, str) and Path(place).is_relative_to(folder) for place in places)


def load_metric(path: Path, around: AbstractContextManager[object] = _NOTHING) -> ModuleType:
    """Load the file and return its module, which stays in `sys.modules` as `metric`.

    `around` is entered while the metric's own code runs.

    Raises `CannotLoad` with the fault of the item `file`, whatever was raised while loading.
    """
    loader = SourceLoader(MODULE_NAME, str(path))
    spec = importlib.util.spec_from_file_location(MODULE_NAME, path, loader=loader)
    assert spec is not None, "Python makes a spec wherever it is given a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE_NAME] = module  # dataclasses and pickle look it up while it is loading
    try:
        code = loader.get_code(MODULE_NAME)
    except OSError as error:
        problem = error.strerror or type(error).__name__
        raise CannotLoad(Fault("file-unreadable", facts={"problem": problem})) from None
    except Exception as error:  # beside SyntaxError: ValueError, RecursionError, MemoryError
        raise CannotLoad(_syntax_fault(error, path.name)) from None
    try:
        with around:
            exec(code, module.__dict__)
    except BaseException as error:  # SystemExit and KeyboardInterrupt of the metric's too
        raise CannotLoad(raised_fault("loading-raised", error, path)) from None
    return module


def find_score(module: ModuleType) -> Callable[..., object] | Fault:
    """The callable named `score` of a loaded module, or the fault of the item `function`."""
    score: Any = module.__dict__.get(FUNCTION_NAME)
    if FUNCTION_NAME not in module.__dict__:
        return Fault("no-score-function", hints=_defined_hints(module))
    if not callable(score):
        facts = {"found": show(score), "type": type_name(score)}
        return Fault("score-not-callable", facts=facts)
    if calling.bind(score) is None:
        return calling.unbound_fault(score)
    return score  # type: ignore[no-any-return]


def _defined_hints(module: ModuleType) -> tuple[Hint, ...]:
    """Name the functions and classes that the file defines itself, the first few of them."""
    names = [
        name
        for name, value in module.__dict__.items()
        if is_exactly(value, (FunctionType, type)) and value.__module__ == MODULE_NAME
    ]
    return (Hint("hint.defined", {"names": cut(", ".join(names), 100)}),) if names else ()


def reward_spec_faults(module: ModuleType) -> tuple[Fault, ...]:
    """The faults of the module's `REWARD_SPEC`, none where it has none or a valid one (A6)."""
    if SPEC_NAME not in module.__dict__:
        return ()
    spec = module.__dict__[SPEC_NAME]
    try:
        problems = tuple(spec_problems(spec))
    except BaseException as error:  # its methods are the metric's
        facts = {"type": type_name(spec), "exception": show_exception(error)}
        problems = (Hint("spec.unreadable", facts),)
    return (Fault("reward-spec-invalid", hints=problems),) if problems else ()


def _syntax_fault(error: Exception, file: str) -> Fault:
    facts = {"problem": show_exception(error), "version": ".".join(map(str, sys.version_info[:3]))}
    if not isinstance(error, SyntaxError):
        return Fault("file-not-python", facts=facts)
    facts["problem"] = cut(error.msg)
    hints = []
    if error.text and error.lineno:
        hints.append(source_hint(file, error.lineno, error.text))
    if any(word in error.msg for word in _NOT_TEXT):
        hints.append(Hint("hint.encoding"))
    return Fault("file-not-python", facts=facts, hints=tuple(hints), line=error.lineno or None)


_NOT_TEXT = ("can't decode", "Non-UTF-8", "null bytes", "encoding problem", "unknown encoding")
"""What Python says of a file in another encoding than the one it is read in."""
