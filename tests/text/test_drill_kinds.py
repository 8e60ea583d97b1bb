"""The kinds of the drill are in order: they apply, name sentences of the guide, and were caught."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docs_build.project import this_project
from drill.kinds import BUILT, changes, read_kinds
from drill.table import FILE, read_rows, table

pytest_plugins = ["staged_pages"]
ROOT = this_project().root
KINDS = read_kinds()
FAMILIES = (
    "snippets",
    "cases and pins",
    "tables",
    "names and limits",
    "the call",
    "the contract",
    "the helpers",
    "includes",
    "typed code",
    "one language only",
    "built pages",
    "prose",
    "translations",
)


def letters(text: str) -> str:
    """Letters and digits alone, with the targets of links taken out."""
    return re.sub(r"\W", "", re.sub(r"\]\([^)]*\)", "", text))


def test_there_are_kinds_of_every_family() -> None:
    assert tuple(dict.fromkeys(kind.family for kind in KINDS)) == FAMILIES
    assert len(KINDS) >= 40


def test_every_kind_applies_to_the_sources_as_they_are() -> None:
    """That of a kind which changes the built site, only the drill can know."""
    for kind in KINDS:
        if not kind.needs_site:
            assert changes(kind, ROOT), kind.id
        else:
            assert all(edit.file.startswith(BUILT) for edit in kind.edits), kind.id


def test_every_kind_would_make_a_sentence_untrue_that_the_project_says(
    staged: Mapping[tuple[str, str], str],
) -> None:
    pages = [text for (language, _), text in staged.items() if language == "en"]
    said = letters("".join([*pages, (ROOT / "CONTRIBUTING.md").read_text("utf-8")]))
    for kind in KINDS:
        problem = f"drill/kinds.toml: {kind.id}: nothing says {kind.falsifies!r} any more."
        remedy = "Write there how it is worded now, in `falsifies` and in the edits of the kind."
        assert letters(kind.falsifies) in said, f"{problem} {remedy}"


def test_the_tests_that_must_notice_are_there() -> None:
    for kind in KINDS:
        for test in kind.tests:
            file, _, name = test.partition("::")
            assert (ROOT / file).is_file(), kind.id
            assert f"def {name.partition('[')[0]}" in (ROOT / file).read_text("utf-8"), kind.id


def test_every_kind_was_tried_as_it_is_and_was_caught() -> None:
    """The table is what the drill makes of its own rows: nothing is left out, or out of date."""
    text = FILE.read_text("utf-8")
    assert text == table(KINDS, read_rows(text)), "Run `make drill`."
    assert list(read_rows(text)) == [kind.id for kind in KINDS], "Run `make drill`."


def test_the_readme_gives_the_totals_of_the_table() -> None:
    total = f"{len(KINDS)} kinds, all caught"
    assert FILE.read_text("utf-8").endswith(f"\n{total}.\n")
    assert total in (ROOT / "README.md").read_text("utf-8")
