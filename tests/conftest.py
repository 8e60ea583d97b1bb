"""What holds for every test: how Hypothesis draws its examples, and how workers share the tests."""

from __future__ import annotations

import sys

import pytest
from hypothesis import settings
from proofs import Proofs, wanted

# The tests of these files share what is costly to make, so one worker runs all of a file; the other
# tests go to whichever worker is free. (pytest-xdist 3.8 has marks for it, which do nothing under
# pytest 9.2.)
IN_ONE_WORKER = ("tests/site/", "tests/browser/test_every_page.py", "tests/edge/test_package.py")

# A shared machine is slow at times, so no example has a deadline. (Under CI=true Hypothesis takes
# its own profile "ci", which draws the same examples each time and keeps no database.)
settings.register_profile("patient", deadline=None)

if sys.platform == "emscripten":
    settings.load_profile("ci")
elif settings.get_current_profile_name() == "default":
    settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    """Where all tests are run, those that prove a statement of the guide must be among them."""
    if wanted(config):
        from drill.statements import read_statements, tests_to_run

        config.pluginmanager.register(Proofs(tests_to_run(read_statements())))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Hand out the tests, file by file where IN_ONE_WORKER says so."""
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("::")[0] if nodeid.startswith(IN_ONE_WORKER) else nodeid

    return Scheduling(config, log)
