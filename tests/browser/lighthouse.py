"""Measure the guide with Lighthouse in each language; `make lighthouse` runs this.

It writes each measurement to build/lighthouse/<language>.json, prints the figures, and fails where
one of them is below its bar. Lighthouse measures as it does by default: a phone on a slow network.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from built import LANGUAGES, BuiltSite
from docs_build.project import this_project
from docs_build.site import build_site
from installed import NO_CHROMIUM, NODE_MODULES, find_chromium
from site_fixtures import copy_of_sources
from site_server import SiteServer

PAGE = "concepts/scorers/"
BARS = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
LIGHTHOUSE = NODE_MODULES / "lighthouse" / "cli" / "index.js"
FLAGS = ("--headless=new", "--no-sandbox", "--no-proxy-server", "--disable-quic")


@dataclass(frozen=True)
class Measurement:
    """What Lighthouse says of one page."""

    language: str
    report: Mapping[str, Any]

    @property
    def scores(self) -> dict[str, int]:
        """The score of each category, from 0 to 100."""
        categories = self.report["categories"]
        return {name: round(100 * (categories[name]["score"] or 0)) for name in BARS}

    def shortfalls(self) -> Iterator[str]:
        """Each figure below its bar, and the audits that are the reason."""
        for name, score in self.scores.items():
            if score < BARS[name]:
                yield f"{self.language}: {name} is {score}, wanted at least {BARS[name]}"
                yield from (f"    {reason}" for reason in self._reasons(name))

    def _reasons(self, category: str) -> Iterator[str]:
        for reference in self.report["categories"][category]["auditRefs"]:
            audit = self.report["audits"][reference["id"]]
            if reference["weight"] and audit["score"] is not None and audit["score"] < 0.9:
                yield f"{audit['title']} {audit.get('displayValue', '')}".rstrip()
                for item in audit.get("details", {}).get("items", [])[:5]:
                    node = item.get("node")
                    yield f"    {node['snippet'] if node else item}"


def measure(program: str, address: str, language: str) -> Measurement:
    """Measure a page; where its performance falls short, thrice, and the middle one counts."""
    runs = [_run(program, address, language)]
    if runs[0].scores["performance"] < BARS["performance"]:
        runs += [_run(program, address, language) for _ in range(2)]
    return sorted(runs, key=lambda run: run.scores["performance"])[len(runs) // 2]


def _run(program: str, address: str, language: str) -> Measurement:
    command = ["node", str(LIGHTHOUSE), address, "--quiet", "--no-enable-error-reporting"]
    command += ["--output=json", f"--only-categories={','.join(BARS)}"]
    command += [f"--chrome-flags={' '.join(FLAGS)}"]
    said = subprocess.run(
        command, env=os.environ | {"CHROME_PATH": program}, stdout=subprocess.PIPE, check=True
    ).stdout
    report = json.loads(said)
    if "runtimeError" in report:
        raise SystemExit(f"Lighthouse could not measure {address}: {report['runtimeError']}")
    return Measurement(language, report)


def measurements(program: str) -> Iterator[Measurement]:
    """Build the site for a free port of this machine, serve it there, and measure the guide."""
    with tempfile.TemporaryDirectory() as folder, SiteServer(compresses=True) as server:
        root_url = f"http://127.0.0.1:{server.server_port}/"
        project = copy_of_sources(Path(folder, "project"))
        build_site(project, root_url)
        server.add(BuiltSite(project.site, root_url))
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            for language in LANGUAGES:
                yield measure(program, f"{root_url}{language}/{PAGE}", language)
        finally:
            server.shutdown()
            thread.join()


def lack() -> str | None:
    """What this machine lacks to measure, and how to get it."""
    if shutil.which("node") is None or not LIGHTHOUSE.is_file():
        return "no Lighthouse: install Node and npm, then run `make lighthouse`"
    return None if find_chromium() else NO_CHROMIUM


def main() -> int:
    """Measure, write and print; 0 where every figure is good enough."""
    missing = lack()
    program = find_chromium()
    if missing or program is None:
        print(missing, file=sys.stderr)
        return 1
    folder = this_project().build / "lighthouse"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shortfalls: list[str] = []
    print("Lighthouse  ", *(f"{name:>15}" for name in BARS), flush=True)
    for found in measurements(program):
        (folder / f"{found.language}.json").write_text(json.dumps(found.report), "utf-8")
        print(f"{found.language:12}", *(f"{n:15}" for n in found.scores.values()), flush=True)
        shortfalls += found.shortfalls()
    for line in shortfalls:
        print(line, file=sys.stderr)
    return 1 if shortfalls else 0


if __name__ == "__main__":
    sys.exit(main())
