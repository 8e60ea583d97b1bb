"""What `make serve` shows after a change is what a full build gives, the search index apart."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from docs_build.project import Project
from docs_build.warm import Run, warm
from following import follow
from small_site import NAV, append, edit, small_site

# By what is built, none of them this project's own.
IMPORTED = (
    "docs_build.mkdocs_imports",
    "babel.messages.mofile",
    "babel.messages.pofile",
    "babel.dates",
    "pymorphy3",
    "snowballstemmer",
    "watchdog.observers",
)
URL = "http://127.0.0.1:8000/"
THIRD = "---\ntitle: Third\ndescription: The third page.\n---\n\n# Third {#third}\n"
INDEX = "---\ntitle: Start\ndescription: Where to start.\n---\n\n# Start {#start}\n\nNo links.\n"
OTHER_NAV = """\
nav:
  - Start: index.md
  - Concepts:
      - Middle: concepts/second.md
      - Third: concepts/third.md

"""


class Loop:
    """A small site that is built again after each change, and in full beside that."""

    def __init__(self, project: Project) -> None:
        self.root = project.root
        self._trees = project.root / "build/serve/trees"
        self._current = ""
        self._count = 0

    def change(self, *beside: tuple[str, ...]) -> tuple[list[str], int]:
        """Build what changed: the languages, and how many pages MkDocs had to build."""
        event = self.build(*beside)
        assert "faults" not in event, event
        return event["languages"], event["pages"]

    def change_as_in_full(self) -> tuple[list[str], int]:
        """The same; what all changes made is by now what a build of the whole makes."""
        changed = self.change(("docs_build", "site"))
        made, whole = files(self._trees / self._current / "site"), files(self.root / "site")
        assert sorted(made) == sorted(whole)
        assert [name for name in made if made[name] != whole[name]] == []
        return changed

    def faults(self) -> list[tuple[str, int]]:
        """Build what changed; the places of the faults."""
        return [(fault["file"], fault["line"]) for fault in self.build()["faults"]]

    def build(self, *beside: tuple[str, ...]) -> dict[str, Any]:
        """Build what changed, and run other commands beside that; what was said of it."""
        self._count += 1
        again = (
            *("docs_build.build_again", "--work", "build/serve", "--url", URL),
            *("--fresh", str(self._count)),
            *(("--current", self._current) if self._current else ()),
        )
        said, *_ = self._run(again, *beside)
        events: list[dict[str, Any]] = [json.loads(line) for line in said.splitlines()]
        if "faults" not in events[0]:
            assert [event["searchable"] for event in events] == [False, True]
            self._current = events[-1]["tree"]
        return events[0]

    def _run(self, *commands: tuple[str, ...]) -> list[str]:
        """What commands say, side by side, each in a process that imports the copy's packages."""
        with ExitStack() as opened:
            files = [[opened.enter_context(NamedTemporaryFile()) for _ in "oe"] for _ in commands]
            runs = [
                Run(
                    command,
                    str(self.root),
                    os.environ | {"SITE_URL": URL},
                    [file.name for file in pair],
                )
                for command, pair in zip(commands, files, strict=True)
            ]
            warm(*IMPORTED).run_all(runs)
            assert [errors.read() for _, errors in files] == [b""] * len(commands)
            return [output.read().decode() for output, _ in files]


def files(site: Path) -> dict[str, bytes]:
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file() and "pagefind" not in path.parts
    }


def test_each_change_shows_what_a_full_build_gives(tmp_path: Path) -> None:
    """One change after the other, as writers make them: the languages, and the pages built."""
    loop = Loop(small_site(tmp_path))
    docs, snippets, stub = loop.root / "docs", loop.root / "snippets", loop.root / "skynet_stub"
    assert loop.build()["pages"] == 6

    # Prose, a picture and a style sheet; and a word that all pages of one language show.
    append(docs / "en/index.md", "\nMore prose.\n")
    edit(docs / "en/picture.svg", 'width="8"', 'width="9"')
    append(loop.root / "theme/assets/guide.css", "\n.more { color: inherit }\n")
    word = 'msgid "page.permalink"\nmsgstr "'
    edit(stub / "locale/ru.po", word, f"{word}+")
    assert loop.change() == (["en", "ru"], 1 + 3)

    # The value of a snippet on the second page, and a limit of the stub on the first.
    row = '\n[[row]]\nvalue = "(0.125, {})"\nvalid = false\nreason = "no-feedback"\n'
    append(snippets / "return_values.toml", row)
    edit(stub / "limits.py", "METRIC_TIMEOUT_SECONDS = 60", "METRIC_TIMEOUT_SECONDS = 61")
    assert loop.change() == (["en", "ru"], 2 + 2)

    # The cases of an example on the first page; on the second one a message of one language, and
    # in the other the title of the front matter and a heading.
    cases = snippets / "exact_match/cases.jsonl"
    append(cases, cases.read_text("utf-8").splitlines(keepends=True)[-1])
    edit(stub / "locale/ru.po", 'msgstr "Да"', 'msgstr "Верно"')
    edit(docs / "en/concepts/second.md", "title: Second", "title: The second")
    append(docs / "en/concepts/second.md", "\n## More {#more}\n")
    assert loop.change() == (["en", "ru"], 2 + 1 + 1)

    # An id that another page links to: that page did not change, and yet it is wrong by now,
    # and stays so while others change.
    edit(docs / "en/concepts/first.md", "{#part}", "{#piece}")
    assert loop.faults() == [("docs/en/index.md", 8)]
    # A link to an id of a page that did not change, which has no such id.
    append(docs / "ru/index.md", "\n[Here](concepts/second.md#secnod).\n")
    assert loop.faults() == [("docs/en/index.md", 8), ("docs/ru/index.md", 15)]
    edit(docs / "en/index.md", "#part", "#piece")
    edit(docs / "ru/index.md", "#secnod", "#second")
    assert loop.change_as_in_full() == (["en", "ru"], 2 + 2)

    # An English sentence, of which the page in the other language tells its readers; and then
    # another page is gone there, so the English one is shown in its place.
    edit(docs / "en/concepts/first.md", "Prose.", "Prose. A sentence.")
    assert loop.change() == (["en", "ru"], 1 + 1)
    second = docs / "ru/concepts/second.md"
    text = second.read_text("utf-8")
    second.unlink()
    assert loop.change_as_in_full() == (["en", "ru"], 1 + 1)
    second.write_text(text, "utf-8")

    # A template.
    edit(loop.root / "theme/main.html", '<meta charset="utf-8">', '<meta charset="UTF-8">')
    assert loop.change() == (["en", "ru"], 6)

    # A page more and a page less, and another title in the navigation.
    for language in ("en", "ru"):
        (docs / language / "concepts/third.md").write_text(THIRD, "utf-8")
        (docs / language / "concepts/first.md").unlink()
        (docs / language / "index.md").write_text(INDEX, "utf-8")
    follow(Project(loop.root), "ru", paths=("index.md", "concepts/third.md"))
    edit(loop.root / "mkdocs.yml", NAV, OTHER_NAV)
    assert loop.change() == (["en", "ru"], 6)

    # What is taken back leaves nothing behind, whatever was wrong in between.
    append(docs / "en/index.md", "\nGood, and [bad](nowhere.md).\n")
    assert loop.faults() == [("docs/en/index.md", 10)]
    (docs / "en/index.md").write_text(INDEX, "utf-8")
    # The translation told of it in between.
    assert loop.change_as_in_full() == ([], 2)
