"""The commands for translations: `python -m translation status|diff|translated|terms`.

They are run by `make`, and take what they need from the environment: PAGE, TO, SECTION, FORMAT,
STRICT.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from collections.abc import Mapping

from docs_build.faults import Refusal, refuse
from docs_build.project import Project, this_project
from translation.checks import term_report
from translation.diff import changes
from translation.pages import Pages, languages_of
from translation.record import record
from translation.status import as_json, as_text, is_current, standings


def main(
    arguments: list[str] | None = None,
    project: Project | None = None,
    given: Mapping[str, str] = os.environ,
) -> int:
    """Run one command. 0 where it did its work and, with STRICT, found all current; else 1."""
    parser = argparse.ArgumentParser(prog="python -m translation", description=__doc__)
    parser.add_argument("command", choices=sorted(_COMMANDS))
    command = _COMMANDS[parser.parse_args(arguments).command]
    try:
        return command(Pages(project or this_project()), given)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1


def _status(pages: Pages, given: Mapping[str, str]) -> int:
    if (form := given.get("FORMAT") or "text") not in ("text", "json"):
        raise refuse("FORMAT", None, f"{form!r} is no format.", "Write json, or leave it out.")
    found = standings(pages, list(languages_of(given.get("TO"))))
    print(as_json(found) if form == "json" else "\n".join(as_text(found)))
    malformed = any(one.malformed for one in found)
    strict = given.get("STRICT") not in (None, "", "0")
    return int(malformed or (strict and not is_current(found)))


def _diff(pages: Pages, given: Mapping[str, str]) -> int:
    path, language = _page(pages, given)
    for line in changes(pages, path, language):
        print(line)
    return 0


def _translated(pages: Pages, given: Mapping[str, str]) -> int:
    path, language = _page(pages, given)
    today = datetime.date.today()
    ids = record(pages, path, language, given.get("SECTION") or None, today)
    print(f"{path} in {language}: recorded {', '.join(ids) or 'nothing new'}")
    return 0


def _terms(pages: Pages, given: Mapping[str, str]) -> int:
    for language in languages_of(given.get("TO")):
        for line in term_report(pages, language):
            print(line)
    return 0


def _page(pages: Pages, given: Mapping[str, str]) -> tuple[str, str]:
    """The page and the language that are named."""
    path, language = given.get("PAGE", ""), given.get("TO", "")
    if path not in pages.paths:
        known = ", ".join(pages.paths)
        raise refuse("PAGE", None, f"{path!r} is no English page.", f"Pages: {known}.")
    if not language:
        raise refuse("TO", None, "no language is named.", "Write, for example, TO=ru.")
    (to,) = languages_of(language)
    return path, to


_COMMANDS = {"status": _status, "diff": _diff, "translated": _translated, "terms": _terms}

if __name__ == "__main__":
    sys.exit(main())
