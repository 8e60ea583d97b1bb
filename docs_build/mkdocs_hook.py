"""What MkDocs loads as a hook: it spares each build what is the same in all of them.

The templates are compiled once, as Python compiles its modules: their bytecode lies beside that of
the theme's package. And the thousands of icons of the theme are not listed as files to copy, which
MkDocs would leave out again, one by one.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import material  # type: ignore[import-untyped]
from jinja2 import Environment, FileSystemLoader
from jinja2.bccache import Bucket, FileSystemBytecodeCache

_MEMORY = Path(material.__file__).parent / "__pycache__" / "templates"


def on_config(config: Any) -> Any:
    """Let the theme make the templates' environment as it does, and then change it."""
    config.theme.get_env = partial(_environment, config.theme.get_env)
    return config


def _environment(made: Any) -> Environment:
    environment: Environment = made()
    assert isinstance(environment.loader, FileSystemLoader)
    environment.loader = Visible(environment.loader.searchpath)
    if not sys.dont_write_bytecode and _can_be_kept():
        environment.bytecode_cache = Compiled(str(_MEMORY))
    return environment


def _can_be_kept() -> bool:
    try:
        _MEMORY.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(_MEMORY, os.W_OK)


class Visible(FileSystemLoader):
    """Lists no files of hidden folders, such as `.icons`; they can be loaded all the same."""

    def list_templates(self) -> list[str]:
        """The names of all other files below the folders that are searched."""
        found: set[str] = set()
        for top in self.searchpath:
            for folder, folders, files in os.walk(top):
                folders[:] = [name for name in folders if not name.startswith(".")]
                within = Path(folder).relative_to(top)
                found.update((within / name).as_posix() for name in files)
        return sorted(found)


class Compiled(FileSystemBytecodeCache):
    """The bytecode of templates, by their names and contents: in a copy they are the same."""

    def get_bucket(
        self, environment: Environment, name: str, filename: str | None, source: str
    ) -> Bucket:
        """What is kept of a template, if anything is."""
        bucket = super().get_bucket(environment, name, self.get_source_checksum(source), source)
        if bucket.code and filename:
            bucket.code = bucket.code.replace(co_filename=filename)  # messages name it
        return bucket
