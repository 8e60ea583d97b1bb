"""Build the documentation site from pages, snippets and the stub: `python -m docs_build`.

The way of the data: `stage` turns `docs/` into plain Markdown for each language, MkDocs turns that
into HTML once per language, and `finish` writes what stands outside the pages.
"""
