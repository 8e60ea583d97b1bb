"""The content security policy of a page names the scripts that stand in it, and nothing else."""

from __future__ import annotations

import pytest

from docs_build.policy import script_hashes, with_policy

HEAD = '<!doctype html>\n<html><head>\n<meta charset="utf-8">\n<title>T</title>'
# printf '%s' 'alert(1)' | openssl dgst -sha256 -binary | base64
ALERT = "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI="
EMPTY = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def page(*scripts: str) -> str:
    return f"{HEAD}</head><body>{''.join(scripts)}</body></html>\n"


def scripts_allowed(html: str) -> list[str]:
    """What follows script-src in the only policy of a page."""
    assert html.count("Content-Security-Policy") == 1
    content = html.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    directives = dict(part.strip().split(" ", 1) for part in content.split(";"))
    return directives["script-src"].split()


def test_the_policy_stands_right_after_the_character_set() -> None:
    html = with_policy(page())
    assert html == (
        '<!doctype html>\n<html><head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="'
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src 'self' blob:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'\">\n"
        "<title>T</title></head><body></body></html>\n"
    )


def test_each_inline_script_is_named_by_its_hash_once() -> None:
    alert = "<script>alert(1)</script>"
    html = with_policy(page(alert, "<script></script>", alert))
    assert scripts_allowed(html) == ["'self'", "'wasm-unsafe-eval'", f"'{ALERT}'", f"'{EMPTY}'"]


def test_another_script_has_another_hash() -> None:
    (one,) = script_hashes(page("<script>alert(1)</script>"))
    (other,) = script_hashes(page("<script>alert(1) </script>"))
    assert one == ALERT != other


@pytest.mark.parametrize("attributes", ["", ' type="module"', ' type=" Text/JavaScript"', " defer"])
def test_what_a_browser_runs_has_a_hash(attributes: str) -> None:
    assert script_hashes(page(f"<script{attributes}>alert(1)</script>")) == (ALERT,)


@pytest.mark.parametrize(
    "script",
    [
        '<script src="a.js">alert(1)</script>',
        '<script type="application/json">alert(1)</script>',
        '<script type="application/ld+json">alert(1)</script>',
        "<!-- <script>alert(1)</script> -->",
    ],
)
def test_what_a_browser_does_not_run_has_none(script: str) -> None:
    assert script_hashes(page(script)) == ()


def test_a_complete_page_stays_as_it_is() -> None:
    once = with_policy(page("<script>alert(1)</script>"))
    assert with_policy(once) == once


def test_a_page_that_has_changed_gets_the_policy_of_its_new_scripts() -> None:
    old = with_policy(page("<script>alert(1)</script>"))
    new = old.replace("<script>alert(1)</script>", "<script></script>")
    assert with_policy(new) == with_policy(page("<script></script>"))


def test_a_page_without_a_character_set_is_refused() -> None:
    with pytest.raises(ValueError, match='no <meta charset="utf-8">'):
        with_policy("<title>T</title>")
