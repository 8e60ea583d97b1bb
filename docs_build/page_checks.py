"""What a page must not hold, checked before anything is made of it.

Each check takes the lines of a page and gives its faults. Two look at the page as it is converted,
since Markdown has more ways to write code and headings than a reader of lines can know. That
converted page is also what translations are compared by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import yaml
from markdown import Markdown

from docs_build.blocks import (
    CURLY_QUOTES,
    MARK,
    inline_code,
    is_block,
    without_comments,
    without_inline_code,
)
from docs_build.converter import YAML, converted, elements
from docs_build.faults import Fault, Refusal, refuse

_CONTAINER = r"[ \t]*(?:(?:>|[-*+]|\d+[.)])[ \t]+|>)*[ \t]*"
_FENCE = re.compile(rf"{_CONTAINER}(`{{3,}}|~{{3,}})")
_HEADING = re.compile(r"#{1,6}")
_HEADING_ID = re.compile(r"\{#(?P<id>[^\s{}]+)\}\s*$")
_ID = re.compile(r"[a-z][a-z0-9-]*")
_ATTRIBUTES = re.compile(r"\{[ \t]*[:：#＃.][^{}]*\}?|\{[^{}]*=[^{}]*\}")
_TITLED = re.compile(r"[ \t]*(?P<kind>!!!|\?\?\?\+?|===[!+]*)(?P<rest>.*)")
_ADMONITION = re.compile(r'[ ]?[a-z-]+( [a-z-]+)* "[^"]*"\s*')
_TAB = re.compile(r' "[^"]+"\s*')
_TAG = re.compile(r"<(?!https?:|mailto:)(?P<tag>[a-z][a-z0-9]*)\b", re.IGNORECASE)
_STYLE = re.compile(r"[<{][^<>{}]*\bstyle[ \t]*=", re.IGNORECASE)
_HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_NO_PARAGRAPH = re.compile(
    r"[ \t]*([#|>]|:::|!!!|\?\?\?|===|<|[-*+]\s|\d+[.)]\s|\[\^?[^\]]+\]:|---|:\s)"
)

_CODE = "code stands in a page only as a snippet, which tests run."
_USE_SNIPPET = "Put it into snippets/ and write ::: snippet PATH"
_REFUSED_TAGS = {
    **dict.fromkeys(
        ("pre", "code", "samp", "kbd", "xmp", "listing", "plaintext", "textarea"),
        (_CODE, f"{_USE_SNIPPET}, or set a word of code in backticks."),
    ),
    **dict.fromkeys(
        ("h1", "h2", "h3", "h4", "h5", "h6"),
        ("a heading is typed as HTML.", "Write it with #, and with an id: ## Words {#words}"),
    ),
    "a": ("a link is typed as HTML, which nothing checks.", "Write [words](page.md)."),
    "img": ("an image is typed as HTML, which nothing checks.", "Write ![words](image.svg)."),
}
_LET_PASS = ("br", "span", "sub", "sup", "abbr")
_OTHER_TAG = ("this element does not belong into a page.", "Put it into theme/, or write Markdown.")


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is written: how messages name its file, its language, and its lines.

    `body` is the index of the first line after the front matter, `meta` what that says.
    """

    file: str
    language: str
    lines: tuple[str, ...]
    body: int
    meta: Mapping[str, Any]

    @property
    def numbered(self) -> Iterator[tuple[int, str]]:
        """The lines after the front matter, with their numbers in the file."""
        return enumerate(self.lines[self.body :], self.body + 1)

    def fault(self, line: int | None, problem: str, remedy: str) -> Fault:
        """A fault of this page."""
        return Fault(self.file, line, problem, remedy)


