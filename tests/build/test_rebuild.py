"""What a change makes MkDocs build again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from docs_build.rebuild import (
    WHOLE,
    Inputs,
    PageFacts,
    Work,
    completion,
    page_facts,
    unfinished,
    work,
)

INDEX = PageFacts("i1", frozenset({"start"}), frozenset({"a.md#part", "b.md#b"}))
A = PageFacts("a1", frozenset({"a", "part"}))
B = PageFacts("b1", frozenset({"b"}), frozenset({"index.md#start"}))
BEFORE = Inputs("s1", "c1", {"index.md": INDEX, "a.md": A, "b.md": B}, {"x.svg": "x1", "y": "y1"})
NOTHING = Work()


def pages(*names: str) -> Work:
    return Work(pages=frozenset(names))


def with_page(path: str, facts: PageFacts, before: Inputs = BEFORE) -> Inputs:
    return replace(before, pages={**before.pages, path: facts})


@pytest.mark.parametrize(
    ("after", "todo"),
    [
        (BEFORE, NOTHING),
        # Done to the pages afterwards, from what MkDocs has built.
        (replace(BEFORE, completion="c2"), NOTHING),
        # Shown by every page.
        (replace(BEFORE, shared="s2"), WHOLE),
        # Came or went.
        (with_page("c.md", B), WHOLE),
        (replace(BEFORE, pages={"index.md": INDEX, "a.md": A}), WHOLE),
        (replace(BEFORE, files={"x.svg": "x1"}), WHOLE),
        (replace(BEFORE, files={**BEFORE.files, "z": "z1"}), WHOLE),
        # Only copied.
        (replace(BEFORE, files={"x.svg": "x2", "y": "y1"}), Work(files=frozenset({"x.svg"}))),
        # Prose.
        (with_page("a.md", replace(A, digest="a2")), pages("a.md")),
        # An id more; one less that nobody links to; one less that the index links to.
        (with_page("a.md", replace(A, digest="a2", ids=A.ids | {"new"})), pages("a.md")),
        (with_page("a.md", PageFacts("a2", frozenset({"part"}))), pages("a.md")),
        (with_page("a.md", PageFacts("a2", frozenset({"a"}))), pages("a.md", "index.md")),
        # A link less; a new one to an id of another page, of the page itself, of no page at all.
        (with_page("index.md", replace(INDEX, digest="i2", links=frozenset())), pages("index.md")),
        (
            with_page("a.md", replace(A, digest="a2", links=frozenset({"b.md#b"}))),
            pages("a.md", "b.md"),
        ),
        (with_page("a.md", replace(A, digest="a2", links=frozenset({"a.md#a"}))), pages("a.md")),
        (with_page("a.md", replace(A, digest="a2", links=frozenset({"no.md#x"}))), pages("a.md")),
        # Front matter that the navigation of all pages shows, from now on or until now.
        (with_page("a.md", replace(A, digest="a2", everywhere=True)), WHOLE),
    ],
)
def test_a_change_makes_this_work(after: Inputs, todo: Work) -> None:
    assert work(BEFORE, after) == todo


def test_all_is_built_where_nothing_is_known() -> None:
    assert work(None, BEFORE) == WHOLE


def test_a_page_whose_front_matter_stands_in_the_navigation_makes_each_change_whole() -> None:
    before = with_page("a.md", replace(A, everywhere=True))
    after = with_page("b.md", replace(B, digest="b2"), before)
    assert work(before, after) == WHOLE
    assert work(before, before) == NOTHING


def test_what_was_begun_is_built_again_although_it_is_as_before() -> None:
    unsure = unfinished(BEFORE, Work(pages=frozenset({"a.md"}), files=frozenset({"y"})))
    assert work(unsure, BEFORE) == Work(pages=frozenset({"a.md"}), files=frozenset({"y"}))


def test_the_ids_of_the_last_good_build_stay_known_while_a_page_is_wrong() -> None:
    changed = with_page("a.md", PageFacts("a2", frozenset({"a"})))
    unsure = unfinished(BEFORE, work(BEFORE, changed))
    assert work(unsure, changed) == pages("a.md", "index.md")


def test_after_a_whole_build_that_was_begun_nothing_is_known() -> None:
    assert unfinished(BEFORE, WHOLE) is None


def test_what_is_completed_otherwise_is_completed_whole() -> None:
    after = with_page("a.md", replace(A, digest="a2"))
    assert completion(BEFORE, after) == pages("a.md")
    assert completion(BEFORE, BEFORE) == NOTHING
    assert completion(BEFORE, replace(BEFORE, completion="c2")) == WHOLE
    assert completion(None, BEFORE) == WHOLE


def test_inputs_can_be_written_down() -> None:
    inputs = with_page("a.md", replace(A, everywhere=True))
    assert Inputs.heard(json.loads(json.dumps(inputs.said))) == inputs


TEXT = """\
---
title: A page
status: {status}
---

# A page {{#a-page}}

Words {{: #words .big }} and <a id="raw"></a>, `## not {{#code}}`, [the other](../b.md#part),
[itself](#a-page), [out](https://example.org/x.md#y), [no id](c.md), [x](d%20e.md#%D1%8F "T").

``` {{ .python title="metric.py" data-snippet="x/metric.py" }}
# {{#not-an-id}} [no](no.md#link)
```

[later]: index.md#start
"""


def test_the_facts_of_a_page() -> None:
    facts = page_facts("concepts/a.md", TEXT.format(status=""))
    assert facts.ids == {"a-page", "words", "raw"}
    assert facts.links >= {"b.md#part", "concepts/d e.md#я", "concepts/index.md#start"}
    assert not any("no.md" in link or "c.md" in link for link in facts.links)
    assert facts.everywhere
    assert facts.digest != page_facts("concepts/a.md", TEXT.format(status="new")).digest


@pytest.mark.parametrize("line", ["title: X", "status-line: X", " status: X", "hide: [status]"])
def test_other_front_matter_is_of_the_page_alone(line: str) -> None:
    assert not page_facts("a.md", f"---\n{line}\n---\n\nstatus: X\n\n---\n").everywhere
