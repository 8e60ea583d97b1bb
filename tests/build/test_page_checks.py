"""What a page must not hold is refused with its line, and with what to write instead."""

from __future__ import annotations

import pytest

from docs_build.converter import markdown_of
from docs_build.faults import Fault, Refusal
from docs_build.page_checks import check_page, read_page
from docs_build.project import this_project
from small_sources import PAGE

MARKDOWN = markdown_of(this_project().configuration)
FIRST = 8  # the line on which the text after the heading of PAGE begins


def faults(text: str, language: str = "en") -> list[Fault]:
    """The faults of a page with this text after its heading and a blank line."""
    file = f"docs/{language}/concepts/page.md"
    page = read_page(f"{PAGE}\n{text}\n".encode(), file, language)
    try:
        check_page(page, MARKDOWN)
    except Refusal as refusal:
        return list(refusal.faults)
    return []


def fault(text: str, language: str = "en") -> tuple[int | None, str]:
    (found,) = faults(text, language)
    return found.line, f"{found.problem} {found.remedy}"


@pytest.mark.parametrize(
    "text",
    [
        "Text with `code` and ``a ` b`` and `<pre>` and `::: example`.",
        "- a list\n\n    its paragraph, indented by four\n\n    - and a list in it",
        '!!! note "Title"\n\n    Text inside.\n\n    - A list.',
        "1. One\n2. Two\n\n    More of two.",
        "| a | b |\n| :-- | --: |\n| `x|y` | z |",
        "## Part {#part}\n\n### Smaller {#smaller}\n\n[a](../index.md) [b](#part)",
        "<!-- a comment -->\n\nText ~~~ and --- here.",
        "A paragraph of English\nthat is wrapped.",
    ],
)
def test_an_ordinary_page_is_let_pass(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "```\nx\n```",
        "```python\nx\n```",
        "~~~\nx\n~~~",
        "````\nx\n````",
        "``` { .python }\nx\n```",
        "- item\n\n    ```\n    x\n    ```",
        "- ```\n  x\n  ```",
        "1. ~~~\n   x\n   ~~~",
        "> ```\n> x\n> ```",
        '!!! note "Title"\n\n    ```\n    x\n    ```',
        '=== "Tab"\n\n    ~~~ python\n    x\n    ~~~',
    ],
)
def test_a_code_fence_is_refused_wherever_it_stands(text: str) -> None:
    found = faults(text)
    assert found
    assert all("code stands in a page only as a snippet" in fault.problem for fault in found)
    assert all("::: snippet PATH" in fault.remedy for fault in found)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("    x = 1", FIRST),
        ("\tx = 1", FIRST),
        ("Text.\n\n    x = 1\n    y = 2", FIRST + 2),
        ("- item\n\n        x = 1", FIRST + 2),
        ('!!! note "Title"\n\n        x = 1', FIRST + 2),
        (">     x = 1", FIRST),
    ],
)
def test_code_by_indentation_is_refused(text: str, line: int) -> None:
    found_line, found = fault(text)
    assert found_line == line
    assert "indented by four blanks or more, this is code" in found


@pytest.mark.parametrize("tag", ["pre", "code", "PRE", "samp", "kbd", "textarea", "xmp"])
def test_code_as_html_is_refused(tag: str) -> None:
    line, found = fault(f"Text.\n\nMore <{tag}>x = 1</{tag}> text.")
    assert line == FIRST + 2
    assert f"<{tag}>: code stands in a page only as a snippet" in found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('<a href="x.md">x</a>', "a link is typed as HTML"),
        ('<img src="x.png">', "an image is typed as HTML"),
        ("<script>x</script>", "does not belong into a page"),
        ("Text <tt>x = 1</tt>.", "<tt>: this element does not belong into a page"),
        ("<div>x = 1</div>", "<div>: this element does not belong into a page"),
        ('<span style="white-space: pre">x</span>', "a style is typed into the page"),
        ("[x](y.md){: style='white-space: pre' }", "a style is typed into the page"),
        ("Text `x = 1\ny = 2` text.", "code in backticks goes on over a line end"),
        ('<h2 id="x">X</h2>', "a heading is typed as HTML"),
        ('--8<-- "x.py"', "an include that is not ours"),
    ],
)
def test_html_and_includes_that_nothing_would_check_are_refused(text: str, problem: str) -> None:
    line, found = fault(text)
    assert line == FIRST
    assert problem in found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("## Part", "the heading has no id. End it with one"),
        ("##Part", "the heading has no id."),
        ("## Part {: #part }", "the heading has no id."),
        ("## Part {#Part}", "the id Part of the heading is not a plain one."),
        ("## Part {#часть}", "the id часть of the heading is not a plain one."),
        ("Part\n----", "a heading in a form that is not ours."),
        ("- ## Part", "a heading in a form that is not ours."),
        ("> ## Part", "a heading in a form that is not ours."),
        ("＃＃ Part", "a full-width ＃ begins the line."),
        ("## Part {＃part}", "a full-width sign stands in an attribute list"),
        ("## Part {#“part”}", "the curly quote “ stands in an attribute list"),
    ],
)
def test_a_heading_without_a_plain_id_is_refused(text: str, problem: str) -> None:
    found = faults(text)
    assert any(problem in f"{fault.problem} {fault.remedy}" for fault in found)
    assert {fault.line for fault in found} == {FIRST}


