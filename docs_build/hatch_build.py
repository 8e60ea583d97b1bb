"""Hatchling's build hook: a wheel gets the message catalogs compiled (pyproject.toml names it)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogHook(BuildHookInterface[Any]):
    """Compiles the catalogs in place, as `make` does, before the wheel takes its files."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile every language, and add the results, which git ignores, to the wheel."""
        sys.path.insert(0, self.root)  # the build backend does not import from the project
        try:
            from docs_build.catalogs import compile_catalogs
            from skynet_stub.messages import LANGUAGES
        finally:
            sys.path.remove(self.root)
        compile_catalogs(Path(self.root, "skynet_stub", "locale"), LANGUAGES)
        build_data["artifacts"] += [f"/skynet_stub/locale/{name}.mo" for name in LANGUAGES]
