"""The one exception of the stub: something that it was given cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from errno import ENAMETOOLONG, ENOENT, ENOTDIR

from skynet_stub.messages import catalog


class Refused(Exception):
    """What was given cannot be checked, and nothing was run; or the check could not be ended.

    `key` names the sentence in the message catalogs, `facts` fill its placeholders. `str()` is
    that sentence in English: what was found, what is wanted, what to do. One line.
    """

    def __init__(self, key: str, /, **facts: object) -> None:
        self.key = f"refused.{key}"
        self.facts = {name: str(fact) for name, fact in facts.items()}
        super().__init__(self.key)

    def __str__(self) -> str:
        return self.text("en")

    def text(self, language: str) -> str:
        """The sentence in a language of the catalogs, on one line."""
        return " ".join(catalog(language).text(self.key, **self.facts).splitlines())


def not_there(problem: OSError) -> bool:
    """Whether a path leads to no file; else there may be one that cannot be reached."""
    return problem.errno in (ENOENT, ENOTDIR, ENAMETOOLONG)


def refused_from_wire(key: str, facts: Mapping[str, str]) -> Refused:
    """The refusal with this key and these facts, as another process told them."""
    return Refused(key.removeprefix("refused."), **facts)
