"""What a browser knows of a page that it has loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from copied import Copied
from reader import Scheme

SECTION = "#a-section"
PHONE = 360
WIDTHS = (PHONE, 320)  # CSS pixels: a small phone; and what WCAG 2.2 asks for (1.4.10, reflow)

_FACTS = """section => {
    const all = selector => [...document.querySelectorAll(selector)]
    const ids = all("[id]").map(element => element.id)
    const leadsTo = link => {
        let address
        const stay = event => { address = link.href; event.preventDefault() }
        addEventListener("click", stay, { once: true })
        link.click()
        return address
    }
    history.replaceState(history.state, "", section)
    const links = all("a[data-guide-language]").map(link => [link.hreflang, leadsTo(link)])
    history.replaceState(history.state, "", location.pathname)
    return {
        language: document.documentElement.lang,
        title: document.title,
        canonical: all("link[rel=canonical]").map(link => link.getAttribute("href")),
        alternates: all("link[hreflang]").map(link => [
            link.relList.contains("alternate"), link.hreflang, link.getAttribute("href")
        ]),
        switch: Object.fromEntries(links),
        repeated_ids: ids.filter((id, place) => ids.indexOf(id) !== place),
        headings: all("h1, h2, h3, h4, h5, h6").map(heading => [
            Number(heading.localName[1]),
            [...heading.childNodes].filter(node => node.className !== "headerlink")
                .map(node => node.textContent).join("").trim()
        ]),
    }
}"""

# What sticks out to the right, where the page can be scrolled there.
_WIDE = """() => {
    const { scrollWidth, clientWidth } = document.scrollingElement
    if (scrollWidth <= clientWidth) return []
    const scrolls = element => element !== document.body && element !== document.documentElement
        && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement))
    return [`${scrollWidth}px`].concat(
        [...document.querySelectorAll("body *")]
            .filter(element => element.getBoundingClientRect().right > clientWidth + 0.5)
            .filter(element => !scrolls(element.parentElement))
            .slice(0, 5).map(element => element.outerHTML.slice(0, 120)))
}"""

_WIDE_TABS = f"""() => {{
    const sets = [...document.querySelectorAll(".tabbed-set")]
        .map(set => [...set.querySelectorAll(":scope > input")])
    const found = []
    for (let number = 0; number === 0 || sets.some(inputs => inputs[number]); number++) {{
        for (const inputs of sets) inputs[number]?.click()
        found.push(...({_WIDE})())
    }}
    return found
}}"""


@dataclass(frozen=True)
class Visit:
    """One page as it was seen; `wide` says what stuck out of a narrow window, width by width."""

    language: str
    title: str
    canonical: list[str]
    alternates: list[tuple[bool, str, str]]
    repeated_ids: list[str]
    headings: list[tuple[int, str]]
    switch: dict[str, str]  # where a click on each language leads, in SECTION
    wide: list[str]
    copied: list[Copied]
    copied_page: Copied
    schemes: list[Scheme]
    faults: list[str]  # what axe finds, in these colours
    problems: list[str]


def facts(page: Page) -> dict[str, Any]:
    """The facts of a page that are there to be read."""
    found: dict[str, Any] = page.evaluate(_FACTS, SECTION)
    return found | {
        "alternates": [tuple(alternate) for alternate in found["alternates"]],
        "headings": [tuple(heading) for heading in found["headings"]],
    }


def too_wide(page: Page) -> list[str]:
    """What makes a page scroll sideways in a narrow window, whichever tabs are chosen."""
    found = []
    before = page.viewport_size
    assert before is not None
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": before["height"]})
        found += [f"at {width}px: {what}" for what in page.evaluate(_WIDE_TABS)]
    return found
