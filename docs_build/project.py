"""Where the sources of the site lie, and where what is made of them goes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Project:
    """A checkout of this repository, or a copy of its sources, by its top folder.

    `work` is the folder in it for what is made on the way to a site. Builds that may run at the
    same time have one each.
    """

    root: Path
    work: str = "build"

    @property
    def docs(self) -> Path:
        """The pages as they are written, a folder for each language."""
        return self.root / "docs"

    @property
    def snippets(self) -> Path:
        """The code and the data that pages show."""
        return self.root / "snippets"

    @property
    def catalogs(self) -> Path:
        """The message catalogs."""
        return self.root / "skynet_stub" / "locale"

    @property
    def wording(self) -> Path:
        """How the messages were worded when they were last read side by side."""
        return self.root / "tests" / "text" / "wording.txt"

    @property
    def glossary(self) -> Path:
        """The terms of the pages in each language."""
        return self.root / "translation" / "glossary.toml"

    @property
    def exemptions(self) -> Path:
        """What the checks of translations let pass, and why."""
        return self.root / "translation" / "exemptions.toml"

    @property
    def configuration(self) -> Path:
        """The configuration of MkDocs."""
        return self.root / "mkdocs.yml"

    @property
    def build(self) -> Path:
        """What only the build itself reads again."""
        return self.root / self.work

    @property
    def staged(self) -> Path:
        """The pages with all their blocks resolved; mirrors `docs`. MkDocs reads these."""
        return self.build / "staged"

    @property
    def site(self) -> Path:
        """The site, complete."""
        return self.root / "site"


def this_project() -> Project:
    """The checkout that this package lies in."""
    return Project(Path(__file__).resolve().parents[1])
