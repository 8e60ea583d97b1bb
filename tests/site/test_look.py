"""The colours of the guide have enough contrast in both schemes, and verdicts do without them."""

from __future__ import annotations

import re

import pytest

from docs_build.project import this_project

CSS = (this_project().root / "theme" / "assets" / "guide.css").read_text("utf-8")
ENOUGH = 4.5  # WCAG 2.2, level AA, for text of ordinary size
TOKENS = ["comment", "constant", "function", "generic", "keyword", "name", "number", "operator"]
TOKENS += ["punctuation", "special", "string", "variable"]
ON_PAGE = ["--md-default-fg-color", "--md-default-fg-color--light", "--md-typeset-a-color"]
ON_PAGE += ["--md-accent-fg-color", "--guide-valid", "--guide-invalid"]


def colours(scheme: str) -> dict[str, str]:
    block = re.search(rf'\[data-md-color-scheme="{scheme}"\] \{{(.*?)\}}', CSS, re.DOTALL)
    assert block is not None
    found = dict(re.findall(r"(--[a-z-]+): (#[0-9a-f]{6});", block[1]))
    return {"--md-default-bg-color": "#ffffff"} | found


def luminance(colour: str) -> float:
    """Relative luminance of a colour, by WCAG."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_is_that_of_wcag() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["default", "slate"])
@pytest.mark.parametrize("token", TOKENS)
def test_every_token_of_code_can_be_read(scheme: str, token: str) -> None:
    found = colours(scheme)
    assert contrast(found[f"--md-code-hl-{token}-color"], found["--md-code-bg-color"]) >= ENOUGH


@pytest.mark.parametrize("scheme", ["default", "slate"])
@pytest.mark.parametrize("name", ON_PAGE)
def test_text_links_and_verdicts_can_be_read(scheme: str, name: str) -> None:
    found = colours(scheme)
    assert contrast(found[name], found["--md-default-bg-color"]) >= ENOUGH


@pytest.mark.parametrize("scheme", ["default", "slate"])
@pytest.mark.parametrize(
    "name", ["--md-code-fg-color", "--md-default-fg-color--light", "--md-accent-fg-color"]
)
def test_plain_code_and_what_stands_above_it_can_be_read(scheme: str, name: str) -> None:
    found = colours(scheme)
    assert contrast(found[name], found["--md-code-bg-color"]) >= ENOUGH


def test_paper_is_light_whatever_the_screen_is() -> None:
    assert ':root,\n[data-md-color-scheme="default"] {' in CSS
    assert CSS.count('[data-md-color-scheme="slate"]') == 1
    assert '@media screen {\n  [data-md-color-scheme="slate"] {' in CSS


@pytest.mark.parametrize("scheme", ["default", "slate"])
def test_the_header_can_be_read(scheme: str) -> None:
    found = colours(scheme)
    for name in ("--md-primary-bg-color", "--md-primary-bg-color--light"):
        assert contrast(found[name], found["--md-primary-fg-color"]) >= ENOUGH


def test_the_two_verdicts_have_marks_of_their_own() -> None:
    marks = re.findall(r'\.verdict(--invalid)?::before \{\s*content: "(.)" / "";', CSS)
    assert marks == [("", "✓"), ("--invalid", "✗")]
