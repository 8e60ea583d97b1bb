"""What axe-core finds on a page that keeps people from reading it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from installed import node_module

SERIOUS = ("serious", "critical")
CONTRAST = "color-contrast"
LINK = "link-in-text-block"
_BY_LOOKS = (CONTRAST, LINK)
AXE = "axe.min.js"
"""Where the tests' server lends axe-core: that is quicker than to send it to each page."""

# The elements to judge by their colours: of those whose own text looks alike before the same
# backgrounds, the first (of an example's hundred strings, one), since axe takes long for each; and
# so of the links, which must look otherwise than the text around them. What is known is left out.
_LOOKS = """([within, known]) => {
    const behind = new Map([[null, ""]])
    const holder = element => element.parentElement ?? element.getRootNode().host ?? null
    const plain = "rgba(0, 0, 0, 0),none,1,none,normal,static"
    const backgrounds = element => {
        if (!behind.has(element)) {
            const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } =
                getComputedStyle(element)
            const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position]
            const above = backgrounds(holder(element))
            behind.set(element, own.join() === plain ? above : `${above}|${own}`)
        }
        return behind.get(element)
    }
    const below = element => [element, ...inside(element.shadowRoot), ...inside(element)]
    const inside = root => [...(root?.children ?? [])].flatMap(below)
    const text = element => {
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
        return [color, fontSize, fontWeight, textShadow, backgrounds(element)].join()
    }
    const link = element => {
        const { display, fontFamily, fontStyle, textDecoration, border } = getComputedStyle(element)
        const look = [text(element), fontFamily, fontStyle, textDecoration, border].join()
        return display.startsWith("inline") ? `${look} in ${link(holder(element))}` : look
    }
    const first = new Map(known.map(look => [look, null]))
    const judge = (element, look) => first.has(look) || first.set(look, element)
    for (const element of below(document.querySelector(within ?? "body"))) {
        if (!element.checkVisibility({ visibilityProperty: true })) continue
        const said = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())
        if (said || element.matches("input, select, textarea")) judge(element, text(element))
        if (element.matches("a[href]")) judge(element, link(element))
    }
    for (const look of known) first.delete(look)
    return first
}"""
# Takes the colours from code. An element that has nothing but a class can break no other rule.
_UNCOLOURED = """() => {
    for (const token of document.querySelectorAll("pre span"))
        if (token.getAttributeNames().every(name => name === "class"))
            token.replaceWith(...token.childNodes)
    for (const code of document.querySelectorAll("pre")) code.normalize()
}"""
_COLOURS = f"""async within => {{
    const looks = ({_LOOKS})(within)
    const options = {{ resultTypes: ["violations"], runOnly: {list(_BY_LOOKS)} }}
    const judge = async include => (await axe.run({{ include }}, options)).violations
    return [looks.size ? await judge([...looks.values()]) : [], [...looks.keys()]]
}}"""
# The theme lets the keyboard reach code that has become too wide, a frame or two after it has.
_OTHERS = """async ([within, choice]) => {
    const reached = () => [...document.querySelectorAll("pre > code")]
        .every(code => code.scrollWidth <= code.clientWidth || code.tabIndex === 0)
    for (let frame = 0; frame < 300 && !reached(); frame++)
        await new Promise(requestAnimationFrame)
    const options = { resultTypes: ["violations"], ...choice }
    return (await axe.run(within ? { include: [within] } : document, options)).violations
}"""
# What is found outside of all landmarks is no serious fault, and takes a fifth of the time.
_LEFT_OUT = {rule: {"enabled": False} for rule in (*_BY_LOOKS, "region")}
_SIZES = {"runOnly": ["target-size", "scrollable-region-focusable"]}


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
    return colours(page, within) + others(page, within)


def colours(page: Page, within: str | None = None, known: set[str] | None = None) -> list[Finding]:
    """Judge by the rules that depend on the scheme, and not on the width.

    Looks that are known from other pages are left out, and the others then known.
    """
    known = set() if known is None else known
    _load(page)
    violations, looks = page.evaluate(_COLOURS, [within, list(known)])
    known.update(looks)
    return _found(violations)


def others(page: Page, within: str | None = None, targets: bool = True) -> list[Finding]:
    """Judge by all the other rules, which depend on the width, and not on the scheme.

    The rule of how large what is clicked must be takes as long as all the rest: it can be left out.
    """
    _load(page)
    rules = _LEFT_OUT | {"target-size": {"enabled": targets}}
    return _found(page.evaluate(_OTHERS, [within, {"rules": rules}]))


def sizes(page: Page) -> list[Finding]:
    """Judge by the rules that depend on how large something is, and so on the width."""
    _load(page)
    return _found(page.evaluate(_OTHERS, [None, _SIZES]))


def uncolour(page: Page) -> None:
    """Take the colours from the code of a page, once they are judged."""
    page.evaluate(_UNCOLOURED)


def _load(page: Page) -> None:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(node_module("axe-core/axe.min.js").read_text("utf-8"))


def _found(violations: list[dict[str, Any]]) -> list[Finding]:
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
