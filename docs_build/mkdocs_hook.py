"""What MkDocs loads as a hook: keep the theme's templates compiled, as Python keeps its modules.

Compiling them takes as long as all pages of a language do. What is compiled lies beside the bytecode
of the theme's package. Our own templates, in theme/, are few, and are compiled each time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import material  # type: ignore[import-untyped]
from jinja2 import Environment
from jinja2.bccache import Bucket, FileSystemBytecodeCache

_PACKAGE = Path(material.__file__).parent


def on_env(env: Environment, **_: Any) -> Environment:
    """Give the templates' environment its memory, where one can be kept."""
    folder = _PACKAGE / "__pycache__" / "templates"
    if sys.dont_write_bytecode:
        return env
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return env
    if os.access(folder, os.W_OK):
        env.bytecode_cache = Compiled(str(folder))
    return env


class Compiled(FileSystemBytecodeCache):
    """The bytecode of the templates of the theme's package."""

    def get_bucket(
        self, environment: Environment, name: str, filename: str | None, source: str
    ) -> Bucket:
        """What is kept of a template; of those outside of the package, nothing is."""
        if filename and Path(filename).is_relative_to(_PACKAGE):
            return super().get_bucket(environment, name, filename, source)
        return Bucket(environment, "", "")

    def set_bucket(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        if bucket.key:
            super().set_bucket(bucket)
