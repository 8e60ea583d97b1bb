"""A copy of the work tree that may be broken: made in a temporary folder, changed, and mended."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from drill.kinds import DrillError

_LINKED = (".venv", "node_modules")
_SECONDS = itertools.count(10)


def copy_tree(root: Path, folder: Path) -> None:
    """Copy all files that git knows or would take; what is installed is linked."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, listed.split("\0")):
        source = root / name
        if source.is_file() and not source.is_symlink():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, place)
    for name in _LINKED:
        if (root / name).exists():
            (folder / name).symlink_to((root / name).resolve())


def docs_build(folder: Path, command: str, **environment: str) -> None:
    """Run a command of the build in a copy. Raises `DrillError` where it fails."""
    ended = subprocess.run(
        [sys.executable, "-m", "docs_build", command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise DrillError(f"docs_build {command} fails without a change:\n{ended.stderr}")


@contextmanager
def changed(folder: Path, after: Mapping[Path, str | None]) -> Iterator[None]:
    """Have these files changed for a while. Their catalogs are compiled, as `make test` does."""
    before = {path: path.read_bytes() if path.is_file() else None for path in after}
    # Python takes a compiled module for fresh where size and second of its source are the same, so
    # no two changes have the same second.
    second = next(_SECONDS)
    mtimes = {path: path.stat().st_mtime if path.is_file() else 0 for path in after}
    try:
        for path, text in after.items():
            _write(path, None if text is None else text.encode())
            if text is not None:
                os.utime(path, (mtimes[path] + second, mtimes[path] + second))
        _compile(folder, after)
        yield
    finally:
        for path, data in before.items():
            _write(path, data)
            if data is not None:
                os.utime(path, (mtimes[path], mtimes[path]))
        _compile(folder, after)


def _compile(folder: Path, after: Mapping[Path, str | None]) -> None:
    """Compile the catalogs where one changed; tests say what is wrong with one that cannot be."""
    if any(path.suffix == ".po" for path in after):
        subprocess.run(
            [sys.executable, "-m", "docs_build", "catalogs"],
            cwd=folder,
            capture_output=True,
            check=False,
        )


def _write(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
