"""Write files so that nobody ever reads half of one, and only where something changed."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath


def digest(*contents: bytes) -> str:
    """A short name for contents, in this order: equal for equal ones only."""
    whole = hashlib.blake2b(digest_size=16)
    for content in contents:
        whole.update(len(content).to_bytes(8, "big"))
        whole.update(content)
    return whole.hexdigest()


def digest_of_tree(folder: Path, counts: Callable[[PurePosixPath], bool] | None = None) -> str:
    """The digest of all files under a folder, or of those that count by their path within it."""
    names = sorted(
        PurePosixPath(path.relative_to(folder).as_posix())
        for path in folder.rglob("*")
        if path.is_file()
    )
    parts = [
        part
        for name in names
        if counts is None or counts(name)
        for part in (str(name).encode(), (folder / name).read_bytes())
    ]
    return digest(*parts)


def write_if_changed(path: Path, data: bytes) -> bool:
    """Make a file hold these bytes; whether it had to be written."""
    try:
        if path.read_bytes() == data:
            return False
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        mode = 0o644
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return True


def remove_others(folder: Path, keep: Iterable[Path]) -> list[Path]:
    """Remove every file under a folder that is not among `keep`, and folders left empty.

    Returns the removed files, sorted.
    """
    kept = set(keep)
    removed = []
    for path in sorted(folder.rglob("*"), reverse=True):  # what lies in a folder comes first
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in kept:
            path.unlink()
            removed.append(path)
    return sorted(removed)


def swap_in(fresh: Path, place: Path) -> None:
    """Put a complete folder in the place of an earlier one, which is removed afterwards."""
    if not place.exists():
        fresh.replace(place)
        return
    earlier = fresh.with_name(f"{fresh.name}.earlier")
    if earlier.exists():
        shutil.rmtree(earlier)
    place.replace(earlier)
    try:
        fresh.replace(place)
    except OSError:
        earlier.replace(place)
        raise
    shutil.rmtree(earlier)
