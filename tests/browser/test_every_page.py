"""Every page of the sitemap, in each language, at the root of a host, and some below a path."""

from __future__ import annotations

import re

from built import AT_ROOT, LANGUAGES, BuiltSite
from sitemap import pages
from tour import PARTS, Part, Visits, urls_of
from visit import SECTION

pytest_plugins = ["browser_fixtures"]


def test_every_page_of_the_sitemap_is_visited(guide: BuiltSite) -> None:
    languages = [part.language for part in PARTS if part.root_url == AT_ROOT]
    visited = {(language, url) for language in languages for url in urls_of(guide, language)}
    assert visited == set(pages(guide))


def test_pages_of_each_depth_are_visited_below_a_path(part_site: BuiltSite, part: Part) -> None:
    depths = {url.count("/") for url in urls_of(part_site, part.language)}
    assert depths == {url.count("/") for language, url in pages(part_site)}


def test_every_language_has_the_guide(visits: Visits) -> None:
    assert "concepts/scorers/" in visits


def test_no_page_has_an_error_a_warning_or_a_request_that_fails_or_leaves_the_site(
    visits: Visits,
) -> None:
    assert {page: visit.problems for page, visit in visits.items() if visit.problems} == {}


def test_no_page_scrolls_sideways_on_a_phone(visits: Visits) -> None:
    assert {page: visit.wide for page, visit in visits.items() if visit.wide} == {}


def test_every_page_says_its_language(visits: Visits, part: Part) -> None:
    assert {visit.language for visit in visits.values()} == {part.language}


def test_every_page_is_titled_with_its_heading_and_no_two_alike(visits: Visits) -> None:
    for url, visit in visits.items():
        _, heading = visit.headings[0]
        assert visit.title.startswith(heading), url
    titles = [visit.title for visit in visits.values()]
    assert len(set(titles)) == len(titles), titles


def test_every_page_gives_its_own_absolute_address(visits: Visits, part: Part) -> None:
    for url, visit in visits.items():
        assert visit.canonical == [f"{part.root_url}{part.language}/{url}"]


def test_every_page_gives_its_absolute_address_in_each_language_and_by_default(
    visits: Visits, part: Part
) -> None:
    # By default the root chooses; it leads to the start page, so other pages name the English one.
    root_url = part.root_url
    for url, visit in visits.items():
        assert visit.alternates == [
            (True, "en", f"{root_url}en/{url}"),
            (True, "zh-Hans", f"{root_url}zh-Hans/{url}"),
            (True, "ru", f"{root_url}ru/{url}"),
            (True, "x-default", f"{root_url}en/{url}" if url else root_url),
        ]


def test_every_page_leads_to_its_section_in_every_language(visits: Visits, part: Part) -> None:
    for url, visit in visits.items():
        assert visit.switch == {
            language: f"{part.root_url}{language}/{url}{SECTION}" for language in LANGUAGES
        }


def test_no_page_has_an_id_twice(visits: Visits) -> None:
    assert {page: visit.repeated_ids for page, visit in visits.items() if visit.repeated_ids} == {}


def test_headings_go_down_one_level_at_a_time(visits: Visits) -> None:
    for url, visit in visits.items():
        levels = [level for level, _ in visit.headings]
        assert levels[0] == 1, url
        assert levels.count(1) == 1, url
        for (_, above), (level, text), before in zip(
            visit.headings, visit.headings[1:], levels, strict=False
        ):
            assert level <= before + 1, f"{url}: {text!r} after {above!r}"


def test_headings_are_the_same_in_every_language(visits: Visits, part_site: BuiltSite) -> None:
    for url, visit in visits.items():
        english = part_site.page("en", url).file.read_text("utf-8")
        levels = re.findall(r"<h([1-6])\b", english)
        assert [level for level, _ in visit.headings] == [int(level) for level in levels], url


def test_no_page_has_a_serious_fault(visits: Visits) -> None:
    faults = [fault for visit in visits.values() for fault in visit.faults]
    assert not faults, "\n".join(faults)


def test_every_page_is_judged_in_both_schemes(visits: Visits, part: Part) -> None:
    wanted = {"light", "dark"} if part.root_url == AT_ROOT else {"dark"}
    assert {url: set(visit.schemes) for url, visit in visits.items()} == dict.fromkeys(
        visits, wanted
    )
