"""What axe-core finds on a page that keeps people from reading it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, TimeoutError

from installed import node_module

SERIOUS = ("serious", "critical")
CONTRAST = "color-contrast"

# The elements to judge by contrast: of those whose own text looks alike before the same
# backgrounds, the first (of an example's hundred strings, one), since axe takes long for each.
_LOOKS = """within => {
    const behind = new Map([[null, ""]])
    const backgrounds = element => {
        if (!behind.has(element)) {
            const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } =
                getComputedStyle(element)
            const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position]
            const above = element.parentElement ?? element.getRootNode().host ?? null
            behind.set(element, `${backgrounds(above)}|${own}`)
        }
        return behind.get(element)
    }
    const below = element => [element, ...inside(element.shadowRoot), ...inside(element)]
    const inside = root => [...(root?.children ?? [])].flatMap(below)
    const first = new Map()
    for (const element of below(document.querySelector(within ?? "body"))) {
        const shown = element.checkVisibility({ visibilityProperty: true })
        const text = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())
        if (!shown || !(text || element.matches("input, select, textarea"))) continue
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
        const look = [color, fontSize, fontWeight, textShadow, backgrounds(element)].join()
        if (!first.has(look)) first.set(look, element)
    }
    return [...first.values()]
}"""
# Takes the colours from code. An element that has nothing but a class can break no other rule.
_UNCOLOURED = """() => {
    for (const token of document.querySelectorAll("pre span"))
        if (token.getAttributeNames().every(name => name === "class"))
            token.replaceWith(...token.childNodes)
    for (const code of document.querySelectorAll("pre")) code.normalize()
}"""
_CONTRAST = f"""async within => {{
    const options = {{ resultTypes: ["violations"], runOnly: ["{CONTRAST}"] }}
    return (await axe.run({{ include: ({_LOOKS})(within) }}, options)).violations
}}"""
_OTHERS = f"""async within => {{
    const rules = {{ "target-size": {{ enabled: true }}, "{CONTRAST}": {{ enabled: false }} }}
    const options = {{ resultTypes: ["violations"], rules }}
    return (await axe.run(within ? {{ include: [within] }} : document, options)).violations
}}"""


# Once the width has changed, the theme lets the keyboard reach the code that is now too wide.
_REACHED = """() => [...document.querySelectorAll("pre > code")].every(
    code => code.scrollWidth <= code.clientWidth || code.tabIndex === 0
)"""


@dataclass(frozen=True)
class Finding:
    """One rule that one element breaks."""

    rule: str
    impact: str
    help: str
    node: str
    summary: str

    def __str__(self) -> str:
        summary = self.summary.replace("\n", "\n    ")
        return f"{self.rule} ({self.impact}): {self.help}\n    {self.node}\n    {summary}"


def findings(page: Page, within: str | None = None) -> list[Finding]:
    """Judge a page, or what a selector finds in it, by all of axe-core's rules."""
    return contrast(page, within) + others(page, within)


def contrast(page: Page, within: str | None = None) -> list[Finding]:
    """Judge by the rule that depends on the scheme, and not on the width."""
    return _found(page, _CONTRAST, within)


def others(page: Page, within: str | None = None) -> list[Finding]:
    """Judge by all the other rules, which depend on the width, and not on the scheme."""
    return _found(page, _OTHERS, within)


def uncolour(page: Page) -> None:
    """Take the colours from the code of a page, of which contrast alone depends."""
    page.evaluate(_UNCOLOURED)


def resize(page: Page, width: int, height: int) -> None:
    """Change the width of the window, and wait until the page has followed; what never does is
    left for axe to find."""
    page.set_viewport_size({"width": width, "height": height})
    with suppress(TimeoutError):
        page.wait_for_function(_REACHED, timeout=5_000)


def _found(page: Page, run: str, within: str | None) -> list[Finding]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(node_module("axe-core/axe.min.js").read_text("utf-8"))
    violations: list[dict[str, Any]] = page.evaluate(run, within)
    return [
        Finding(
            violation["id"],
            node["impact"] or violation["impact"] or "unknown",
            violation["help"],
            " > ".join(map(str, node["target"])),
            node["failureSummary"],
        )
        for violation in violations
        for node in violation["nodes"]
    ]


def serious(page: Page, found: Iterable[Finding]) -> list[str]:
    """The serious and critical findings, each to be read with the page that it is on."""
    return [f"{page.url}: {finding}" for finding in found if finding.impact in SERIOUS]
