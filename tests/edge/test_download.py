"""The wheel installs from the address that the pages give, and checks a metric in each language."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distributions
from pathlib import Path
from threading import Thread

import pytest

from docs_build.blocks import resolve
from docs_build.project import Project, this_project
from docs_build.renderings import Sources
from docs_build.wheel import DOWNLOADS, Wheel, wheel_of
from skynet_stub.messages import LANGUAGES, catalog

ROOT = this_project().root
PASSED = {
    "en": "The metric keeps the contract.",
    "zh-Hans": "指标符合契约。",
    "ru": "Метрика соблюдает контракт.",
}


# `python3 -m venv FOLDER` as Python does it, but for the pip in it, which Python takes longer to
# unpack than all else here takes: it is that of the tests.
MAKE_ENVIRONMENT = """\
#!/bin/sh -e
test "$1 $2 $#" = "-m venv 3"
{python} -m venv --without-pip "$3"
cp -Rp {packages}/pip {packages}/pip-*.dist-info "$3"/lib/python*/site-packages
printf '%s\\n' "#!$PWD/$3/bin/python" 'from pip._internal.cli.main import main' 'exit(main())' \\
    >"$3/bin/pip"
chmod +x "$3/bin/pip"
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A host of static files at a free port of this machine; its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Wheel:
    folder = tmp_path_factory.mktemp("wheel")
    found = wheel_of(Project(ROOT, os.path.relpath(folder, ROOT)))
    assert found is not None
    return found


def commands(root_url: str, wheel: Wheel, block: str) -> list[str]:
    """The commands of a block of the page, as a reader copies them."""
    sources = Sources(ROOT / "snippets", catalog("ru"), root_url, wheel)
    lines = resolve(f"::: {block}", "page.md", sources).text.split("\n")
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")] or [
        line.partition("run: ")[2] for line in lines if "run: pip" in line
    ]


def shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script as a reader would, with the Python of the tests, and no index of packages."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    python = shlex.quote(str(Path(sys.base_prefix, "bin", "python3")))
    packages = shlex.quote(sysconfig.get_path("purelib"))
    (programs / "python3").write_text(MAKE_ENVIRONMENT.format(python=python, packages=packages))
    (programs / "python3").chmod(0o755)
    own = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_CONFIG_FILE": os.devnull}
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=folder,
        env=os.environ | own | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_the_commands_of_the_page_install_a_stub_that_checks_a_metric(
    wheel: Wheel, tmp_path: Path
) -> None:
    site, home = tmp_path / "site", tmp_path / "home"
    (site / "ru" / DOWNLOADS).mkdir(parents=True)
    (site / "ru" / DOWNLOADS / wheel.name).write_bytes(wheel.data)
    shutil.copytree(ROOT / "snippets" / "exact_match", home)
    with served(site) as root_url:
        installed = shell(home, "\n".join(commands(root_url, wheel, "install")))
        assert installed.returncode == 0, installed.stdout
        (with_digest,) = commands(root_url, wheel, "workflow")
        again = with_digest.replace("pip install", ".venv/bin/pip install --force-reinstall")
        installed = shell(home, again)
        assert installed.returncode == 0, installed.stdout
        broken = shell(home, again.replace(wheel.sha256, "0" * 64))
        assert broken.returncode != 0
        assert "HASH" in broken.stdout.upper()
    for language in LANGUAGES:
        checked = shell(home, f".venv/bin/skynet-stub check metric.py --lang {language}")
        assert checked.returncode == 0, checked.stdout
        assert PASSED[language] in checked.stdout
    (packages,) = home.glob(".venv/lib/python*/site-packages")
    names = {found.name for found in distributions(path=[str(packages)])}
    assert names == {"pip", "skynet-stub"}