def read_page(data: bytes, file: str, language: str) -> Page:
    """Take the bytes of a page apart.

    Raises `Refusal` where they are not plain UTF-8 with LF line ends, or do not begin with front
    matter that gives a title and a description.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise refuse(file, 1, "the page begins with a byte order mark.", "Save it without one.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{data[error.start]:02x} is not UTF-8."
        raise refuse(file, line, problem, "Save the page as UTF-8.") from None
    if "\r" in text:
        line = text.count("\n", 0, text.index("\r")) + 1
        raise refuse(file, line, "the line ends with CR LF.", "Save the page with LF line ends.")
    lines = tuple(text.split("\n"))
    return Page(file, language, lines, *_front_matter(lines, file))


def check_page(page: Page, markdown: Markdown) -> str:
    """The page as it is converted, in HTML; of each block it has `<hr data-block="NAME ...">`.

    Raises `Refusal` with every fault of the page, its blocks apart.
    """
    faults = [fault for check in _CHECKS for fault in check(page)]
    html = ""
    if not faults:  # what the converter finds besides would only repeat these
        html = converted("\n".join(_with_blocks_marked(page)), markdown)
        faults = list(_converted_faults(page, html))
    if faults:
        raise Refusal(sorted(faults, key=lambda fault: fault.line or 0))
    return html


def _front_matter(lines: Sequence[str], file: str) -> tuple[int, dict[str, Any]]:
    """How many lines the front matter takes, and what it says, once it is known to be complete."""
    remedy = "Begin the page with ---, title: ..., description: ..., ---"
    if lines[0] != "---" or "---" not in lines[1:]:
        raise refuse(file, 1, "the page has no front matter.", remedy)
    end = lines.index("---", 1)
    try:
        meta = yaml.load("\n".join(lines[1:end]), YAML)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        problem = f"the front matter is not YAML: {getattr(error, 'problem', error)}."
        raise refuse(file, line, problem, "Put the text in straight quotes.") from None
    for key in ("title", "description"):
        if (
            not isinstance(meta, dict)
            or not isinstance(meta.get(key), str)
            or not meta[key].strip()
        ):
            raise refuse(file, 1, f"the front matter has no {key}.", f"Add {key}: ...")
    return end + 1, meta


def _typed_code(page: Page) -> Iterator[Fault]:
    for number, line in page.numbered:
        if match := _FENCE.match(line):
            yield page.fault(number, f"a code fence, {match[1]}: {_CODE}", _USE_SNIPPET + ".")
        elif "--8<--" in without_inline_code(line):
            yield page.fault(number, "an include that is not ours.", "Write ::: snippet PATH.")


def _typed_html(page: Page) -> Iterator[Fault]:
    for number, line in page.numbered:
        for match in _TAG.finditer(without_inline_code(line)):
            tag = match["tag"]
            if tag.lower() not in _LET_PASS:
                problem, remedy = _REFUSED_TAGS.get(tag.lower(), _OTHER_TAG)
                yield page.fault(number, f"<{tag}>: {problem}", remedy)
        if _STYLE.search(without_inline_code(line)):
            problem = "a style is typed into the page, which can make text look like code."
            yield page.fault(number, problem, "Put it into theme/.")


def _headings(page: Page) -> Iterator[Fault]:
    for number, line in page.numbered:
        if re.match(r"[ \t]*＃", line):
            yield page.fault(number, "a full-width ＃ begins the line.", "Write a straight #.")
        if not _HEADING.match(line):
            continue
        match = _HEADING_ID.search(line)
        if match is None:
            remedy = "End it with one that is the same in each language: {#words}"
            yield page.fault(number, "the heading has no id.", remedy)
        elif not _ID.fullmatch(match["id"]):
            problem = f"the id {match['id']} of the heading is not a plain one."
            yield page.fault(number, problem, "Use small Latin letters, digits and hyphens.")
    titles = [line for _, line in page.numbered if re.match(r"#(?!#)", line)]
    if len(titles) != 1:
        problem = f"the page has {len(titles)} headings of the first level."
        yield page.fault(None, problem, "Give it exactly one: # Title {#title}")


def _curly_quotes(page: Page) -> Iterator[Fault]:
    for number, line in page.numbered:
        text = without_inline_code(line)
        if is_block(line):
            continue  # a block says so itself
        for code in inline_code(line):
            if curly := sorted(set(code) & set(CURLY_QUOTES)):
                problem = f"the curly quote {curly[0]} stands in code, `{code}`."
                yield page.fault(number, problem, "Write a straight one.")
        for match in _ATTRIBUTES.finditer(text):
            if curly := sorted(set(match[0]) & set(CURLY_QUOTES)):
                problem = f"the curly quote {curly[0]} stands in an attribute list, {match[0]}."
                yield page.fault(number, problem, 'Write a straight one: "')
            elif re.match(r"\{[ \t]*[：＃]", match[0]):
                problem = f"a full-width sign stands in an attribute list, {match[0]}."
                yield page.fault(number, problem, "Write : or # with a half-width sign.")
        if titled := _TITLED.match(text):
            yield from _title_faults(page, number, titled["kind"], titled["rest"])


def _title_faults(page: Page, number: int, kind: str, rest: str) -> Iterator[Fault]:
    """A note or a tab that is misspelt would become ordinary text; one without a title, English."""
    is_tab = kind.startswith("=")
    if is_tab and not rest.strip().strip("="):
        return  # the underline of a heading, which is refused as such
    if not (_TAB if is_tab else _ADMONITION).fullmatch(rest):
        form = '=== "Title"' if is_tab else f'{kind} note "Title"'
        what = "tab" if is_tab else "note"
        problem = f"a {what} without a title in straight quotes."
        yield page.fault(number, problem, f"Write {form}, in the page's language.")


def _wrapped_chinese(page: Page) -> Iterator[Fault]:
    if not page.language.startswith("zh"):
        return
    lines = list(page.numbered)
    for (_, before), (number, line) in pairwise(lines):
        wrapped = (
            before.strip()
            and line.strip()
            and not before.endswith(("  ", "\\", "<br>"))
            and not re.match(r"[ \t]*[#|<]", before)
            and not _NO_PARAGRAPH.match(line)
        )
        if wrapped and (_HAN.search(before) or _HAN.search(line)):
            problem = "a Chinese paragraph goes on here; the line break would show as a blank."
            yield page.fault(number, problem, "Write a paragraph on one line.")


def _links(page: Page) -> Iterator[Fault]:
    """A link out of the language's folder is silently bent back by the build."""
    depth = page.file.split(f"/{page.language}/", 1)[-1].count("/")
    for number, line in page.numbered:
        for target in re.findall(r"\]\(\s*<?([^)\s>]*)", without_inline_code(line)):
            if target.startswith("../" * (depth + 1)):
                problem = f"the link {target} leads out of the pages of {page.language}."
                yield page.fault(number, problem, "Link to the page in the same language.")
            if curly := sorted(set(target) & set(CURLY_QUOTES)):
                problem = f"the curly quote {curly[0]} stands in the link {target}."
                yield page.fault(number, problem, "Take it out.")


