"""The guard sees what no page may do: the tests that rely on it would else pass for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from built import BuiltSite
from reader import Window
from site_server import SiteServer
from windows import Windows

pytest_plugins = ["browser_fixtures"]

POLICY = "default-src 'self'; script-src 'self' 'nonce-known'"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>x</title>
<meta http-equiv="Content-Security-Policy" content="{policy}">
<body><script nonce="known">{script}</script></body></html>"""

WORKER = "fetch('/elsewhere/').catch(() => {}).then(() => { postMessage('asked') })"


def problems(
    windows: Windows, server: SiteServer, folder: Path, script: str, policy: str = POLICY
) -> list[str]:
    """What the guard sees of a page with a script in it."""
    (folder / "index.html").write_text(PAGE.format(policy=policy, script=script), "utf-8")
    (folder / "worker.js").write_text(WORKER, "utf-8")
    site = server.add(BuiltSite(folder, "http://127.0.0.1:8002/small/"))
    with windows.reading(site, Window(own=True)) as reader:
        reader.go(f"{site.root_url}?")
        reader.page.wait_for_function("() => window.done")
        return reader.guard.problems


@pytest.mark.parametrize(
    ("script", "seen"),
    [
        ("console.error('ouch'); done = 1", ["console error: ouch"]),
        ("console.warn('hm'); done = 1", ["console warning: hm"]),
        ("setTimeout(() => { done = 1 }); throw Error('oh')", ["error in a script: Error: oh"]),
        ("Promise.reject(Error('no')); done = 1", ["error in a script: Error: no"]),
        ("fetch('nothing.js').then(() => { done = 1 })", ["answered with 404: "]),
        ("fetch('/elsewhere/').then(() => { done = 1 })", ["request outside of the site: "]),
        (
            "new Worker('worker.js').onmessage = () => { done = 1 }",
            ["request outside of the site: http://127.0.0.1:8002/elsewhere/"],
        ),
        (
            "fetch('https://else.example/').catch(() => { done = 1 })",
            ["violates the following Content Security Policy"],
        ),
        (
            "const script = document.createElement('script'); script.text = '1'; "
            "document.body.append(script); done = 1",
            ["violates the following Content Security Policy"],
        ),
        ("setTimeout(() => { done = 1 }); eval('1')", ["error in a script: EvalError: "]),
    ],
)
def test_the_guard_sees(
    windows: Windows, server: SiteServer, tmp_path: Path, script: str, seen: list[str]
) -> None:
    found = problems(windows, server, tmp_path, script)
    assert all(any(words in problem for problem in found) for words in seen), found


def test_the_guard_sees_a_request_to_another_host_and_that_it_got_nowhere(
    windows: Windows, server: SiteServer, tmp_path: Path
) -> None:
    script = "fetch('https://else.example/').catch(() => { done = 1 })"
    found = problems(windows, server, tmp_path, script, policy="script-src 'unsafe-inline'")
    assert "request outside of the site: https://else.example/" in found
    assert "failed request: https://else.example/ (net::ERR_NAME_NOT_RESOLVED)" in found


def test_the_guard_sees_nothing_on_a_page_that_does_no_harm(
    windows: Windows, server: SiteServer, tmp_path: Path
) -> None:
    script = "console.log('fine'); fetch('worker.js').then(() => { done = 1 })"
    assert problems(windows, server, tmp_path, script) == []
