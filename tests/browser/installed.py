"""What the browser's tests need of a machine; a test that has to do without says how to get it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
ON_A_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
NO_CHROMIUM = (
    "no Chromium: install one (Debian: apt-get install chromium fonts-noto-cjk), "
    "or set CHROMIUM to the program of a Chromium or Chrome"
)
NODE_MODULES = Path(__file__).parents[2] / "node_modules"


def find_chromium() -> str | None:
    """The program of an installed Chromium, if there is one; where CHROMIUM is set, it names it."""
    named = os.environ.get("CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else [*NAMES, ON_A_MAC])), None)


def chromium_program() -> str:
    """The program of an installed Chromium, for a test."""
    program = find_chromium()
    if program is None and os.environ.get("CHROMIUM"):
        pytest.fail(f"CHROMIUM={os.environ['CHROMIUM']} is no program")
    return program or do_without(NO_CHROMIUM)


def node_module(path: str) -> Path:
    """A file of a package of package-lock.json."""
    file = NODE_MODULES / path
    if not file.is_file():
        do_without(f"{file} is missing: install Node and npm, then run `make test`")
    return file


def do_without(lack: str) -> NoReturn:
    """Skip a test that this machine cannot run; under CI that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(lack)
    pytest.skip(lack)
