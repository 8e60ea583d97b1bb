"""The stub as a wheel, which the site offers: built with it, and the same from every build."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from docs_build.faults import refuse, shown
from docs_build.files import digest, write_if_changed
from docs_build.project import Project

DOWNLOADS = "download"
"""The folder of a language's pages that the wheel lies in."""

_EPOCH = "1577836800"  # the time of every file in the wheel: the first day of 2020
_MADE = frozenset({".mo", ".pyc"})


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel: the name of its file, and its bytes."""

    name: str
    data: bytes

    @property
    def sha256(self) -> str:
        """The digest that pip compares, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


def wheel_of(project: Project) -> Wheel | None:
    """The wheel of a project, built where its sources changed; `None` where it has none.

    Raises `Refusal` with what the builder says where it cannot be built.
    """
    inputs = wheel_inputs(project)
    if not inputs:
        return None
    kept = project.build / "wheel" / inputs
    if not any(kept.glob("*.whl")):
        built = _built(project)
        write_if_changed(kept / built.name, built.data)
    (path,) = kept.glob("*.whl")
    return Wheel(path.name, path.read_bytes())


def wheel_inputs(project: Project) -> str:
    """The digest of all that the wheel is built from; `""` for a project without a package."""
    if not _package(project).is_file():
        return ""
    parts = [
        part
        for path in sorted(_sources(project))
        for part in (path.relative_to(project.root).as_posix().encode(), path.read_bytes())
    ]
    return digest(*parts)


def _package(project: Project) -> Path:
    return project.root / "pyproject.toml"


def _sources(project: Project) -> Iterator[Path]:
    yield _package(project)
    yield project.root / "README.md"  # the wheel's description
    yield project.root / "docs_build" / "hatch_build.py"
    for path in project.catalogs.parent.rglob("*"):
        if path.is_file() and path.suffix not in _MADE:
            yield path


def _built(project: Project) -> Wheel:
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
            cwd=project.root,
            env=os.environ | {"SOURCE_DATE_EPOCH": _EPOCH},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        if done.returncode != 0:
            problem = f"the wheel cannot be built: {' '.join(done.stdout.split())}"
            raise refuse(shown(_package(project)), None, problem, "Mend the package.")
        (path,) = Path(folder).glob("*.whl")
        return Wheel(path.name, path.read_bytes())
