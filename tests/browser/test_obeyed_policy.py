"""The content security policy holds: no page runs a script of others, or asks another host."""

from __future__ import annotations

import pytest

from built import BuiltSite
from reader import NewReader, Reader, Window

pytest_plugins = ["browser_fixtures"]

# A page of the theme, a long one, and the one for wrong addresses.
PAGES = ["en/", "zh-Hans/concepts/scorers/", "ru/nowhere"]
SCRIPTS = {
    "inline": "const script = document.createElement('script'); script.text = 'window.ran = 1';"
    "document.body.append(script)",
    "handler": "document.body.insertAdjacentHTML('beforeend',"
    "'<button onclick=\"window.ran = 1\">'); document.body.lastElementChild.click()",
    "address of a link": "const link = document.createElement('a');"
    "link.href = 'javascript:window.ran = 1'; document.body.append(link); link.click()",
    "data": "const script = document.createElement('script'); script.src = 'data:,window.ran = 1';"
    "document.body.append(script)",
}
REQUESTS = {
    "fetch('https://else.example/').catch(() => {})": "connect-src",
    "navigator.sendBeacon('https://else.example/')": "connect-src",
    "new Image().src = 'https://else.example/x.png'": "img-src",
    "new Worker('data:,')": "worker-src",
}
# Does something in the page, and gives the part of the policy that this violates.
TRY = """() => new Promise(done => {
    document.addEventListener(
        "securitypolicyviolation", event => done(event.effectiveDirective), { once: true })
    %s
})"""


def at(new_reader: NewReader, site: BuiltSite, address: str) -> Reader:
    """A reader of a page, who may see what these tests provoke."""
    reader = new_reader(site)
    for words in ("violates the following Content Security Policy", "nowhere", "else.example"):
        reader.guard.forgive(words)
    reader.go(f"{site.root_url}{address}")
    return reader


@pytest.mark.parametrize("address", PAGES)
def test_no_script_runs_that_is_not_the_sites(
    new_reader: NewReader, guide: BuiltSite, address: str
) -> None:
    reader = at(new_reader, guide, address)
    for name, script in SCRIPTS.items():
        assert str(reader.page.evaluate(TRY % script)).startswith("script-src"), name
        assert reader.page.evaluate("window.ran") is None, name


@pytest.mark.parametrize("address", PAGES)
def test_text_is_not_run_as_a_script(new_reader: NewReader, guide: BuiltSite, address: str) -> None:
    # From a timer of the page itself: what a test evaluates is not bound by the policy.
    said = at(new_reader, guide, address).page.evaluate(
        """() => new Promise(done => setTimeout(() => {
            try { eval("1"); done("ran") } catch (error) { done(error.name) }
        }))"""
    )
    assert said == "EvalError"


@pytest.mark.parametrize("address", PAGES)
def test_no_other_host_is_asked(new_reader: NewReader, guide: BuiltSite, address: str) -> None:
    reader = at(new_reader, guide, address)
    assert {script: reader.page.evaluate(TRY % script) for script in REQUESTS} == REQUESTS


def test_no_form_is_sent_to_another_host(new_reader: NewReader, guide: BuiltSite) -> None:
    send = "const form = document.createElement('form'); form.action = 'https://else.example/';"
    send += "document.body.append(form); form.submit()"
    assert at(new_reader, guide, "en/").page.evaluate(TRY % send) == "form-action"


def test_webassembly_may_run(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = at(new_reader, guide, "en/")
    module = "new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])"  # the empty module
    assert reader.page.evaluate(f"WebAssembly.compile({module}).then(() => 'compiled')") == (
        "compiled"
    )


def test_the_root_page_has_a_policy_too(new_reader: NewReader, guide: BuiltSite) -> None:
    reader = new_reader(guide, Window(javascript=False))
    reader.go(guide.root_url)
    policy = reader.page.locator("meta[http-equiv=Content-Security-Policy]")
    content = policy.get_attribute("content") or ""
    assert content.startswith("default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-")
