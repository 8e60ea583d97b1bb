"""The search index: what a search needs, and nothing of the site changed."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from docs_build import search
from docs_build.faults import Refusal
from docs_build.search import index_language
from small_sources import the_fault, write


def page(article: str, language: str = "en") -> str:
    body = f"<nav>Menu</nav><article>{article}</article>"
    return f'<html lang="{language}"><body>{body}</body></html>'


def article(name: str) -> str:
    return (
        f'<h1 id="top">{name}<a class="headerlink" href="#top">¶</a></h1><p>Words.</p>'
        f'<h2 id="part">Part</h2><button>Copy</button><p>More &amp; more.</p>'
    )


def fragments(site: Path, language: str) -> list[dict[str, object]]:
    """What the index holds of each page."""
    files = sorted((site / language / "pagefind" / "fragment").iterdir())
    texts = (gzip.decompress(file.read_bytes()).partition(b"pagefind_dcd")[2] for file in files)
    return [json.loads(text) for text in texts]


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_index_holds_text_and_sections_without_the_theme(tmp_path: Path) -> None:
    site = write(tmp_path, {"en/index.html": page(article("First"))})
    index_language(site, "en")
    (fragment,) = fragments(site, "en")
    assert fragment["url"] == "/"
    assert fragment["content"] == "First. Words. Part. More & more."
    assert fragment["meta"] == {"title": "First"}
    anchors = fragment["anchors"]
    assert isinstance(anchors, list)
    assert [(anchor["id"], anchor["text"]) for anchor in anchors] == [
        ("top", "First"),
        ("part", "Part"),
    ]


def test_nothing_but_the_index_is_written(tmp_path: Path) -> None:
    files = {"en/index.html": page(article("One")), "ru/index.html": page(article("Two"), "ru")}
    site = write(tmp_path, files)
    before = tree(site)
    index_language(site, "ru")
    after = tree(site)
    assert {name: data for name, data in after.items() if name in before} == before
    assert {name.split("/")[:2][1] for name in after if name not in before} == {"pagefind"}
    assert {name.split("/")[0] for name in after if name not in before} == {"ru"}


@pytest.mark.parametrize(
    ("language", "engine"),
    [
        ("en", "wasm.en.pagefind"),
        ("ru", "wasm.ru.pagefind"),
        ("zh-Hans", "wasm.unknown.pagefind"),
    ],
)
def test_the_index_has_the_files_that_a_browser_needs(
    tmp_path: Path, language: str, engine: str
) -> None:
    site = write(tmp_path, {f"{language}/index.html": page(article("One"), language)})
    index_language(site, language)
    hashed = re.compile(r"_\w+(?=\.pf_)")  # the name of a file depends on what it holds
    code = language.split("-")[0]
    assert {hashed.sub("_…", name) for name in tree(site / language / "pagefind")} == {
        f"fragment/{code}_….pf_fragment",
        f"index/{code}_….pf_index",
        "pagefind-entry.json",
        "pagefind.js",
        f"pagefind.{code}_….pf_meta",
        engine,
    }


def test_the_same_pages_give_the_same_index(tmp_path: Path) -> None:
    files = {f"en/{name}/index.html": page(article(name)) for name in "abcdefgh"}
    first, second = (write(tmp_path / name, files) for name in ("first", "second"))
    index_language(first, "en")
    index_language(second, "en")
    assert tree(first) == tree(second)


def test_an_index_is_made_anew_without_what_it_held_before(tmp_path: Path) -> None:
    site = write(tmp_path, {"en/index.html": page(article("One"))})
    index_language(site, "en")
    write(site, {"en/index.html": page(article("Another"))})
    index_language(site, "en")
    (fragment,) = fragments(site, "en")
    assert fragment["meta"] == {"title": "Another"}


def test_a_404_page_is_not_found(tmp_path: Path) -> None:
    names = ("en/index.html", "en/404.html")
    site = write(tmp_path, {name: page(article(name)) for name in names})
    index_language(site, "en")
    assert [fragment["meta"] for fragment in fragments(site, "en")] == [{"title": "en/index.html"}]


def test_a_language_without_pages_is_refused(tmp_path: Path) -> None:
    site = write(tmp_path, {"en/404.html": page(article("Gone"))})
    with pytest.raises(Refusal) as caught:
        index_language(site, "en")
    fault = the_fault(caught)
    assert fault.file.endswith("/en")
    assert fault.problem == "there is no page with an article, so nothing to search in."
    assert not (site / "en" / "pagefind").exists()


def test_what_pagefind_says_of_a_failure_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_EXCLUDED", ":::")
    site = write(tmp_path, {"en/index.html": page(article("One"))})
    with pytest.raises(Refusal) as caught:
        index_language(site, "en")
    fault = the_fault(caught)
    assert fault.file == "the search index of en"
    assert fault.problem.startswith("Pagefind failed: ")
