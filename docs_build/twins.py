"""Make of a staged page the Markdown that any reader of Markdown understands: the page's twin.

A staged page speaks to MkDocs: tabs, notes and attribute lists in the words of its extensions. Its
twin says the same in plain Markdown with tables (GitHub's), so it can be read as it is, pasted
into an issue, or given to a model.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from html import unescape
from pathlib import PurePosixPath
from typing import NamedTuple

import yaml

from docs_build.converter import YAML
from docs_build.page_maker import page_url

TWIN = "index.md"
"""The name of the twin, which stands beside the `index.html` of its page."""

_FENCE = re.compile(r"(?P<indent> *)(?P<ticks>`{3,})(?P<info>[^`]*)")
_ATTRIBUTES = re.compile(r" \{ \.(?P<language>[a-z]+) (?P<title>title=\"[^\"]*\") .*\}")
_TAB = re.compile(r'(?P<indent> *)===[!+]* "(?P<title>.*)"\s*')
_NOTE = re.compile(r'(?P<indent> *)(?:!!!|\?\?\?\+?) [a-z -]+"(?P<title>.*)"\s*')
_CODE = re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)")
_SPAN = re.compile(r"</?span\b[^>]*>")
_LINK = re.compile(r"(?P<before>\]\(\s*<?|^ {0,3}\[[^\]^][^\]]*\]:\s+<?)(?P<target>[^)\s>]+)")
_NOTICE = '<div class="admonition translation"'
_NOTICE_LINE = re.compile(r"<(?P<tag>p|li)\b(?P<attributes>[^>]*)>(?P<words>.*)</(?P=tag)>")
_SECTION_MARK = '<p class="translation-mark"'
_HTML_LINK = re.compile(r'<a href="(?P<target>[^"]*)"[^>]*>(?P<words>.*?)</a>')
_OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//|/|#", re.IGNORECASE)


class StagedText(NamedTuple):
    """A staged page taken apart: what its front matter says, and the Markdown after that."""

    title: str
    description: str
    body: str


def read_staged(text: str) -> StagedText:
    """Take a staged page apart. Staging has made sure of its front matter."""
    _, front_matter, body = re.split(r"^---\n", text, maxsplit=2, flags=re.MULTILINE)
    title, description = _front_matter(front_matter)
    return StagedText(title, description, body)


@cache  # while the site is served, the pages that did not change are asked again and again
def _front_matter(text: str) -> tuple[str, str]:
    meta = yaml.load(text, YAML)
    return meta["title"], meta["description"]


def twin(text: str, path: PurePosixPath) -> str:
    """The twin of a staged page; `path` is its place in the language's folder.

    It begins with the heading of the first level. Headings keep their `{#id}`: these are the
    anchors of the page, and what its links name. A fence keeps the language and the file's name.
    Tabs become paragraphs with their titles in bold, notes become quotes, and links lead from
    twin to twin.
    """
    lines = read_staged(text).body.strip("\n").split("\n")
    return "\n".join(_plain(lines, partial(_address, path))) + "\n"


def _plain(lines: Sequence[str], address: Callable[[str], str]) -> Iterator[str]:
    number = 0
    while number < len(lines):
        line = lines[number]
        if fence := _FENCE.fullmatch(line):
            end = _end_of_fence(lines, number, fence["indent"] + fence["ticks"])
            yield _FENCE.sub(_plain_fence, line)
            yield from lines[number + 1 : end]
        elif tab := _TAB.fullmatch(line):
            end = _end_of_body(lines, number, tab["indent"])
            yield _plain_line(f"{tab['indent']}**{tab['title']}**", address)
            yield from _plain(_dedented(lines[number + 1 : end]), address)
        elif note := _NOTE.fullmatch(line):
            end = _end_of_body(lines, number, note["indent"])
            mark, width = f"{note['indent']}>", len(note["indent"])
            yield _plain_line(f"{mark} **{note['title']}**", address)
            for inside in _plain(_dedented(lines[number + 1 : end]), address):
                yield f"{mark} {inside[width:]}" if inside.strip() else mark
        elif line.startswith((_NOTICE, _SECTION_MARK)):
            is_notice = line.startswith(_NOTICE)
            end = lines.index("</div>", number) + 1 if is_notice else number + 1
            yield from _plain_notice(lines[number:end])
        else:
            end = number + 1
            yield _plain_line(line, address)
        number = end


def _end_of_fence(lines: Sequence[str], start: int, closing: str) -> int:
    """The index after the line that closes the fence that is opened at `start`."""
    return next(
        (number + 1 for number in range(start + 1, len(lines)) if lines[number] == closing),
        len(lines),
    )


def _end_of_body(lines: Sequence[str], start: int, indent: str) -> int:
    """The index after the last line that is indented below the title at `start`."""
    end = start + 1
    for number in range(start + 1, len(lines)):
        if lines[number].startswith(f"{indent}    "):
            end = number + 1
        elif lines[number].strip():
            break
    return end


def _dedented(lines: Sequence[str]) -> list[str]:
    """The content of a tab or a note without its four blanks, a blank line before it."""
    blank = [] if lines and not lines[0].strip() else [""]
    return blank + [line.removeprefix("    ") for line in lines]


def _plain_notice(lines: Sequence[str]) -> Iterator[str]:
    """What is said of a translation (see translation/notices.py), as a quote."""
    before = ""
    for line in lines:
        if found := _NOTICE_LINE.fullmatch(line):
            words = unescape(_SPAN.sub("", _HTML_LINK.sub(_plain_link, found["words"])))
            if before and not found["tag"] == before == "li":
                yield ">"
            before = found["tag"]
            if "admonition-title" in found["attributes"]:
                yield f"> **{words}**"
            else:
                yield f"> - {words}" if before == "li" else f"> {words}"


def _plain_link(link: re.Match[str]) -> str:
    """A link of a notice, from twin to twin."""
    address, mark, anchor = link["target"].partition("#")
    return f"[{link['words']}]({address}{TWIN}{mark}{anchor})"


def _plain_fence(match: re.Match[str]) -> str:
    info = _ATTRIBUTES.sub(r"\g<language> \g<title>", match["info"])
    return f"{match['indent']}{match['ticks']}{info}"


def _plain_line(line: str, address: Callable[[str], str]) -> str:
    """A line of text, its inline code apart. In a table, a pipe in code needs a backslash."""
    is_row = line.lstrip(" ").startswith("|")
    plain, start = "", 0
    for code in _CODE.finditer(line):
        plain += _plain_words(line[start : code.start()], address)
        plain += code[0].replace("|", r"\|") if is_row else code[0]
        start = code.end()
    return plain + _plain_words(line[start:], address)


def _plain_words(words: str, address: Callable[[str], str]) -> str:
    bare = _SPAN.sub("", words)
    return _LINK.sub(lambda link: link["before"] + address(link["target"]), bare)


def _address(path: PurePosixPath, target: str) -> str:
    """Where a link of the page at `path` leads from its twin: another twin, or a file."""
    if _OUTSIDE.match(target):
        return target
    name, mark, anchor = target.partition("#")
    found = PurePosixPath(posixpath.normpath(path.parent / name))
    place = f"{page_url(found)}{TWIN}" if found.suffix == ".md" else found.as_posix()
    return posixpath.relpath(place, page_url(path) or ".") + mark + anchor
