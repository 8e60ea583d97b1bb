"""Every block of code of every page is a snippet, to the byte."""

from __future__ import annotations

import hashlib
import tomllib

import pytest
from bs4 import Tag

from built import LANGUAGES, BuiltPage, BuiltSite
from docs_build.project import this_project

pytest_plugins = ["site_fixtures"]
SNIPPETS = this_project().snippets
REASON_CODE = [
    kind
    for row in tomllib.loads((SNIPPETS / "reasons.toml").read_text("utf-8"))["reason"]
    for kind in ("metric", "case")
    if kind in row
]
"""What stands as code below the reason codes."""


def wrapper_of(pre: Tag) -> Tag:
    """The element around a block of code that says where it came from."""
    wrapper = next((tag for tag in pre.parents if tag.has_attr("data-snippet")), None)
    assert wrapper is not None, f"code that no test runs: {pre.get_text()[:60]!r}"
    return wrapper


def origin(pre: Tag) -> tuple[str, str | None]:
    """The snippet and the lines that a block of code says it shows."""
    wrapper = wrapper_of(pre)
    lines = wrapper.get("data-lines")
    return str(wrapper["data-snippet"]), None if lines is None else str(lines)


def text_of(pre: Tag, site: BuiltSite) -> str:
    """The text of the snippet, or of the part of it, that a block of code says it shows."""
    path, lines = origin(pre)
    text = (SNIPPETS / path).read_bytes().decode()
    if lines is not None:
        first, last = map(int, lines.split("-"))
        return "".join(text.splitlines(keepends=True)[first - 1 : last])
    if code := wrapper_of(pre).get("data-reason"):
        (row,) = (row for row in tomllib.loads(text)["reason"] if row["code"] == code)
        is_metric = "language-python" in wrapper_of(pre)["class"]
        return str(row["metric"] if is_metric else f"{row['case']}\n")
    for wheel in (site.folder / "en" / "download").glob("*.whl"):
        page = pre.find_parent("html")
        assert isinstance(page, Tag)
        address = f"{site.root_url}{page['lang']}/download/{wheel.name}"
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        text = text.replace("{wheel}", address).replace("{sha256}", digest)
    return text


def blocks(page: BuiltPage) -> list[tuple[str, str | None]]:
    return [origin(pre) for pre in page.found("pre")]


def test_every_block_of_code_equals_its_snippet(site: BuiltSite) -> None:
    count = 0
    for file, soup in site.documents.items():
        for pre in soup.find_all("pre"):
            assert pre.get_text() == text_of(pre, site), f"{file}: {origin(pre)[0]}"
            count += 1
    # In each language: the signature, code and cases of four examples, cases at five places, twelve
    # terminals, one of them on two pages; install and workflow; code for Python and pytest; and the
    # reasons that need more than a return value, or a case.
    assert count == 3 * (1 + 8 + 5 + 13 + 2 + 2 + len(REASON_CODE))


def test_every_snippet_is_shown_by_a_page(site: BuiltSite) -> None:
    files = {
        path.relative_to(SNIPPETS).as_posix()
        for path in SNIPPETS.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    tables = {"return_values.toml", "feedback.toml", "terminals.toml"}
    for language in LANGUAGES:
        shown = {path for url in site.all_urls for path, _ in blocks(site.page(language, url))}
        of_others = {
            path
            for path in files
            if path.startswith("terminal/") and not path.endswith(f".{language}.txt")
        }
        assert shown == files - tables - of_others


def test_no_code_stands_outside_a_pre(site: BuiltSite) -> None:
    for page in site.pages.values():
        for tag in page.soup.find_all(["textarea", "xmp", "listing", "plaintext", "samp", "kbd"]):
            pytest.fail(f"{page.address}: {tag}")
        for code in page.article.find_all("code"):
            assert "\n" not in code.get_text() or code.find_parent("pre"), page.address


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_shows_every_example_whole_and_in_order(site: BuiltSite, language: str) -> None:
    assert blocks(site.page(language)) == [
        ("signature.py", None),
        ("exact_match/metric.py", None),
        ("exact_match/cases.jsonl", None),
        ("several_checks/metric.py", None),
        ("several_checks/cases.jsonl", None),
        ("model_judge/metric.py", None),
        ("model_judge/cases.jsonl", None),
        ("weighted_reward/metric.py", None),
        ("weighted_reward/cases.jsonl", None),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_block_of_code_is_titled_with_its_file_name(site: BuiltSite, language: str) -> None:
    for pre in site.page(language).article.find_all("pre"):
        title = pre.find_previous_sibling("span", class_="filename")
        assert title is not None
        assert title.get_text() == origin(pre)[0].rpartition("/")[2]


@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("en", ["metric.py", "Cases", "Results"]),
        ("zh-Hans", ["metric.py", "用例", "结果"]),
        ("ru", ["metric.py", "Примеры", "Результаты"]),
    ],
)
def test_every_example_has_its_three_tabs(
    site: BuiltSite, language: str, labels: list[str]
) -> None:
    sets = site.page(language).article.select(".tabbed-set")
    assert len(sets) == 4
    for tabs in sets:
        assert [label.get_text() for label in tabs.select(".tabbed-labels label")] == labels
        code, cases, results = tabs.select(".tabbed-block")
        assert [origin(pre)[0].rpartition("/")[2] for pre in code.find_all("pre")] == ["metric.py"]
        assert [origin(pre)[0].rpartition("/")[2] for pre in cases.find_all("pre")] == [
            "cases.jsonl"
        ]
        assert len(results.find_all("table")) == 1
