"""Resolve the blocks of a page: lines such as `::: example exact_match` become plain Markdown.

`resolve` is a pure function of the page's text, its language and the sources; what it gives can
be read by MkDocs, by its successor, and by a reader who downloads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from docs_build import renderings
from docs_build.faults import Fault, Refusal, closest
from docs_build.renderings import Sources
from docs_build.snippets import Place

MARK = "::: "
"""What the line of a block begins with."""

CURLY_QUOTES = "“”„‟‘’‚‛«»＂＇"
"""Quotation marks of running text, where code wants a straight one."""

_NEAR_MISS = re.compile(r"[:：]\s?[:：]|[:：]{2}")
_INLINE_CODE = re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)")
_CODE_OR_COMMENT = re.compile(rf"(?P<code>{_INLINE_CODE.pattern})|[ ]*<!--.*?-->", re.DOTALL)
_LINES = re.compile(r"(?P<first>[0-9]+)-(?P<last>[0-9]+)")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A page with its blocks resolved.

    `lines[n]` is the line of the source from which line `n + 1` of `text` came. `snippets` are
    the files of `snippets/` that it shows or is made from.
    """

    text: str
    lines: tuple[int, ...]
    snippets: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Block:
    """A kind of block: the arguments and options it takes, and what it becomes."""

    render: Callable[[Sources, Place, list[str], dict[str, str]], renderings.Rendering]
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    def usage(self, name: str) -> str:
        options = (f" [{option}=...]" for option in self.options)
        return f"{MARK}{' '.join((name, *self.arguments))}{''.join(options)}"


def _example(
    sources: Sources, place: Place, arguments: list[str], options: dict[str, str]
) -> renderings.Rendering:
    return renderings.example(sources, place, arguments[0])


def _snippet(
    sources: Sources, place: Place, arguments: list[str], options: dict[str, str]
) -> renderings.Rendering:
    return renderings.snippet(sources, place, arguments[0], _line_range(place, options))


def _plain(render: Callable[[Sources], renderings.Rendering]) -> _Block:
    """A block that takes no arguments."""
    return _Block(lambda sources, place, arguments, options: render(sources))


BLOCKS: Mapping[str, _Block] = {
    "example": _Block(_example, arguments=("NAME",)),
    "snippet": _Block(_snippet, arguments=("PATH",), options=("lines",)),
    "validity-table": _plain(renderings.validity_table),
    "feedback-pairs": _plain(renderings.feedback_pairs),
    "limits": _plain(renderings.limits),
    "check-items": _plain(renderings.check_items),
    "guide-version": _plain(renderings.guide_version),
}
"""All blocks, by name."""


def resolve(text: str, file: str, sources: Sources) -> Resolved:
    """Resolve the blocks of a page; `file` stands for it in messages.

    Raises `Refusal` with every fault of every block: its spelling, its arguments, and what is
    wrong with what it names.
    """
    faults: list[Fault] = []
    staged: list[str] = []
    lines: list[int] = []
    snippets: set[str] = set()
    source = text.split("\n")
    for number, line in enumerate(source, 1):
        place = Place(file, number)
        try:
            rendering = _rendered(source, place, sources)
        except Refusal as refusal:
            faults += refusal.faults
            continue
        resolved = [line] if rendering is None else rendering.text.rstrip("\n").split("\n")
        staged += resolved
        lines += [number] * len(resolved)
        snippets |= rendering.snippets if rendering else frozenset()
    if faults:
        raise Refusal(faults)
    return Resolved("\n".join(staged), tuple(lines), frozenset(snippets))


def is_block(line: str) -> bool:
    """Whether a line is written as a block."""
    return line.startswith(MARK)


def inline_code(line: str) -> Iterator[str]:
    """What stands in the code spans of a line of text."""
    return (match[0].strip("`") for match in _INLINE_CODE.finditer(line))


def without_inline_code(line: str) -> str:
    """A line of text with the code spans taken out."""
    return _INLINE_CODE.sub("", line)


def without_comments(text: str) -> str:
    """A text with its comments taken out, each line where it was."""
    return _CODE_OR_COMMENT.sub(lambda found: found["code"] or "\n" * found[0].count("\n"), text)


def _rendered(source: list[str], place: Place, sources: Sources) -> renderings.Rendering | None:
    """What the line at a place becomes, or `None` where it is no block."""
    line = source[place.line - 1]
    if not is_block(line):
        _refuse_near_miss(line, place)
        return None
    faults = list(_spelling_faults(source, place))
    if faults:
        raise Refusal(faults)
    name, *words = line[len(MARK) :].split()
    block = BLOCKS[name]
    options = dict(word.split("=", 1) for word in words if "=" in word)
    arguments = [word for word in words if "=" not in word]
    try:
        return block.render(sources, place, arguments, options)
    except KeyError as error:  # of a catalog
        problem = f"the block cannot be worded: {error.args[0]}."
        remedy = "Add the message to the catalog of every language, in skynet_stub/locale/."
        raise Refusal([Fault(place.file, place.line, problem, remedy)]) from None


def _refuse_near_miss(line: str, place: Place) -> None:
    if _NEAR_MISS.search(without_inline_code(line)):
        name = next((word for word in re.findall(r"[a-z-]{3,}", line) if word in BLOCKS), "NAME")
        problem = "colons that look like a block, but are not written as one."
        remedy = (
            f'Begin the line with "{MARK}{name}": three colons at the very start, one blank;'
            " or set code in backticks."
        )
        raise Refusal([Fault(place.file, place.line, problem, remedy)])


def _spelling_faults(source: list[str], place: Place) -> Iterator[Fault]:
    """What is wrong with the line of a block, before anything is read."""

    def fault(problem: str, remedy: str) -> Fault:
        return Fault(place.file, place.line, problem, remedy)

    line = source[place.line - 1]
    around = [
        source[number] for number in (place.line - 2, place.line) if 0 <= number < len(source)
    ]
    if any(other.strip() for other in around):
        yield fault("a block stands inside other text.", "Leave a blank line before and after it.")
    if curly := sorted(set(line) & set(CURLY_QUOTES)):
        yield fault(
            f"the curly quote {curly[0]} stands in a block.", "Take it out; none is needed."
        )
        return
    words = line[len(MARK) :].split()
    if not words or words[0] not in BLOCKS:
        name = words[0] if words else ""
        known = f"Known blocks: {', '.join(BLOCKS)}."
        yield fault(f"unknown block {name!r}.", f"{known}{closest(name, BLOCKS)}")
        return
    name, *rest = words
    block = BLOCKS[name]
    arguments = [word for word in rest if "=" not in word]
    options = [word.partition("=")[0] for word in rest if "=" in word]
    for option in options:
        if option not in block.options:
            taken = ", ".join(block.options) or "none"
            yield fault(f"{name} takes no option {option!r}.", f"Options of {name}: {taken}.")
    if len(options) != len(set(options)):
        yield fault("an option stands twice.", "Keep one.")
    if len(arguments) != len(block.arguments):
        less = (
            "an argument is missing"
            if len(arguments) < len(block.arguments)
            else (f"surplus argument {arguments[len(block.arguments)]!r}")
        )
        yield fault(f"{less}.", f"Write {block.usage(name)}")


def _line_range(place: Place, options: Mapping[str, str]) -> tuple[int, int] | None:
    if "lines" not in options:
        return None
    match = _LINES.fullmatch(options["lines"])
    if match is None:
        problem = f"lines={options['lines']} is no range of lines."
        raise Refusal([Fault(place.file, place.line, problem, "Write lines=FIRST-LAST.")])
    return int(match["first"]), int(match["last"])
