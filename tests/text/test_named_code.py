"""What pages name in code is what its owner calls it, and the same in every language."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from docs_build.blocks import inline_code
from docs_build.project import this_project
from drill.statements import sections
from skynet_stub.calling import ARGUMENTS
from skynet_stub.cases import CASE_FIELDS, CASE_KEYS, MEASURED_KEYS, RESULT_KEYS, Measured
from skynet_stub.check import CASES_FILE_NAME
from skynet_stub.command import FAILED, INTERRUPTED, PASSED, REFUSED, main
from skynet_stub.helpers import Helpers
from skynet_stub.messages import LANGUAGES
from skynet_stub.metric_file import FILE_NAME, FUNCTION_NAME, SPEC_NAME
from skynet_stub.options import FORMATS
from skynet_stub.pins import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE
from skynet_stub.reward import PARTS, SPEC_KEYS, reward

ROOT = this_project().root
PAGES = sorted(
    path.relative_to(this_project().docs / "en").with_suffix("").as_posix()
    for path in (this_project().docs / "en").rglob("*.md")
)
CURVE = "1 / (1 + measured / reference)"
# What belongs to Python, to JSON, to the platform, to public libraries, or to an example's data.
OTHERS = {
    *("None", "bool", "int", "float", "float(...)", "Decimal", "numpy.float32", "null"),
    *("run", "run(artifact, input)", "gepa", "gepa.optimize", "dspy"),
    *("label", "fields", "format", 'expected["label"]', 'expected["fields"]'),
    *('input["question"]', "input=", '{"format": 1.0, "accuracy": 0.5}'),
    *("return 0.8", "NaN", "Infinity", "NO_COLOR", CURVE),
}


def page(language: str, name: str) -> str:
    return (this_project().docs / language / f"{name}.md").read_text("utf-8")


def code_of(markdown: str) -> Counter[str]:
    return Counter(code for line in markdown.split("\n") for code in inline_code(line))


def known() -> Iterator[str]:
    """All names that this project gives."""
    yield from (FILE_NAME, FUNCTION_NAME, SPEC_NAME, CASES_FILE_NAME, "skynet", *LANGUAGES)
    yield from (*ARGUMENTS, *CASE_KEYS, *RESULT_KEYS, *SPEC_KEYS)
    yield from (f'"{key}"' for key in RESULT_KEYS)
    yield from (f"{part}.reference" for part in PARTS)
    yield from (f".{name}" for name in Measured.__match_args__)
    helpers = Helpers().module().__dict__["__all__"]
    yield from (*helpers, *(f"{name}()" for name in helpers))
    yield f"score({', '.join(ARGUMENTS[:2])})"
    yield f"reward({SPEC_NAME}, accuracy, feedback)"
    yield from (f"{field}" for field in CASE_FIELDS)
    yield from map(str, (PASSED, FAILED, REFUSED, INTERRUPTED))
    yield from (
        "reason",
        "skynet_stub",
        "skynet_stub/report.schema.json",
    )  # see test_built_reference
    tolerances = f"rel_tol={RELATIVE_TOLERANCE!r}, abs_tol={ABSOLUTE_TOLERANCE!r}"
    yield f"math.isclose(pinned, returned, {tolerances})"
    yield "{" + ", ".join(f'"{key}": …' for key in MEASURED_KEYS) + "}"


@cache
def options() -> frozenset[str]:
    """The options of the command, as its help shows them, and those of the plugin."""
    plugin = (ROOT / "skynet_stub" / "pytest_plugin.py").read_text("utf-8")
    of_plugin = re.findall(r'addoption\(\s*"(--[a-z-]+)"[^)]*?metavar="([A-Z]+)"', plugin)
    source = (ROOT / "skynet_stub" / "options.py").read_text("utf-8")
    words = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    found = {word for word in words if isinstance(word, str) and re.fullmatch(r"--[a-z-]+", word)}
    found |= {f"--format {form}" for form in FORMATS}
    return frozenset(found | {f"{name} {value}" for name, value in of_plugin})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_code_in_the_text_of_a_page_is_known_to_its_owner(name: str, language: str) -> None:
    commands = {f"python -m skynet_stub check {FILE_NAME}", f"skynet-stub check {FILE_NAME}"}
    commands |= {f"{command} --all" for command in commands}
    commands |= {"skynet-stub", "python -m skynet_stub", "skynet-stub init"}
    commands |= {"skynet-stub init FOLDER"}
    unknown = set(code_of(page(language, name))) - set(known()) - OTHERS - options() - commands
    assert not unknown, f"docs/{language}/{name}.md names what nothing is called: {unknown}"


def test_every_other_name_that_is_let_pass_stands_on_a_page() -> None:
    assert {code for name in PAGES for code in code_of(page("en", name))} >= OTHERS


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("name", PAGES)
def test_a_section_names_the_same_code_in_every_language(name: str, language: str) -> None:
    source, translation = sections(page("en", name)), sections(page(language, name))
    assert list(source) == list(translation)
    for heading, text in source.items():
        assert code_of(translation[heading]) == code_of(text), f"docs/{language}/{name}#{heading}"


def test_the_commands_that_pages_name_are_there(tmp_path: Path) -> None:
    metric = tmp_path / FILE_NAME
    metric.write_text('def score(input, output):\n    return 1, {"feedback": "Fine."}\n', "utf-8")
    (tmp_path / CASES_FILE_NAME).write_text('{"input": {}, "output": 1}\n', "utf-8")
    assert main(["check", str(metric)]) == 0
    assert main(["check", str(metric), "--all", "--lang", "ru", "--timeout", "9"]) == 0
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert '\nskynet-stub = "skynet_stub.' in project
    assert "\ncatalogs: " in (ROOT / "Makefile").read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("measured", "reference"), [(0, 4), (1, 4), (4, 4), (12, 4)])
def test_the_curve_on_the_pages_is_that_of_the_stub(
    language: str, measured: float, reference: float
) -> None:
    (formula,) = (code for code in code_of(page(language, "concepts/scorers")) if "/" in code)
    spec = {
        "weights": {"accuracy": 0, "speed": 1, "cost": 0},
        "accuracy": {},
        "speed": {"reference": reference},
        "cost": {"reference": 1},
    }
    score, _ = reward(spec, 1.0, "", Measured(ms=measured))
    assert score == pytest.approx(eval(formula, {"measured": measured, "reference": reference}))


SECONDS = re.compile(
    r"\d+(?:\.\d+)?[ -]?(?:seconds?\b|s\b)|\d+(?:\.\d+)? ?秒|\d+(?:[.,]\d+)? секунд", re.IGNORECASE
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_gives_a_number_of_seconds_of_its_own(language: str) -> None:
    for name in PAGES:
        found = SECONDS.search(page(language, name).replace("\N{NO-BREAK SPACE}", " "))
        assert not found, f"docs/{language}/{name}.md: {found}; write ::: limits"


@pytest.mark.parametrize(
    "text", ["It takes 90 seconds.", "a 60-second limit", "共 60 秒", "до 600 секунд"]
)
def test_a_number_of_seconds_is_found(text: str) -> None:
    assert SECONDS.search(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_python_that_pages_ask_for_is_that_of_the_package(language: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pages = (page(language, name).replace("\N{NO-BREAK SPACE}", " ") for name in PAGES)
    found = {version for text in pages for version in re.findall(r"Python (\d+\.\d+)", text)}
    assert {f">={version}" for version in found} == {project["requires-python"]}
