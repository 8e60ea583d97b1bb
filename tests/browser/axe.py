"""What axe-core finds on a page that keeps people from reading it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from installed import node_module

SERIOUS = ("serious", "critical")
_RUN = """async ([within, rules, without]) => {
    const options = { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }
    if (without) options.rules[without] = { enabled: false }
    if (rules.length) options.runOnly = { type: "rule", values: rules }
    return (await axe.run(within ? { include: [within] } : document, options)).violations
}"""


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


def findings(
    page: Page, within: str | None = None, rules: Sequence[str] = (), without: str | None = None
) -> list[Finding]:
    """Judge a page, or what a selector finds in it, by all of axe-core's rules or by some."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(node_module("axe-core/axe.min.js").read_text("utf-8"))
    violations: list[dict[str, Any]] = page.evaluate(_RUN, [within, list(rules), without])
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


def serious(
    page: Page, within: str | None = None, rules: Sequence[str] = (), without: str | None = None
) -> list[str]:
    """The serious and critical findings, each to be read with the page that it is on."""
    return [
        f"{page.url}: {finding}"
        for finding in findings(page, within, rules, without)
        if finding.impact in SERIOUS
    ]
