"""Fixtures: the pages of this project as they are staged, without a site."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from docs_build.faults import Refusal
from docs_build.files import write_if_changed
from docs_build.project import Project, this_project
from docs_build.stage import stage
from docs_build.wheel import wheel_inputs


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, str], str]:
    """The text of each staged page, by language and by name, such as `concepts/scorers`."""
    project = Project(this_project().root, str(tmp_path_factory.mktemp("staged")))
    # No prose depends on the wheel: an empty one, as if it had been built already.
    write_if_changed(project.build / "wheel" / wheel_inputs(project) / "skynet_stub.whl", b"")
    try:
        staging = stage(project)
    except Refusal as refusal:
        raise pytest.fail.Exception(str(refusal), pytrace=False) from None
    return {
        (page.language, page.path.with_suffix("").as_posix()): page.staged.read_text("utf-8")
        for page in staging.pages
    }
