"""A site below a path is the site at a root with other addresses in it, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from built import AT_ROOT, BELOW_A_PATH, BuiltSite

pytest_plugins = ["site_fixtures"]
# The policy has the hashes of scripts with addresses in them; only one of the two has edit links.
DIFFERENT = re.compile(
    r'<meta http-equiv="Content-Security-Policy"[^>]*>|<a [^>]*rel="edit".*?</a>', re.DOTALL
)


def contents(site: BuiltSite) -> dict[Path, str]:
    """Each page as it would be at the root, without what depends on its address or on REPO_URL."""
    found = {}
    for file in sorted(site.folder.rglob("*.html")):
        text = file.read_text("utf-8").replace(site.root_url, AT_ROOT)
        for quote in "'\"":  # paths of addresses, as the 404 page has them
            text = text.replace(f"{quote}{urlsplit(site.root_url).path}", f"{quote}/")
        found[file.relative_to(site.folder)] = "".join(DIFFERENT.sub("", text).split())
    return found


def test_the_pages_below_a_path_are_those_at_the_root_but_for_their_addresses(
    build: Callable[[str], BuiltSite],
) -> None:
    assert contents(build(BELOW_A_PATH)) == contents(build(AT_ROOT))