_CHECKS = (_typed_code, _typed_html, _headings, _curly_quotes, _wrapped_chinese, _links)


def _with_blocks_marked(page: Page) -> Iterator[str]:
    """The lines after the front matter, each block as an element that says what stands where.

    Comments are taken out: they would split lists.
    """
    text = without_comments("\n".join(page.lines[page.body :]))
    for number, line in enumerate(text.split("\n"), page.body + 1):
        if is_block(line):
            words = " ".join(line.removeprefix(MARK).split())
            yield f'<hr data-block="{escape(words)}" data-line="{number}">'
        else:
            yield line


def _converted_faults(page: Page, html: str) -> Iterator[Fault]:
    """What only the converter sees: code by indentation, headings of other forms, double ids."""
    found = elements(html, frozenset({"pre", "code", "h1", "h2", "h3", "h4", "h5", "h6"}))
    blocks = [element.text for element in found if element.tag == "pre"]
    for element in found:
        if element.tag == "code" and "\n" in element.text and element.text not in blocks:
            line = _line_of(page, element.text)
            problem = f"code in backticks goes on over a line end; {_CODE}"
            yield page.fault(line, problem, f"{_USE_SNIPPET}, or keep it on one line.")
        if element.tag == "pre":
            line = _line_of(page, element.text)
            problem = f"indented by four blanks or more, this is code; {_CODE}"
            yield page.fault(line, problem, f"{_USE_SNIPPET}, or indent less.")
    explicit = {match["id"] for _, line in page.numbered if (match := _HEADING_ID.search(line))}
    for element in found:
        if element.tag.startswith("h") and element.tag[1:].isdigit() and element.id not in explicit:
            line = _line_of(page, element.text)
            problem = "a heading in a form that is not ours."
            yield page.fault(line, problem, "Write it at the start of a line: ## Words {#words}")
    yield from _double_ids(page)


def _double_ids(page: Page) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for number, line in page.numbered:
        text = without_inline_code(line)
        ids = re.findall(r"\{[^{}]*#([^\s{}]+)[^{}]*\}", text)
        ids += re.findall(r"<[^<>]*\bid=[\"']?([^\s\"'<>]+)", text)
        for id_ in ids:
            if id_ in first:
                problem = f"the id {id_} stands here again, after line {first[id_]}."
                yield page.fault(number, problem, "Give each its own.")
            first.setdefault(id_, number)


def _line_of(page: Page, text: str) -> int | None:
    """The line where a text of the converted page begins, if it can be told."""
    words = text.removesuffix("¶")  # the link that the converter adds to a heading
    first = next((line.strip() for line in words.splitlines() if line.strip()), "")
    for number, line in page.numbered:
        if first and first in line:
            return number
    return None
