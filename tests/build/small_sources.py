"""Small snippets, pages and catalogs in a temporary folder, for the tests of the build."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_build.faults import Fault, Refusal
from docs_build.renderings import Sources
from skynet_stub.messages import catalog

METRIC = 'def score(input, output, expected=None):\n    return 1.0, {"feedback": "Fine."}\n'
CASES = '{"input": {}, "output": "a", "result": {"score": 1.0, "feedback": "Fine."}}\n'
SNIPPETS = {
    "good/metric.py": METRIC,
    "good/cases.jsonl": CASES,
    "plain.py": "first = 1\n\nthird = 3\n",
    "return_values.toml": '[[row]]\nvalue = "(1, {})"\nvalid = false\nreason = "no-feedback"\n',
    "feedback.toml": (
        '[[pair]]\nid = "one"\n'
        '[pair.weak]\nen = "Bad."\nzh-Hans = "差。"\nru = "Плохо."\n'
        '[pair.useful]\nen = "Say more."\nzh-Hans = "多说些。"\nru = "Скажите больше."\n'
    ),
}
PAGE = "---\ntitle: Page\ndescription: A page.\n---\n\n# Page {#page}\n"


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files into a folder, and give the folder back."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def sources(tmp_path: Path, language: str = "en", **others: str | bytes) -> Sources:
    """The small snippets, some of them replaced."""
    return Sources(write(tmp_path / "snippets", SNIPPETS | others), catalog(language))


def the_fault(caught: pytest.ExceptionInfo[Refusal]) -> Fault:
    """The only fault of a refusal."""
    (fault,) = caught.value.faults
    return fault
