"""Hatchling's build hook: a wheel gets the message catalogs compiled, and never their sources."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGS = Path("skynet_stub/locale")


class CatalogHook(BuildHookInterface[Any]):
    """Compiles into a folder of its own, so that the checkout stays as it is."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile each catalog, and name the result as a file of the wheel."""
        self._compiled = TemporaryDirectory()
        sources = sorted(Path(self.root, CATALOGS).glob("*.po"))
        if not sources:
            raise FileNotFoundError(f"{CATALOGS}: no catalog (*.po) to compile into the wheel")
        for source in sources:
            compiled = Path(self._compiled.name, source.name).with_suffix(".mo")
            with source.open("rb") as po, compiled.open("wb") as mo:
                write_mo(mo, read_po(po, locale=source.stem.replace("-", "_"), abort_invalid=True))
            place = CATALOGS / compiled.name
            build_data["force_include"][str(compiled)] = place.as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled catalogs, which the wheel now holds."""
        self._compiled.cleanup()
