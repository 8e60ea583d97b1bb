"""The search index of one language (branch search)."""

from __future__ import annotations

from pathlib import Path

FOLDER = "pagefind"
"""Where the index of a language lies below the folder of the language."""


def index_language(site: Path, language: str) -> None:
    """Write the index of a built language to `<language>/pagefind/`."""
    pages = sorted((site / language).rglob("*.html"))
    index = site / language / FOLDER
    index.mkdir()
    lines = (f"{path.relative_to(site)} {path.stat().st_size}\n" for path in pages)
    (index / "index.txt").write_text("".join(lines), "utf-8")
