"""llms.txt: what the site is, and its pages in the order of the navigation."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from docs_build.llms import Chapter, Entry, llms_text
from docs_build.navigation import Section, read_navigation
from small_sources import write

CONFIGURATION = """\
nav:
  - Home: index.md
  - Concepts:
      - First: concepts/first.md
      - Inner:
          - Second: concepts/second.md
plugins:
  - i18n:
      build_only_locale: !ENV GUIDE_LANGUAGE
      languages:
        - locale: en
        - locale: ru
          nav_translations:
            Concepts: Основы
"""


def test_the_text_has_a_title_a_description_and_lists_of_links() -> None:
    text = llms_text(
        "Guide",
        "What it is.",
        [
            Chapter(None, (Entry("A [b]", "https://example.org/a/index.md", "Of a."),)),
            Chapter("More", (Entry("C", "c.md", "Of c."), Entry("D", "d.md", "Of d."))),
        ],
    )
    assert text == (
        "# Guide\n\n> What it is.\n\n"
        "- [A \\[b\\]](https://example.org/a/index.md): Of a.\n\n"
        "## More\n\n- [C](c.md): Of c.\n- [D](d.md): Of d.\n"
    )


def test_the_navigation_gives_the_order_and_the_sections_in_each_language(tmp_path: Path) -> None:
    configuration = write(tmp_path, {"mkdocs.yml": CONFIGURATION}) / "mkdocs.yml"
    paths = (PurePosixPath("concepts/first.md"), PurePosixPath("concepts/second.md"))
    for language, title in (("en", "Concepts"), ("ru", "Основы")):
        assert read_navigation(configuration, language) == (
            Section(None, (PurePosixPath("index.md"),)),
            Section(title, paths),
        )
