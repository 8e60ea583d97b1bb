"""REPO_URL: where the pages' sources can be edited, or nothing."""

from __future__ import annotations

import pytest

from docs_build.faults import Refusal
from docs_build.site import repository_address


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("", ""),
        ("https://forge.example/team/guide", "https://forge.example/team/guide"),
        ("https://forge.example/team/guide/", "https://forge.example/team/guide"),
    ],
)
def test_an_address_has_no_slash_at_its_end(given: str, address: str) -> None:
    assert repository_address(given) == address


@pytest.mark.parametrize("given", ["javascript:alert(1)", "forge.example/team", 'https://a/"x'])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(Refusal) as caught:
        repository_address(given)
    assert str(caught.value) == (
        f"REPO_URL: {given!r} is not the address of a repository. "
        "Write, for example, https://example.org/team/guide"
    )
