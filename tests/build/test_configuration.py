"""mkdocs.yml says again what has its home elsewhere; here the two are held together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from docs_build.project import this_project
from skynet_stub.messages import LANGUAGES, catalog

PROJECT = this_project()


class Loader(yaml.SafeLoader):
    """Reads mkdocs.yml as far as it can be read without MkDocs."""


Loader.add_multi_constructor("!", lambda loader, suffix, node: f"{suffix} {node.value}")


@pytest.fixture(scope="module")
def configuration() -> dict[str, Any]:
    loaded = yaml.load(PROJECT.configuration.read_text("utf-8"), Loader)
    assert isinstance(loaded, dict)
    return loaded


def nav_pages(nav: list[Any]) -> Iterator[tuple[str, str]]:
    """The pages of the navigation: path and title."""
    for entry in nav:
        assert isinstance(entry, dict), f"{entry} has no title"
        for title, target in entry.items():
            if isinstance(target, list):
                yield from nav_pages(target)
            else:
                yield target, title


def languages_of(configuration: dict[str, Any]) -> list[dict[str, Any]]:
    (i18n,) = (entry["i18n"] for entry in configuration["plugins"] if "i18n" in entry)
    languages: list[dict[str, Any]] = i18n["languages"]
    return languages


def test_the_languages_are_those_of_the_catalogs(configuration: dict[str, Any]) -> None:
    alternate = configuration["extra"]["alternate"]
    names = [catalog(language).text("page.language-name") for language in LANGUAGES]
    assert [entry["lang"] for entry in alternate] == list(LANGUAGES)
    assert [entry["link"] for entry in alternate] == [f"{language}/" for language in LANGUAGES]
    assert [entry["name"] for entry in alternate] == names
    languages = languages_of(configuration)
    assert [entry["locale"] for entry in languages] == list(LANGUAGES)
    assert [entry["name"] for entry in languages] == names


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_title_of_a_page_in_the_navigation_is_its_heading(
    configuration: dict[str, Any], language: str
) -> None:
    (of_language,) = (entry for entry in languages_of(configuration) if entry["locale"] == language)
    translations = of_language.get("nav_translations", {})
    pages = dict(nav_pages(configuration["nav"]))
    assert pages
    for path, title in pages.items():
        text = (PROJECT.docs / language / path).read_text("utf-8")
        heading = re.search(r"^# (.+) \{#[a-z-]+\}$", text, re.MULTILINE)
        assert heading is not None
        expected = title if language == LANGUAGES[0] else translations[title]
        assert heading[1] == expected, f"{language}: {path}"
        assert f"\ntitle: {expected}\n" in text


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_title_of_the_navigation_is_translated(
    configuration: dict[str, Any], language: str
) -> None:
    def titles(nav: list[dict[str, Any]]) -> Iterator[str]:
        for entry in nav:
            for title, target in entry.items():
                yield title
                if isinstance(target, list):
                    yield from titles(target)

    (of_language,) = (entry for entry in languages_of(configuration) if entry["locale"] == language)
    assert sorted(of_language["nav_translations"]) == sorted(titles(configuration["nav"]))


def test_every_page_has_a_place_in_the_navigation(configuration: dict[str, Any]) -> None:
    folder = PROJECT.docs / LANGUAGES[0]
    pages = {path.relative_to(folder).as_posix() for path in folder.rglob("*.md")}
    assert set(dict(nav_pages(configuration["nav"]))) == pages


def test_nothing_is_asked_of_another_host(configuration: dict[str, Any]) -> None:
    assert configuration["theme"]["font"] is False
    assert "http" not in PROJECT.configuration.read_text("utf-8")
