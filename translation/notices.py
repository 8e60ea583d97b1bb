"""What readers are told of a page that is behind or missing, put into its staged Markdown.

A notice is plain HTML between blank lines, which every reader of Markdown understands. On a page
that is current there is nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import PurePosixPath

from docs_build.blocks import Resolved
from docs_build.page_checks import Page
from docs_build.renderings import long_date
from skynet_stub.messages import catalog
from translation.follows import without_record
from translation.pages import SOURCE
from translation.states import PageState, SectionState, State

_TITLE = "\N{OBJECT REPLACEMENT CHARACTER}"  # stands in a message for a title
_UNSEARCHED = "data-pagefind-ignore"  # the search finds what pages say, not what is said of them


@dataclass(frozen=True, slots=True)
class Shown:
    """A page that is staged for a language: its state, and what links need to know of its place.

    `url` is its address below the language's. `untranslated` are the languages that lack it.
    """

    language: str
    url: str
    state: PageState
    untranslated: tuple[str, ...] = ()


def with_notices(page: Page, resolved: Resolved, shown: Shown) -> Resolved:
    """A resolved page as it is staged: without its record, and with what readers are told.

    `page` is the source: the English one where the page is missing.
    """
    kept = set(without_record(page))
    above, below = _front_matter(shown), _notices(shown)
    texts: list[str] = []
    lines: list[int] = []
    ends = {line: index for index, line in enumerate(resolved.lines)}
    for index, (text, line) in enumerate(
        zip(resolved.text.split("\n"), resolved.lines, strict=True)
    ):
        if line - 1 not in kept:
            continue
        added = above if line == page.body else []
        staged = [*added, text]
        if ends[line] == index:
            staged += below.get(line, ())
        texts += staged
        lines += [line] * len(staged)
    return Resolved("\n".join(texts), tuple(lines), resolved.snippets)


def _front_matter(shown: Shown) -> list[str]:
    """What the theme must know: in which languages there is no such page."""
    missing = ", ".join(shown.untranslated)
    return [f"untranslated: [{missing}]"] if missing else []


def _notices(shown: Shown) -> dict[int, list[str]]:
    """What is inserted after which line of the source."""
    sections = shown.state.sections
    if shown.state.state is State.CURRENT:
        return {}
    if shown.state.state is State.MISSING:
        (first, *_) = (section.english for section in sections)
        return {first.line: ["", *_untranslated(shown)]} if first else {}
    inserted = {
        section.translated.line: ["", _mark(shown, section)]
        for section in sections
        if section.translated and section.state is State.BEHIND
    }
    title = min(section.translated.line for section in sections if section.translated)
    inserted[title] = ["", *_behind(shown), *inserted.get(title, ())]
    return inserted


def _untranslated(shown: Shown) -> list[str]:
    word = catalog(shown.language).text
    link = _english_link(shown, "", word("page.untranslated-link"))
    return _admonition(
        shown.language,
        word("page.untranslated-title"),
        [f"<p>{escape(word('page.untranslated-text'))} {link}</p>"],
    )


def _behind(shown: Shown) -> list[str]:
    word = catalog(shown.language).text
    items = [f"<li{_anchor(one)}>{_item(shown, one)}</li>" for one in shown.state.not_current]
    text = f"<p>{escape(word('page.behind-text'))}</p>"
    return _admonition(shown.language, word("page.behind-title"), [text, "<ul>", *items, "</ul>"])


def _admonition(language: str, title: str, inside: Sequence[str]) -> list[str]:
    return [
        f'<div class="admonition translation" lang="{language}" {_UNSEARCHED}>',
        f'<p class="admonition-title">{escape(title)}</p>',
        *inside,
        "</div>",
    ]


def _anchor(section: SectionState) -> str:
    """A link to a section that is missing leads to where that is said."""
    return f' id="{section.id}"' if section.state is State.MISSING else ""


def _item(shown: Shown, section: SectionState) -> str:
    word = catalog(shown.language).text
    if section.english is None:
        title = escape(section.translated.title) if section.translated else ""
        return _with_title(word("page.behind-removed", title=_TITLE), title)
    if section.translated is None or section.followed is None:
        title = f'<span lang="{SOURCE}">{escape(section.english.title)}</span>'
        said = word("page.behind-missing", title=_TITLE)
    else:
        title = escape(section.translated.title)
        date = long_date(section.followed.date, shown.language)
        said = word("page.behind-since", title=_TITLE, date=date)
    link = _english_link(shown, section.id, word("page.behind-link"))
    return f"{_with_title(said, title)} {link}"


def _with_title(said: str, title: str) -> str:
    """A message as HTML, with a title that is such already."""
    return escape(said).replace(_TITLE, title)


def _mark(shown: Shown, section: SectionState) -> str:
    word = catalog(shown.language).text
    text = word("page.behind-removed-mark" if section.english is None else "page.behind-mark")
    anchor = section.id if section.english else ""
    link = _english_link(shown, anchor, word("page.behind-link"))
    return f'<p class="translation-mark" {_UNSEARCHED}>{escape(text)} {link}</p>'


def _english_link(shown: Shown, section: str, words: str) -> str:
    """A link to the English page. MkDocs, which builds one language at a time, knows no such page,
    and would bend a link in Markdown back."""
    up = "../" * (len(PurePosixPath(shown.url).parts) + 1)
    anchor = f"#{section}" if section else ""
    address = escape(f"{up}{SOURCE}/{shown.url}{anchor}")
    return f'<a href="{address}" hreflang="{SOURCE}">{escape(words)}</a>'
