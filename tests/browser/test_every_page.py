"""Every page of the sitemap, in each language, at the root of a host and below a path."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from built import AT_ROOT, BELOW_A_PATH, LANGUAGES, BuiltSite
from reader import reading
from sitemap import pages
from visit import Visit, facts, too_wide

pytest_plugins = ["browser_fixtures"]

pytestmark = pytest.mark.parametrize(
    "site",
    [AT_ROOT, BELOW_A_PATH],
    ids=["at the root", "below a path"],
    indirect=True,
    scope="module",
)

Visits = dict[tuple[str, str], Visit]


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, serve: Callable[[str], BuiltSite]) -> BuiltSite:
    """The site at either address."""
    return serve(request.param)


@pytest.fixture(scope="module")
def visits(chromium: Browser, site: BuiltSite) -> Visits:
    """What was seen on each page of the sitemap, by language and address below the language."""
    found = {}
    with reading(chromium, site) as reader:
        for language, url in pages(site):
            with reader.guard.new_problems() as problems:
                reader.open(language, url)
                known = facts(reader.page)
                wide = too_wide(reader.page)
            found[language, url] = Visit(**known, wide=wide, problems=problems)
    return found


def test_every_language_has_the_guide(visits: Visits) -> None:
    assert {language for language, url in visits if url == "concepts/scorers/"} == set(LANGUAGES)


def test_no_page_has_an_error_a_warning_or_a_request_that_fails_or_leaves_the_site(
    visits: Visits,
) -> None:
    assert {page: visit.problems for page, visit in visits.items() if visit.problems} == {}


def test_no_page_scrolls_sideways_on_a_phone(visits: Visits) -> None:
    assert {page: visit.wide for page, visit in visits.items() if visit.wide} == {}


def test_every_page_says_its_language(visits: Visits) -> None:
    assert {page: visit.language for page, visit in visits.items()} == {
        (language, url): language for language, url in visits
    }


def test_every_page_is_titled_with_its_heading_and_no_two_alike(visits: Visits) -> None:
    for page, visit in visits.items():
        _, heading = visit.headings[0]
        assert visit.title.startswith(heading), page
    for language in LANGUAGES:
        titles = [visit.title for (found, _), visit in visits.items() if found == language]
        assert len(set(titles)) == len(titles), titles


def test_every_page_gives_its_own_absolute_address(visits: Visits, site: BuiltSite) -> None:
    for (language, url), visit in visits.items():
        assert visit.canonical == [f"{site.root_url}{language}/{url}"]


def test_every_page_gives_its_absolute_address_in_each_language_and_by_default(
    visits: Visits, site: BuiltSite
) -> None:
    # By default the root chooses; it leads to the start page, so other pages name the English one.
    for (_, url), visit in visits.items():
        assert visit.alternates == [
            (True, "en", f"{site.root_url}en/{url}"),
            (True, "zh-Hans", f"{site.root_url}zh-Hans/{url}"),
            (True, "ru", f"{site.root_url}ru/{url}"),
            (True, "x-default", f"{site.root_url}en/{url}" if url else site.root_url),
        ]


def test_no_page_has_an_id_twice(visits: Visits) -> None:
    assert {page: visit.repeated_ids for page, visit in visits.items() if visit.repeated_ids} == {}


def test_headings_go_down_one_level_at_a_time(visits: Visits) -> None:
    for page, visit in visits.items():
        levels = [level for level, _ in visit.headings]
        assert levels[0] == 1, page
        assert levels.count(1) == 1, page
        for (_, above), (level, text), before in zip(
            visit.headings, visit.headings[1:], levels, strict=False
        ):
            assert level <= before + 1, f"{page}: {text!r} after {above!r}"


def test_headings_are_the_same_in_every_language(visits: Visits) -> None:
    for (_, url), visit in visits.items():
        english = visits["en", url].headings
        assert [level for level, _ in visit.headings] == [level for level, _ in english], url
