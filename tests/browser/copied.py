"""What the copy buttons of a page give and say, when each of them is clicked."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

NOTHING = "nothing was copied"
_PATIENCE = 15_000  # ms, within which a button that works has said something

_CLICK_ALL = """async ([nothing, patience]) => {
    const status = document.querySelector("[data-guide-status][role=status]")
    const somethingSaid = () => new Promise(said => {
        const watch = new MutationObserver(() => status.textContent && said(status.textContent))
        watch.observe(status, { childList: true })
        setTimeout(said, patience, "")
    })
    const copied = async button => {
        await navigator.clipboard.writeText(nothing)
        status.textContent = ""
        const shown = button.checkVisibility({ visibilityProperty: true })
        const saying = somethingSaid()
        button.click()
        const said = await saying
        const text = await navigator.clipboard.readText()
        return { name: button.ariaLabel ?? button.textContent.trim(), shown, said, text }
    }
    const show = block => {
        const panel = block.closest(".tabbed-block")
        const place = panel && [...panel.parentElement.children].indexOf(panel)
        panel?.closest(".tabbed-set").querySelectorAll(":scope > input")[place].click()
    }
    const blocks = []
    for (const block of document.querySelectorAll("[data-snippet]")) {
        show(block)
        const about = {
            title: block.querySelector(".filename").textContent.trim(),
            source: block.querySelector("pre > code").textContent,
            terminal: block.matches(".language-console"),
        }
        for (const button of block.querySelectorAll("button"))
            blocks.push({ ...about, ...await copied(button) })
    }
    const link = document.querySelector("a[type='text/markdown']")
    const source = await fetch(link.href).then(answer => answer.text())
    const about = { title: link.textContent.trim(), source, terminal: false }
    return [blocks, { ...about, ...await copied(document.querySelector("[data-guide-copy-page]")) }]
}"""


@dataclass(frozen=True)
class Copied:
    """What a copy button is called, whether it is seen, what it says once clicked, what it gives.

    And what it is the button of: a title, and the text there, which may be that of a terminal; of
    a page, the name of the link to its Markdown, and where that leads.
    """

    name: str
    shown: bool
    said: str
    text: str
    title: str
    source: str
    terminal: bool


def click_all(page: Page) -> tuple[list[Copied], Copied]:
    """Click every copy button of a page: those of its blocks of code, and its own."""
    blocks, own = page.evaluate(_CLICK_ALL, [NOTHING, _PATIENCE])
    return [Copied(**block) for block in blocks], Copied(**own)