@pytest.mark.parametrize(
    "text", ["## Part {#page}", "Text\n{: #page }", '<span id="page">x</span>', "[x](#page){#page}"]
)
def test_an_id_that_stands_twice_is_refused(text: str) -> None:
    _, found = fault(text)
    assert found == "the id page stands here again, after line 6. Give each its own."


def test_a_page_has_exactly_one_heading_of_the_first_level() -> None:
    line, found = fault("# Other {#other}")
    assert line is None
    assert "the page has 2 headings of the first level." in found


@pytest.mark.parametrize(
    "text",
    ["Text\n{: .note title=“x” }", "[x](y.md){ title=”x“ }", "![x](y.png){ .left title=«x» }"],
)
def test_a_curly_quote_in_an_attribute_list_is_refused(text: str) -> None:
    _, found = fault(text)
    assert "stands in an attribute list" in found
    assert 'Write a straight one: "' in found


@pytest.mark.parametrize("text", ["Read `expected[“label”]`.", "| `a` | ``«b» ` `` |", "- `'a’`"])
def test_a_curly_quote_in_inline_code_is_refused(text: str) -> None:
    line, found = fault(text)
    assert line == FIRST
    assert "stands in code" in found
    assert "Write a straight one." in found


@pytest.mark.parametrize(
    "text",
    ["!!! note", "!!! note “Title”", "!!! note 'Title'", "??? tip", '!!!note"Title"', "=== “Tab”"],
)
def test_a_note_or_a_tab_without_a_title_in_straight_quotes_is_refused(text: str) -> None:
    line, found = fault(f"{text}\n\n    Text.")
    assert line == FIRST
    assert "without a title in straight quotes. Write " in found


@pytest.mark.parametrize(
    "text",
    [
        "第一行\n第二行。",
        "- 列表项\n  接着写。",
        "> 引用，\n> 还是引用。\n还有。",
        "English\n中文。",
        "标题在前：\n`code` 在后。",
    ],
)
def test_a_chinese_paragraph_on_several_lines_is_refused(text: str) -> None:
    _, found = fault(text, "zh-Hans")
    assert "a Chinese paragraph goes on here" in found


@pytest.mark.parametrize(
    "text",
    [
        "一段。\n\n另一段。",
        "- 一\n- 二\n    - 三",
        "1. 一\n2. 二",
        "| 甲 | 乙 |\n| --- | --- |\n| 一 | 二 |",
        '!!! note "标题"\n\n    正文。',
        "**粗体。**后文。",
        "第一行  \n第二行。",
    ],
)
def test_chinese_that_is_not_wrapped_is_let_pass(text: str) -> None:
    assert faults(text, "zh-Hans") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[x](../../en/index.md)", "the link ../../en/index.md leads out of the pages of ru."),
        ("[x](../../../README.md)", "leads out of the pages of ru."),
        ("[x](y.md“)", "the curly quote “ stands in the link y.md“."),
    ],
)
def test_a_link_out_of_the_language_is_refused(text: str, problem: str) -> None:
    line, found = fault(text, "ru")
    assert line == FIRST
    assert problem in found


@pytest.mark.parametrize(
    ("data", "line", "problem"),
    [
        (b"\xef\xbb\xbf---\n", 1, "the page begins with a byte order mark."),
        (PAGE.encode() + b"\nna\xefve\n", 8, "byte 0xef is not UTF-8."),
        (PAGE.encode() + b"\nText\r\n", 8, "the line ends with CR LF."),
        (b"# Page {#page}\n", 1, "the page has no front matter."),
        (b"---\ntitle: x\n# Page {#page}\n", 1, "the page has no front matter."),
        (b"---\ntitle: x\n---\n", 1, "the front matter has no description."),
        (b"---\ndescription: x\n---\n", 1, "the front matter has no title."),
        (b"---\ntitle: ''\ndescription: x\n---\n", 1, "the front matter has no title."),
        (b"---\ntitle: x\ndescription: a: b\n---\n", 3, "the front matter is not YAML:"),
    ],
)
def test_a_page_that_cannot_be_read_is_refused(data: bytes, line: int, problem: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_page(data, "docs/en/page.md", "en")
    (found,) = caught.value.faults
    assert (found.file, found.line) == ("docs/en/page.md", line)
    assert found.problem.startswith(problem)


def test_all_faults_of_a_page_are_named_in_order() -> None:
    found = faults("## One\n\n```\nx\n```\n\n## Two")
    assert [fault.line for fault in found] == [8, 10, 12, 14]
