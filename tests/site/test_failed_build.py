"""A warning fails the build, names the source, and leaves the earlier site alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_build.faults import Refusal
from docs_build.project import Project
from docs_build.site import build_site
from sample_pages import sample_site


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The sources of a small site to break."""
    return sample_site(tmp_path)


def append(path: Path, text: str) -> int:
    """Append a paragraph to a page; its line."""
    before = path.read_text("utf-8")
    path.write_text(f"{before}\n{text}\n", "utf-8")
    return before.count("\n") + 2


def test_warnings_name_the_source_and_its_line_and_the_site_stays(project: Project) -> None:
    project.site.mkdir()
    (project.site / "earlier.html").write_text("earlier", "utf-8")
    guide = project.docs / "ru/concepts/sample.md"
    link = append(guide, "См. [страницу](nowhere.md).")
    anchor = append(guide, "См. [раздел](../index.md#nowhere).")
    here = append(guide, "См. [раздел](#not-here).")
    absolute = append(guide, "См. [раздел](/en/).")
    extra = project.docs / "en/extra.md"
    extra.write_text("---\ntitle: X\ndescription: X.\n---\n\n# X {#x}\n", "utf-8")
    with pytest.raises(Refusal) as caught:
        build_site(project)
    root = f"{project.root.as_posix()}/"
    found = {(fault.file.removeprefix(root), fault.line) for fault in caught.value.faults}
    assert found == {
        ("docs/ru/concepts/sample.md", link),
        ("docs/ru/concepts/sample.md", anchor),
        ("docs/ru/concepts/sample.md", here),
        ("docs/ru/concepts/sample.md", absolute),
        ("docs/en/extra.md", None),
    }
    assert not (project.build / "site").exists()
    assert "build/staged" not in str(caught.value)
    assert [path.name for path in project.site.iterdir()] == ["earlier.html"]


def test_a_broken_configuration_is_named_with_its_line(project: Project) -> None:
    text = project.configuration.read_text("utf-8")
    project.configuration.write_text(text.replace("theme:\n", "theme: [\n"), "utf-8")
    with pytest.raises(Refusal, match=r"mkdocs\.yml:\d+: this is not YAML"):
        build_site(project)
    assert not project.site.exists()
