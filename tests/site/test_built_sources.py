"""What is built says what its sources say: every sentence, every title, the date."""

from __future__ import annotations

import re

import pytest
import yaml

from built import LANGUAGES, BuiltSite
from docs_build.project import this_project
from skynet_stub.limits import GUIDE_RECORDED

pytest_plugins = ["site_fixtures"]
DOCS = this_project().docs
BLOCK = re.compile(r"^(?::::|!!! \w+|=== ).*$|^\|[-| ]+\|$", re.MULTILINE)
MARKUP = re.compile(r"\]\([^)]*\)|\{#[\w-]+\}|^\s*\d+\. ", re.MULTILINE)


def source_of(language: str, url: str) -> str:
    name = url.rstrip("/") or "index"
    return (DOCS / language / f"{name}.md").read_text("utf-8")


def letters(text: str) -> str:
    """Letters and digits alone: what no markup changes."""
    return re.sub(r"\W", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_says_every_sentence_of_its_source_in_order(site: BuiltSite, language: str) -> None:
    count = 0
    for url in site.urls:
        said = letters(site.page(language, url).article.get_text())
        _, _, body = source_of(language, url).split("---\n", 2)
        place = 0
        for line in filter(None, map(letters, MARKUP.sub("", BLOCK.sub("", body)).split("\n"))):
            place = said.find(line, place)
            assert place >= 0, f"{language}/{url}: {line!r}"
            count += 1
    assert count > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_for_programs_gives_the_titles_and_descriptions_of_the_sources(
    site: BuiltSite, language: str
) -> None:
    text = (site.folder / language / "llms.txt").read_text("utf-8")
    found = re.findall(r"^- \[(.+)\]\(.+\): (.+)$", text, re.MULTILINE)
    wanted = []
    for url in site.urls:
        meta = yaml.safe_load(source_of(language, url).split("---\n", 2)[1])
        wanted.append((meta["title"], meta["description"]))
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_gives_the_day_on_which_it_was_recorded(site: BuiltSite, language: str) -> None:
    year, month, day = GUIDE_RECORDED.year, GUIDE_RECORDED.month, GUIDE_RECORDED.day
    date = {
        "en": f"{GUIDE_RECORDED:%B} {day}, {year}",
        "zh-Hans": f"{year}年{month}月{day}日",
        "ru": f"{day} [а-я]+ {year}",
    }
    said = site.page(language).article.get_text().replace("\N{NO-BREAK SPACE}", " ")
    assert re.search(date[language], said)
