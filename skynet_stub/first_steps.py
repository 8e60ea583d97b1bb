"""The command `init`: a small working metric and its cases, to begin with."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path

from skynet_stub.display import shown_name
from skynet_stub.messages import catalog
from skynet_stub.refused import Refused

TEMPLATE = Path(__file__).with_name("template")
"""The folder of the files that are written."""

FILES = ("metric.py", "cases.jsonl")


def begin(folder: str, language: str) -> list[str]:
    """Write the files into a folder, which is made where there is none, and say what comes next.

    Raises `Refused`, and writes none of them, where one is there already or cannot be written.
    """
    paths = [Path(folder, name) for name in FILES]
    written: list[Path] = []
    try:
        for path in paths:
            if path.is_symlink() or path.exists():
                raise Refused("begun", file=shown_name(path))
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        for path in paths:
            with path.open("xb") as file:  # never over a file, were it made just now
                written.append(path)
                file.write((TEMPLATE / path.name).read_bytes())
    except (OSError, ValueError) as problem:
        _remove(written)
        said = problem.strerror if isinstance(problem, OSError) else str(problem)
        raise Refused("cannot-begin", file=shown_name(path), problem=said) from None
    except BaseException:
        _remove(written)
        raise
    words = catalog(language)
    return [
        *(words.text("command.wrote", file=path) for path in paths),
        words.text("command.next", command=f"skynet-stub check {shlex.quote(str(paths[0]))}"),
    ]


def _remove(files: list[Path]) -> None:
    for file in files:
        with suppress(OSError):
            file.unlink()
