"""A message that is reworded in one language is noticed, until it was read in all."""

from __future__ import annotations

from pathlib import Path

from docs_build.project import this_project
from docs_build.wording import remember_wording, wording_faults
from skynet_stub.messages import LANGUAGES

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def catalogs(folder: Path, **texts: str) -> Path:
    for language, text in texts.items():
        entry = f'msgid "verdict.valid"\nmsgstr "{text}"\n'
        (folder / f"{language}.po").write_text(HEADER + entry, encoding="utf-8")
    return folder


def test_every_message_is_worded_as_it_was_read_in_all_languages() -> None:
    project = this_project()
    faults = list(wording_faults(project.catalogs, LANGUAGES, project.wording))
    assert not faults, "\n".join(map(str, faults))


def test_a_reworded_message_is_named_with_its_line_and_what_to_do(tmp_path: Path) -> None:
    remembered = tmp_path / "wording.txt"
    catalogs(tmp_path, en="Yes", ru="Да")
    assert len(remember_wording(tmp_path, ("en", "ru"), remembered)) == 2
    assert list(wording_faults(tmp_path, ("en", "ru"), remembered)) == []
    catalogs(tmp_path, ru="Ага")
    (fault,) = wording_faults(tmp_path, ("en", "ru"), remembered)
    assert fault.file.endswith("ru.po")
    assert fault.line == 4
    assert fault.problem == (
        "verdict.valid is worded otherwise than when it was last read beside en."
    )
    assert fault.remedy == "Read it in each language; where all say the same, run `make pin`."


def test_reading_it_again_settles_it(tmp_path: Path) -> None:
    remembered = tmp_path / "wording.txt"
    remember_wording(catalogs(tmp_path, en="Yes"), ("en",), remembered)
    catalogs(tmp_path, en="Right")
    (line,) = remember_wording(tmp_path, ("en",), remembered)
    assert line.endswith("/en.po:4: verdict.valid is worded anew")
    assert remember_wording(tmp_path, ("en",), remembered) == ()
    assert list(wording_faults(tmp_path, ("en",), remembered)) == []


def test_a_message_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    remembered = tmp_path / "wording.txt"
    remember_wording(catalogs(tmp_path, en="Yes"), ("en",), remembered)
    (tmp_path / "en.po").write_text(HEADER, encoding="utf-8")
    (fault,) = wording_faults(tmp_path, ("en",), remembered)
    assert fault.problem == "en verdict.valid is remembered, but there is no such message."
