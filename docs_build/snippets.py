"""Read a snippet: a file of code or data that pages show to the byte."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from docs_build.faults import closest, refuse

_PATH = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")
_UNSHOWABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LANGUAGES = {".py": "python", ".json": "json", ".jsonl": "json", ".toml": "toml"}


@dataclass(frozen=True, slots=True)
class Place:
    """The line of a page that asks for something."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Snippet:
    """A snippet: its path inside `snippets/`, and its text."""

    path: str
    text: str

    @property
    def title(self) -> str:
        """The file's name, which stands above the code."""
        return PurePosixPath(self.path).name

    @property
    def language(self) -> str:
        """The name by which the highlighter knows the file's language."""
        return _LANGUAGES.get(PurePosixPath(self.path).suffix, "text")


def read_snippet(folder: Path, path: str, asked_at: Place) -> Snippet:
    """Read the snippet at a path inside the folder of all snippets.

    Raises `Refusal`, which names the line that asked for it where there is no such snippet, and
    the snippet's own line where a page could not show what it holds to the byte, or where a file
    of Python is none.
    """
    within = _existing(folder, path, asked_at)
    shown = f"{folder.name}/{path}"
    data = within.read_bytes()
    if data.startswith(b"\xef\xbb\xbf"):
        raise refuse(
            shown, 1, "the snippet begins with a byte order mark.", "Save it as UTF-8 without one."
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{data[error.start]:02x} is not UTF-8."
        raise refuse(shown, line, problem, "Save the snippet as UTF-8.") from None
    for line, problem, remedy in _unshowable(text):
        raise refuse(shown, line, problem, remedy)
    if within.suffix == ".py":
        _refuse_what_is_no_python(shown, text)
    return Snippet(path, text)


def lines_of(snippet: Snippet, first: int, last: int, asked_at: Place) -> str:
    """The text of the lines from `first` to `last`, counted from 1, both included.

    Raises `Refusal` for a range that is reversed, leaves the file, or begins or ends blank.
    """
    lines = snippet.text.splitlines(keepends=True)

    def wrong(problem: str, remedy: str) -> Exception:
        return refuse(asked_at.file, asked_at.line, problem, remedy)

    if first < 1:
        raise wrong(f"lines={first}-{last}: lines are counted from 1.", "Begin at 1 or later.")
    if first > last:
        raise wrong(f"lines={first}-{last} is reversed.", f"Write lines={last}-{first}.")
    if last > len(lines):
        problem = f"lines={first}-{last}: {snippet.path} has only {len(lines)} lines."
        raise wrong(problem, f"End at {len(lines)} or earlier.")
    for number in (first, last):
        if not lines[number - 1].strip():
            problem = f"lines={first}-{last}: line {number} of {snippet.path} is blank."
            raise wrong(problem, "Begin and end with a line that holds something.")
    return "".join(lines[first - 1 : last])


def fence(snippet: Snippet, lines: tuple[int, int] | None, asked_at: Place) -> str:
    """A snippet, or some lines of it, as a fenced code block that says where it came from.

    The attributes end up on the element around the `pre`, where tests look for them.
    """
    text = snippet.text if lines is None else lines_of(snippet, *lines, asked_at)
    attributes = f'.{snippet.language} title="{snippet.title}" data-snippet="{snippet.path}"'
    if lines is not None:
        attributes += f' data-lines="{lines[0]}-{lines[1]}"'
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks} {{ {attributes} }}\n{text}{ticks}\n"


def _existing(folder: Path, path: str, asked_at: Place) -> Path:
    def wrong(problem: str, remedy: str) -> Exception:
        return refuse(asked_at.file, asked_at.line, problem, remedy)

    if not _PATH.fullmatch(path) or ".." in path.split("/") or "." in path.split("/"):
        raise wrong(
            f"{path} is not a path inside {folder.name}/.",
            "Name the file from there on, with letters, digits, dots, hyphens, and / between"
            " folders; .. is not allowed.",
        )
    within = folder / path
    if not within.is_file():
        files = (found.relative_to(folder).as_posix() for found in _files(folder))
        problem = f"there is no snippet {folder.name}/{path}."
        raise wrong(problem, f"Write the file, or correct the name.{closest(path, files)}")
    if not within.resolve().is_relative_to(folder.resolve()):
        problem = f"{folder.name}/{path} is a link that leads out of {folder.name}/."
        raise wrong(problem, "Put the file itself there.")
    return within


def _refuse_what_is_no_python(shown: str, text: str) -> None:
    try:
        ast.parse(text)
    except SyntaxError as error:
        problem = f"this is not Python: {error.msg}."
        raise refuse(shown, error.lineno, problem, "Correct the line.") from None


def _files(folder: Path) -> Iterator[Path]:
    return (
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )


def _unshowable(text: str) -> Iterator[tuple[int, str, str]]:
    """What a page or a copy of it would not keep to the byte: line, problem, remedy."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if "\r" in line:
            yield number, "the line ends with CR LF.", "Save the snippet with LF line ends."
        if match := _UNSHOWABLE.search(line):
            character = f"U+{ord(match[0]):04X}"
            yield number, f"the control character {character} cannot be shown.", "Remove it."
    if not text.strip():
        yield 1, "the snippet is empty.", "Write it, or take its block out of the page."
    elif not lines[0].strip():
        yield 1, "the snippet begins with a blank line.", "Remove it."
    elif lines[-1]:
        yield len(lines), "the last line has no line end.", "Add one."
    elif not lines[-2].strip():
        yield len(lines) - 1, "the snippet ends with a blank line.", "Remove it."
