"""The twin of a page: the same text in Markdown that any reader of Markdown understands."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from docs_build.twins import read_staged, twin

FRONT_MATTER = "---\ntitle: T\ndescription: D.\n---\n\n"


def plain(text: str, path: str = "concepts/scorers.md") -> str:
    return twin(f"{FRONT_MATTER}{text}\n", PurePosixPath(path))


def test_a_twin_begins_with_the_title_and_ends_with_one_line_end() -> None:
    assert plain("# T {#t}\n\nText.\n\n") == "# T {#t}\n\nText.\n"


def test_the_front_matter_gives_title_and_description() -> None:
    staged = read_staged('---\ntitle: "A: b"\ndescription: D.\n---\n\n# A\n\n---\n\nEnd.\n')
    assert staged == ("A: b", "D.", "\n# A\n\n---\n\nEnd.\n")


def test_a_fence_keeps_the_language_and_the_name_of_the_file() -> None:
    code = '{ .python title="a.py" data-snippet="x/a.py" data-lines="1-2" }\n[b](c.md) "|"\n'
    assert plain(f"``` {code}```\n\nText.") == (
        '```python title="a.py"\n[b](c.md) "|"\n```\n\nText.\n'
    )


def test_a_fence_of_four_backticks_ends_with_four() -> None:
    text = '```` { .text title="a.txt" data-snippet="a.txt" }\n```\n!!! note "No note"\n````\n'
    assert plain(text) == '````text title="a.txt"\n```\n!!! note "No note"\n````\n'


def test_tabs_follow_each_other_below_their_titles() -> None:
    text = (
        '=== "metric.py"\n\n'
        '    ``` { .python title="metric.py" data-snippet="x/metric.py" }\n'
        "    if x:\n\n        return 1\n"
        "    ```\n\n"
        '=== "Results"\n\n'
        "    | Case |\n    | --- |\n    | 1 |\n\n"
        "After.\n"
    )
    assert plain(text) == (
        "**metric.py**\n\n"
        '```python title="metric.py"\nif x:\n\n    return 1\n```\n\n'
        "**Results**\n\n| Case |\n| --- |\n| 1 |\n\nAfter.\n"
    )


def test_a_note_is_a_quote() -> None:
    text = '!!! note "What it is"\n\n    One.\n\n    See [two](two.md).\n\nAfter.\n'
    assert plain(text) == (
        "> **What it is**\n>\n> One.\n>\n> See [two](../two/index.md).\n\nAfter.\n"
    )


def test_a_note_in_a_list_stays_in_it() -> None:
    text = '- One\n\n    ??? note "N"\n        Text.\n\n- Two\n'
    assert plain(text) == "- One\n\n    > **N**\n    >\n    > Text.\n\n- Two\n"


@pytest.mark.parametrize(
    ("path", "target", "expected"),
    [
        ("index.md", "concepts/scorers.md#a", "concepts/scorers/index.md#a"),
        ("concepts/scorers.md", "../index.md", "../../index.md"),
        ("concepts/scorers.md", "datasets.md#b", "../datasets/index.md#b"),
        ("concepts/scorers.md", "../guides/submit.md", "../../guides/submit/index.md"),
        ("concepts/scorers.md", "#here", "#here"),
        ("concepts/scorers.md", "picture.svg", "../picture.svg"),
        ("concepts/index.md", "scorers.md", "scorers/index.md"),
        ("index.md", "https://example.org/a.md", "https://example.org/a.md"),
        ("index.md", "mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_a_link_leads_from_twin_to_twin(path: str, target: str, expected: str) -> None:
    assert plain(f"See [x]({target}), [`y`]({target}).", path) == (
        f"See [x]({expected}), [`y`]({expected}).\n"
    )
    assert plain(f"[x]: {target}", path) == f"[x]: {expected}\n"


def test_inline_code_is_left_alone() -> None:
    assert plain("Write `[x](y.md)` or `` `<span>` ``.") == "Write `[x](y.md)` or `` `<span>` ``.\n"


def test_a_verdict_is_its_word() -> None:
    row = '| `1` | <span class="verdict verdict--invalid">No</span> | Why\\_not<br>x |'
    assert plain(row) == "| `1` | No | Why\\_not<br>x |\n"


def test_a_pipe_in_the_code_of_a_table_does_not_end_the_cell() -> None:
    assert plain("| `a | b` | c \\| d |\n\n`a | b`") == "| `a \\| b` | c \\| d |\n\n`a | b`\n"
