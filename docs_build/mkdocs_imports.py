"""What each run of MkDocs imports, and would make ready, before it reads a page."""

import material  # type: ignore[import-untyped]  # noqa: F401
import mkdocs.commands.build
import mkdocs.livereload  # noqa: F401
import mkdocs_static_i18n.plugin  # type: ignore[import-untyped]  # noqa: F401
import pymdownx.highlight  # type: ignore[import-untyped]
import pymdownx.superfences  # type: ignore[import-untyped]
import pymdownx.tabbed  # type: ignore[import-untyped]  # noqa: F401
from markdown import Markdown

Markdown(extensions=["admonition", "attr_list", "tables", "toc", "pymdownx.superfences"])
