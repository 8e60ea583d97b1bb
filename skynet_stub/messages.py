"""The message catalogs: every sentence that the check shows, in each language of the guide."""

from __future__ import annotations

import gettext
import re
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "zh-Hans", "ru")
"""The languages of the guide, of the check and of its messages; English is the source."""

FOLDER = Path(__file__).with_name("locale")
"""Where the compiled catalogs are, one for each language."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


class Catalog:
    """The messages of one language, by key."""

    def __init__(self, language: str, translations: gettext.GNUTranslations) -> None:
        self.language = language
        self._translations = translations

    def text(self, key: str, /, **facts: object) -> str:
        """The message of a key, its `{placeholders}` filled with facts.

        Raises `KeyError` where the key is not in the catalog, or a fact is missing.
        """
        return self._filled(key, self._translations.gettext(key), facts)

    def count(self, key: str, n: int, /, **facts: object) -> str:
        """The message of a key in the plural form for `n`, which also fills `{n}`."""
        return self._filled(key, self._translations.ngettext(key, key, n), {"n": n} | facts)

    def _filled(self, key: str, message: str, facts: dict[str, object]) -> str:
        if message == key:  # gettext answers with the key where it has no message
            raise KeyError(f"no message {key!r} in the catalog {self.language}")
        return _PLACEHOLDER.sub(lambda match: str(facts[match[1]]), message)


def placeholders(message: str) -> frozenset[str]:
    """The names of the `{placeholders}` in a message. Other braces are plain text."""
    return frozenset(_PLACEHOLDER.findall(message))


@cache
def catalog(language: str) -> Catalog:
    """The catalog of a language out of `LANGUAGES`.

    Raises `ValueError` for another language, and `FileNotFoundError` where the catalogs have not
    been compiled yet (a checkout compiles them with `make catalogs`).
    """
    if language not in LANGUAGES:
        raise ValueError(f"no messages in {language!r}; choose one of {', '.join(LANGUAGES)}")
    compiled = FOLDER / f"{language}.mo"
    try:
        with compiled.open("rb") as file:
            return Catalog(language, gettext.GNUTranslations(file))
    except FileNotFoundError:
        problem = "the message catalogs are not compiled: run `make catalogs` in the checkout"
        raise FileNotFoundError(problem) from None
