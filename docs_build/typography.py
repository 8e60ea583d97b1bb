"""Check the typography of prose in each language: quotes, dashes, spaces, punctuation, ё."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from docs_build.blocks import without_comments
from docs_build.faults import Fault

CODE = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands in prose for a piece of inline code."""

_NBSP = "\N{NO-BREAK SPACE}"
_UNSEEN = r"\u00ad\u2000-\u200f\u202f\u2060\ufeff"
_HAN = r"[\u3400-\u9fff]"
_FULL = r"[，。；：？！（）“”《》、…—]"

# What is no prose: front matter's keys, our blocks, inline code, targets of links, ids, tags.
_FRONT_MATTER_KEY = re.compile(r"^(?:title|description): ")
_MARKER = re.compile(r"^(?:#+|\s*(?:[-*]|\d+\.)) ")
_CELL_BORDER = re.compile(r"\s*\|\s*")
_BLOCK = re.compile(r"^\s*:::.*$")
_ADMONITION = re.compile(r'^\s*(?:!!!|\?\?\?\+?) \w+ "(?P<title>.*)"$')
_CODE = re.compile(r"(`+).+?\1")
_NOT_SHOWN = re.compile(r"(?<=\])\([^)]*\)|\{#[\w-]+\}|<[^>]+>|^\|?[\s:|-]+\|?$")


def prose(line: str) -> list[str]:
    """What of a Markdown line is prose, a piece for each cell; inline code becomes `CODE`."""
    if _BLOCK.match(line) or line == "---":
        return []
    line = _MARKER.sub("", _FRONT_MATTER_KEY.sub("", line))
    if admonition := _ADMONITION.match(line):
        line = admonition["title"]
    shown = _NOT_SHOWN.sub("", _CODE.sub(CODE, line)).replace("**", "").strip()
    return [piece for piece in _CELL_BORDER.split(shown) if piece]


def typography_faults(file: str, text: str, language: str, first_line: int = 1) -> Iterator[Fault]:
    """The faults of a Markdown text in a language, each with its line and what is wanted."""
    for number, line in enumerate(without_comments(text).split("\n"), first_line):
        for piece in prose(line):
            for pattern, found, wanted in (*_ANY, *_RULES[language]):
                for match in pattern.finditer(piece):
                    around = piece[max(0, match.start() - 12) : match.end() + 12]
                    shown = around.replace(CODE, "`…`").replace(_NBSP, "⍽").strip()
                    yield Fault(file, number, f"{found}: «{shown}».", wanted)


def _rule(pattern: str, found: str, wanted: str) -> tuple[re.Pattern[str], str, str]:
    return re.compile(pattern), found, wanted


_ANY = (
    _rule(r"(?<=\S)  +(?=\S)", "Two spaces", "Write one."),
    _rule(
        r"[\u00ad\u200b-\u200f\u2000-\u200a\u202f\u2060\ufeff]",
        "A space or mark that nobody sees",
        "Take it out.",
    ),
    _rule(r"\s--\s|\s-\s", "A hyphen used as a dash", "Write the dash of the language."),
)

_NO_NBSP = _rule(rf"{_NBSP}", "A no-break space", "Write an ordinary one, or none.")

_ENGLISH = (
    _NO_NBSP,
    _rule(r'"', "A straight quote", "Write “…”, or mark code as code."),
    _rule(r"\.\.\.", "Three dots", "Write …"),
)

_CHINESE = (
    _NO_NBSP,
    _rule(rf"{_HAN}[,.;:?!](?!\w)|[,;:?!]{_HAN}", "Half-width punctuation", "Write it full-width."),
    _rule(rf"{_HAN} ?\(|\) ?{_HAN}", "Half-width brackets", "Write （…）."),
    _rule(r"[\"「」『』]", "Quotes of another kind", "Write “…”."),
    _rule(rf"{_HAN}[A-Za-z0-9{CODE}]|[A-Za-z0-9{CODE}%]{_HAN}", "No space", "Put one between."),
    _rule(rf" {_FULL}|{_FULL} ", "A space beside full-width punctuation", "Take it out."),
    _rule(rf"{_HAN} +{_HAN}", "A space between Han characters", "Take it out."),
    _rule(r"\.\.\.|(?<!…)…(?!…)", "An ellipsis of half its width", "Write ……"),
)

# Words in which ё is often left out. «Все» and «всё» are both words: they are read by people.
_WITHOUT_YO = (
    r"\b(?:ещ[е]|(?:мо|тво|сво)е|е[е]|не[е]|чь[е]|причем|нипочем|почем|"
    r"(?:от|рас|под|пере|у|за)?счет\w*|(?:от|рас|под|пере|у|за)чет\w*|"
    r"(?:да|вста|оста|зада|отда|переда|созда)ет(?:ся)?|"
    r"(?:верн|начн|прочт|найд|вы|при|подо|про|пере|обо|зай|прид|пойд|уйд|войд)ет(?:ся)?|"
    r"\w*(?:нес|бер|вед|жд|жив)ет(?:ся)?|(?:тр|четыр)ех|прош[е]л|приш[е]л|наш[е]л|"
    r"(?:определ|закрепл|сохран|заключ|включ|исключ|примен|привед|введ|произвед)енн(?:ый|ая|ое|ые|ого|ой|ому|ым|ых|ыми|ую))\b"
)
_RUSSIAN = (
    _rule(r'["“”]', "Quotes of another kind", "Write «…»."),
    _rule(r"[^\s|]–|–[^\s|]| – ", "An en dash", "Write the long dash, —, or a hyphen."),
    _rule(rf"(?<![\s{_NBSP}])—|(?<=\S) —", "A dash without a no-break space", "Put one before it."),
    # It holds together a number or a short word with what follows, and a dash with what precedes.
    _rule(
        rf"(?<![0-9№§}}.])(?<!\b\w)(?<!\b\w\w){_NBSP}(?!—)",
        "A no-break space out of place",
        "Write an ordinary one.",
    ),
    _rule(r"—(?![\s]|$)", "A dash with no space after it", "Put one after it."),
    _rule(r"\.\.\.", "Three dots", "Write …"),
    _rule(rf"(?i){_WITHOUT_YO}", "е where ё belongs", "Write ё."),
)

_RULES: Mapping[str, tuple[tuple[re.Pattern[str], str, str], ...]] = {
    "en": _ENGLISH,
    "zh-Hans": _CHINESE,
    "ru": _RUSSIAN,
}
