"""The commands of the build: `python -m docs_build catalogs|stage|site|serve|pin`."""

from __future__ import annotations

import argparse
import os
import sys

from docs_build.catalogs import compile_catalogs
from docs_build.faults import Refusal, shown
from docs_build.project import Project, this_project


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 where it did its work, 1 where the sources do not allow it."""
    parser = argparse.ArgumentParser(prog="python -m docs_build", description=__doc__)
    parser.add_argument("command", choices=sorted(_COMMANDS))
    command = _COMMANDS[parser.parse_args(arguments).command]
    try:
        command(this_project())
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _catalogs(project: Project) -> None:
    from skynet_stub.messages import LANGUAGES

    compile_catalogs(project.catalogs, LANGUAGES)


def _stage(project: Project) -> None:
    from docs_build.stage import stage

    staging = stage(project, root_url=_site_url())
    changed = len(staging.written) + len(staging.removed)
    print(f"{len(staging.pages)} pages in {shown(project.staged)}, {changed} files changed")


def _site(project: Project) -> None:
    from docs_build.site import build_site
    from docs_build.warm import fork_here

    fork_here()
    site_url = _site_url()
    staging = build_site(project, site_url)
    print(f"{len(staging.pages)} pages in {shown(project.site)}, for {site_url}")


def _site_url() -> str:
    from docs_build.renderings import DEFAULT_SITE_URL

    return os.environ.get("SITE_URL") or DEFAULT_SITE_URL


def _serve(project: Project) -> None:
    from docs_build.serve import PORT, serve

    serve(project, _port(os.environ.get("PORT"), PORT))


def _pin(project: Project) -> None:
    from docs_build.pin import pin
    from docs_build.terminals import record_terminals
    from docs_build.wording import remember_wording
    from skynet_stub.messages import LANGUAGES

    for line in pin(project):
        print(line)
    for line in record_terminals(project):
        print(line)
    changed = remember_wording(project.catalogs, LANGUAGES, project.wording)
    for line in changed:
        print(line)
    print(f"{len(changed)} messages were worded anew in {shown(project.catalogs)}")


def _port(given: str | None, default: int) -> int:
    from docs_build.faults import refuse

    if not given:
        return default
    digits = given.isascii() and given.isdigit() and len(given) <= 5
    if not digits or not 0 < int(given) < 65536:
        problem = f"{given[:20]!r} is no port."
        raise refuse("PORT", None, problem, "Write a number from 1 to 65535.")
    return int(given)


# Each imports what it needs when it is run: compiling the catalogs needs neither MkDocs nor pages.
_COMMANDS = {
    "catalogs": _catalogs,
    "stage": _stage,
    "site": _site,
    "serve": _serve,
    "pin": _pin,
}

if __name__ == "__main__":
    sys.exit(main())
