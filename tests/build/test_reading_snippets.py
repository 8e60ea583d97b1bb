"""A snippet is shown to the byte, or refused with its own line or the line that asked for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_build.converter import markdown_of
from docs_build.faults import Refusal
from docs_build.project import this_project
from docs_build.snippets import Place, fence, read_snippet
from small_sources import the_fault, write

HERE = Place("docs/en/page.md", 7)


def refused(folder: Path, path: str) -> tuple[str, int | None, str, str]:
    with pytest.raises(Refusal) as caught:
        read_snippet(folder, path, HERE)
    fault = the_fault(caught)
    return fault.file, fault.line, fault.problem, fault.remedy


@pytest.fixture
def snippets(tmp_path: Path) -> Path:
    files = {"exact/metric.py": "a = 1\n", "lines.py": "one\ntwo\n\nfour\n"}
    return write(tmp_path / "snippets", files)


def test_a_missing_snippet_is_refused_with_the_closest_name(snippets: Path) -> None:
    file, line, problem, remedy = refused(snippets, "exact/metrics.py")
    assert (file, line) == ("docs/en/page.md", 7)
    assert problem == "there is no snippet snippets/exact/metrics.py."
    assert remedy.endswith("Did you mean exact/metric.py?")


@pytest.mark.parametrize(
    "path", ["../secret.py", "exact/../../secret.py", "/etc/hostname", "./lines.py", "a\\b", "a b"]
)
def test_a_path_that_could_lead_out_of_the_snippets_is_refused(snippets: Path, path: str) -> None:
    file, line, problem, _ = refused(snippets, path)
    assert (file, line) == ("docs/en/page.md", 7)
    assert problem == f"{path} is not a path inside snippets/."


def test_a_link_that_leads_out_of_the_snippets_is_refused(snippets: Path) -> None:
    write(snippets.parent, {"secret.py": "x = 1\n"})
    (snippets / "link.py").symlink_to(snippets.parent / "secret.py")
    assert refused(snippets, "link.py")[2] == (
        "snippets/link.py is a link that leads out of snippets/."
    )


def test_a_folder_linked_from_outside_is_refused(snippets: Path) -> None:
    write(snippets.parent, {"outside/metric.py": "x = 1\n"})
    (snippets / "linked").symlink_to(snippets.parent / "outside")
    assert "leads out of snippets/" in refused(snippets, "linked/metric.py")[2]


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (b"\xef\xbb\xbfx = 1\n", 1, "the snippet begins with a byte order mark."),
        (b"x = 1\ny = '\xe9'\n", 2, "byte 0xe9 is not UTF-8."),
        (b"x = 1\ny = 2\r\n", 2, "the line ends with CR LF."),
        (b"x = 1\n\x0cy = 2\n", 2, "the control character U+000C cannot be shown."),
        (b"", 1, "the snippet is empty."),
        (b" \n\n", 1, "the snippet is empty."),
        (b"\nx = 1\n", 1, "the snippet begins with a blank line."),
        (b"x = 1\ny = 2", 2, "the last line has no line end."),
        (b"x = 1\n\n", 2, "the snippet ends with a blank line."),
    ],
)
def test_what_a_page_could_not_show_to_the_byte_is_refused(
    snippets: Path, content: bytes, line: int, problem: str
) -> None:
    write(snippets, {"bad.py": content})
    assert refused(snippets, "bad.py")[:3] == ("snippets/bad.py", line, problem)


def test_a_snippet_that_is_not_python_is_refused_with_its_line(snippets: Path) -> None:
    write(snippets, {"bad.py": "x = 1\ndef score(input, output:\n    pass\n"})
    assert refused(snippets, "bad.py")[:3] == (
        "snippets/bad.py",
        2,
        "this is not Python: '(' was never closed.",
    )


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ((1, 5), "lines=1-5: lines.py has only 4 lines."),
        ((4, 2), "lines=4-2 is reversed."),
        ((0, 2), "lines=0-2: lines are counted from 1."),
        ((3, 3), "lines=3-3: line 3 of lines.py is blank."),
        ((1, 3), "lines=1-3: line 3 of lines.py is blank."),
    ],
)
def test_a_range_of_lines_that_is_not_there_is_refused(
    snippets: Path, lines: tuple[int, int], problem: str
) -> None:
    with pytest.raises(Refusal) as caught:
        fence(read_snippet(snippets, "lines.py", HERE), lines, HERE)
    fault = the_fault(caught)
    assert (fault.file, fault.line, fault.problem) == ("docs/en/page.md", 7, problem)


def test_a_block_of_code_says_where_it_came_from(snippets: Path) -> None:
    found = fence(read_snippet(snippets, "lines.py", HERE), (1, 2), HERE)
    assert found == (
        '``` { .python title="lines.py" data-snippet="lines.py" data-lines="1-2" }\none\ntwo\n```\n'
    )


NASTY = (
    'x = "&amp; <b> ``` `a`"\n\tdef f():   \n    \n> quote\n    ::: example\n'
    "*a* {#id}\n# H {#x}\n~~~~\na\n````\n[x]: y\n<!-- c --> </pre> \\` | \u3000。\n"
)


@pytest.mark.parametrize("indent", ["", "    "])
def test_the_page_shows_the_bytes_of_the_snippet(snippets: Path, indent: str) -> None:
    bs4 = pytest.importorskip("bs4")
    write(snippets, {"nasty.txt": NASTY})
    block = fence(read_snippet(snippets, "nasty.txt", HERE), None, HERE)
    lines = [f"{indent}{line}" if line else line for line in block.split("\n")]
    page = "\n".join(['=== "Tab"\n' if indent else "Text", "", *lines])
    html = markdown_of(this_project().configuration).convert(page)
    (pre,) = bs4.BeautifulSoup(html, "html.parser").find_all("pre")
    assert pre.get_text() == NASTY
    assert pre.parent["data-snippet"] == "nasty.txt"
