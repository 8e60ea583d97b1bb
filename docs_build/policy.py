"""Give a built page a content security policy that lets only the scripts run that stand in it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html.parser import HTMLParser

_CHARSET = re.compile(r"<meta charset=\"?utf-8\"?>", re.IGNORECASE)
_POLICY = re.compile(r'\n?<meta http-equiv="Content-Security-Policy" content="[^"]*">')

# Comments, scripts, and all other tags, so that none of the first two is found in one of these. The
# parser is given the scripts alone: a page is long, and has few.
_MARKUP = re.compile(
    r"""<!--.*?-->|(?P<script><script\b(?:[^<>"']|"[^"]*"|'[^']*')*>.*?</script\b[^>]*>)"""
    r"""|<[a-z/!](?:[^<>"']|"[^"]*"|'[^']*')*>""",
    re.DOTALL | re.IGNORECASE,
)

# What a browser takes for a script. All other types are blocks of data, which no policy stops.
_SCRIPT_TYPES = {"", "module", "importmap", "speculationrules"}
_JAVASCRIPT = re.compile(r"(?:text|application)/(?:x-)?(?:java|ecma|live|j)script[0-9.]*")


def with_policy(html: str) -> str:
    """A page with the policy for its own inline scripts; an earlier one is replaced.

    So it can be given a page that is complete already, or one that was built again. Raises
    `ValueError` for a page without `<meta charset="utf-8">`, after which the policy stands: it
    binds only what comes after it.
    """
    bare = _POLICY.sub("", html)
    charset = _CHARSET.search(bare)
    if charset is None:
        raise ValueError('the page has no <meta charset="utf-8">, after which its policy belongs')
    content = policy(script_hashes(bare))
    meta = f'\n<meta http-equiv="Content-Security-Policy" content="{content}">'
    return bare[: charset.end()] + meta + bare[charset.end() :]


def policy(hashes: Sequence[str]) -> str:
    """The policy of a page whose inline scripts have these hashes.

    Styles may stand in a page: the theme and the search set some. Scripts may not, by hash apart;
    the search needs WebAssembly, and its worker starts from a blob.
    """
    scripts = " ".join(["'self'", "'wasm-unsafe-eval'", *(f"'{hash_}'" for hash_ in hashes)])
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src {scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        )
    )


def script_hashes(html: str) -> tuple[str, ...]:
    """The hash of each inline script of a page, as a policy names it, in order and each once."""
    collector = _InlineScripts()
    for markup in _MARKUP.finditer(html):
        if markup.lastgroup:
            collector.feed(markup[0])
    collector.close()
    digests = (sha256(script.encode()).digest() for script in collector.found)
    return tuple(dict.fromkeys(f"sha256-{b64encode(digest).decode()}" for digest in digests))


class _InlineScripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and "src" not in given and _is_script(given.get("type") or ""):
            self.found.append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[-1] += data


def _is_script(type_: str) -> bool:
    plain = type_.strip().lower()
    return plain in _SCRIPT_TYPES or _JAVASCRIPT.fullmatch(plain) is not None
