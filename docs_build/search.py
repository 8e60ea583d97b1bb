"""Make the search index of one language: Pagefind runs on a copy of its pages made for searching.

The copy holds what the engine cannot know by itself. A Russian word carries forms with other stems
(see `word_forms`), in the same word, so that a hit in them is a hit in it: `движки` becomes
`~движки~движок~~`, which theme/assets/search_results.js takes off again. Every Chinese character
is a word of its own, set apart by zero-width spaces, since the engine would cut a sentence into
other words than the browser cuts the reader's query into. The pages of the site are not touched.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from docs_build.faults import Refusal, refuse, shown
from docs_build.files import remove_others, write_if_changed
from docs_build.word_forms import other_forms
from skynet_stub.messages import catalog

FOLDER = "pagefind"
"""Where the index of a language lies below the folder of the language."""

_ENTRY = "pagefind-entry.json"  # names all the others
_ARTICLE = re.compile(r"<article\b.*</article>", re.DOTALL)
# Not the page's own text: the theme's buttons and links, and the labels of tabs.
_EXCLUDED = ".headerlink, .md-content__button, .md-source-file, .tabbed-labels, button, nav, form"
_MARKUP = re.compile(
    r"<!--.*?-->|<(?P<name>script|style|svg)\b.*?</(?P=name)\s*>"
    r"""|<(?:[^<>"']|"[^"]*"|'[^']*')+>|&\#?\w+;""",
    re.DOTALL,
)
# A word between blanks, quotes and the like. A part of a compound (тайм-аут) is left alone: the
# engine takes the compound for one word.
_RUSSIAN_WORD = re.compile(r"(?<![\w-])[А-Яа-яЁё]{2,}(?![\w-])")
_HAN = r"[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
# After a Chinese character, but not before a blank, which would be lost; and before one that begins
# the text, since another may end what stands before it.
_CHARACTER_EDGE = re.compile(rf"(?<={_HAN})(?=\S)|\A(?={_HAN})")


def index_language(site: Path, language: str) -> None:
    """Index the built pages of one language, for the reader's browser to search in.

    Writes `site/<language>/pagefind/`, and only what changed there. Raises `Refusal` where there
    is nothing to index, or where Pagefind fails.
    """
    folder = site / language
    with tempfile.TemporaryDirectory(prefix="search-") as name:
        copies, made = Path(name, "pages"), Path(name, "index")
        count = _copy_pages(folder, copies, language)
        _run_pagefind(copies, made, language)
        files = _needed_files(made, language, count)
        # What names the others is written after them, and what it named before goes last.
        for file in sorted(files, key=lambda file: file.name == _ENTRY):
            place = folder / FOLDER / file.relative_to(made)
            write_if_changed(place, file.read_bytes())
        remove_others(folder / FOLDER, [folder / FOLDER / file.relative_to(made) for file in files])


def search_words(language: str) -> Mapping[str, str]:
    """What the search says to the reader, as mkdocs.yml takes it from the environment.

    `{n}` in what it says of results stands for their number.
    """
    word = catalog(language).text
    return {
        "GUIDE_SEARCH_BUTTON": word("page.search"),
        "GUIDE_SEARCH_LABEL": word("page.search-label"),
        "GUIDE_SEARCH_RESULTS": word("page.search-results"),
        "GUIDE_SEARCH_CLOSE": word("page.search-close"),
        "GUIDE_SEARCH_HINT": word("page.search-hint"),
        "GUIDE_SEARCH_FOUND": word("page.search-found", n="{n}"),
        "GUIDE_SEARCH_NONE": word("page.search-none"),
        "GUIDE_SEARCH_FAILED": word("page.search-failed"),
    }


def indexed_copy(page: str, language: str) -> str | None:
    """The copy of a built page that is indexed; `None` for a page without an article."""
    article = _ARTICLE.search(page)
    if article is None:
        return None
    text = "".join(_searchable(article[0], language))
    return f'<!doctype html>\n<html lang="{language}"><body>{text}</body></html>\n'


def with_other_forms(text: str) -> str:
    """A Russian text, its words together with their other forms."""
    return _RUSSIAN_WORD.sub(_together, text)


def in_characters(text: str) -> str:
    """A Chinese text, its characters set apart by zero-width spaces."""
    return _CHARACTER_EDGE.sub("\u200b", text)


def _searchable(html: str, language: str) -> Iterator[str]:
    """HTML, each piece of text between its markup made fit for the search in a language."""
    change = {"ru": with_other_forms, "zh": in_characters}.get(_engine_language(language), str)
    end = 0
    for markup in _MARKUP.finditer(html):
        yield change(html[end : markup.start()])
        yield markup[0]
        end = markup.end()
    yield change(html[end:])


def _together(word: re.Match[str]) -> str:
    forms = other_forms(word[0].lower())
    return f"~{'~'.join((word[0], *forms))}~~" if forms else word[0]


def _copy_pages(folder: Path, copies: Path, language: str) -> int:
    """Write the copies of a language's pages; how many there are."""
    count = 0
    for page in sorted(folder.rglob("index.html")):  # not 404.html
        copy = indexed_copy(page.read_text("utf-8"), language)
        if copy is not None:
            write_if_changed(copies / page.relative_to(folder), copy.encode())
            count += 1
    if not count:
        problem = "there is no page with an article, so nothing to search in."
        raise refuse(shown(folder), None, problem, "Build the pages of this language first.")
    return count


def _run_pagefind(copies: Path, made: Path, language: str) -> None:
    """Index a folder of pages. The extended Pagefind, since only that one knows Chinese."""
    done = subprocess.run(
        (
            *(sys.executable, "-m", "pagefind_bin_extended", "--silent"),
            *("--site", str(copies), "--output-path", str(made)),
            *("--force-language", _engine_language(language)),
            *("--root-selector", "article", "--exclude-selectors", _EXCLUDED),
        ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise _failed(language, done.stdout.strip() or f"it ended with code {done.returncode}.")


def _needed_files(made: Path, language: str, pages: int) -> list[Path]:
    """The files that a browser asks for: Pagefind also writes user interfaces of its own."""
    try:
        (entry,) = json.loads((made / _ENTRY).read_bytes())["languages"].values()
    except (FileNotFoundError, ValueError):
        raise _failed(language, f"{_ENTRY} is missing, or not of one language.") from None
    if entry["page_count"] != pages:
        raise _failed(language, f"it indexed {entry['page_count']} of {pages} pages.")
    engine = f"wasm.{entry['wasm'] or 'unknown'}.pagefind"
    names = (_ENTRY, "pagefind.js", engine, f"pagefind.{entry['hash']}.pf_meta")
    return sorted(
        [*(made / name for name in names), *made.glob("index/*"), *made.glob("fragment/*")]
    )


def _failed(language: str, problem: str) -> Refusal:
    remedy = "Run python -m pagefind_bin_extended --version to see whether it works here at all."
    return refuse(f"the search index of {language}", None, f"Pagefind failed: {problem}", remedy)


def _engine_language(language: str) -> str:
    """The language as the engine names it, without the script."""
    return language.partition("-")[0]
