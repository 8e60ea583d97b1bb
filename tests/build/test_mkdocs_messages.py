"""What MkDocs says of staged pages is said of their sources, with the line where it can be told."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from docs_build.faults import Refusal
from docs_build.project import Project
from docs_build.site import mkdocs_messages, public_address, translated
from docs_build.stage import StagedPage
from small_sources import write

OUTPUT = """\
INFO    -  Cleaning site directory
WARNING -  The following pages exist in the docs directory, but are not included in the "nav":
  - ru/one.md
INFO    -  mkdocs_static_i18n: Translated 3 navigation elements to 'ru'
WARNING -  Doc file 'ru/one.md' contains a link 'no.md', but the target 'ru/no.md' is not found.

Aborted with 2 warnings in strict mode!
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(write(tmp_path, {"mkdocs.yml": "nav:\n  - A: one.md\n  - B: two.md\n"}))


@pytest.fixture
def page(project: Project) -> StagedPage:
    """A page whose staged line 4 came from line 2."""
    source = write(project.docs, {"ru/one.md": "a\n\n[x](no.md)\n"}) / "ru/one.md"
    staged = write(project.staged, {"ru/one.md": "a\nno.md\n\n[x](no.md)\n"}) / "ru/one.md"
    return StagedPage("ru", PurePosixPath("one.md"), source, staged, (1, 1, 2, 3, 4), frozenset())


def test_an_error_in_a_template_is_told_with_its_line(project: Project, page: StagedPage) -> None:
    template = project.root / "theme/main.html"
    message = f"""Traceback (most recent call last):
  File "{project.root}/theme/base.html", line 7, in block 'site'
  File "{template}", line 3, in template
    {{% extend "base.html" %}}
jinja2.exceptions.TemplateSyntaxError: Encountered unknown tag 'extend'.
"""
    error = "jinja2.exceptions.TemplateSyntaxError: Encountered unknown tag 'extend'."
    assert told(message, project, page) == [f"theme/main.html:3: {error} Mend it."]


def told(message: str, project: Project, page: StagedPage) -> list[str]:
    root = f"{project.root.as_posix()}/"
    return [str(fault).replace(root, "") for fault in translated(message, project, (page,))]


def test_progress_is_left_out_and_each_message_is_whole() -> None:
    nav, link = mkdocs_messages(OUTPUT)
    assert nav.endswith('"nav":\n  - ru/one.md')
    assert link.startswith("Doc file 'ru/one.md' contains a link")


@pytest.mark.parametrize("output", ["", "INFO    -  Documentation built in 0.1 seconds\n\n"])
def test_a_good_build_says_nothing(output: str) -> None:
    assert list(mkdocs_messages(output)) == []


def test_a_traceback_is_one_message() -> None:
    assert list(mkdocs_messages("Traceback:\n  line\nError: x\n")) == [
        "Traceback:\n  line\nError: x"
    ]


def test_a_broken_link_names_the_source_and_its_line(project: Project, page: StagedPage) -> None:
    _, link = mkdocs_messages(OUTPUT)
    (found,) = told(link, project, page)
    assert found.startswith("docs/ru/one.md:3: Doc file 'docs/ru/one.md' contains a link 'no.md'")


def test_a_page_without_a_place_in_nav_is_named(project: Project, page: StagedPage) -> None:
    nav, _ = mkdocs_messages(OUTPUT)
    assert told(nav, project, page) == [
        "docs/ru/one.md: the page has no place in nav. Add it to nav in mkdocs.yml, with its title."
    ]


def test_what_concerns_no_page_is_said_of_the_configuration(
    project: Project, page: StagedPage
) -> None:
    message = "A reference to 'two.md' is included in the 'nav' configuration, which is not found"
    (found,) = told(message, project, page)
    assert found.startswith("mkdocs.yml:3: A reference to 'two.md'")


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org/a/b/", "https://example.org/a/b/"),
        ("http://127.0.0.1:8000/guide", "http://127.0.0.1:8000/guide/"),
    ],
)
def test_a_public_address_ends_with_a_slash(given: str, address: str) -> None:
    assert public_address(given) == address


@pytest.mark.parametrize(
    "given",
    [
        "",
        "example.org",
        "/guide/",
        "ftp://example.org/",
        "https://",
        "https://a/?b",
        "https://a/ b",
        'https://a/"',
        "https://[a/",
        "https://a/#b",
        "https://a:0/",
        "https://a:65536/",
    ],
)
def test_what_is_no_public_address_is_refused(given: str) -> None:
    with pytest.raises(Refusal, match=r"SITE_URL: .* is not the address of a site"):
        public_address(given)
