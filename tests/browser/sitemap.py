"""The pages that a site says it has."""

from __future__ import annotations

from xml.etree import ElementTree

from built import BuiltSite

_LOCATIONS = "{*}url/{*}loc"


def pages(site: BuiltSite) -> list[tuple[str, str]]:
    """Each page of the sitemap: its language, and its address below the language."""
    root = ElementTree.parse(site.folder / "sitemap.xml").getroot()
    below = [str(found.text).removeprefix(site.root_url) for found in root.findall(_LOCATIONS)]
    return [(language, url) for language, _, url in (address.partition("/") for address in below)]


def pages_in(site: BuiltSite, language: str) -> list[str]:
    """The addresses of one language's pages, below the language."""
    return [url for found, url in pages(site) if found == language]
