"""What the reference names is there, and what is there it names: in each language, by the code."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import Tag

import skynet_stub
from built import LANGUAGES, BuiltSite, header, lines, tables
from skynet_stub import command, pins
from skynet_stub.cases import parse_cases
from skynet_stub.items import CHECK_ITEMS
from skynet_stub.messages import catalog
from skynet_stub.options import help_lines, read_arguments
from skynet_stub.reasons import REASONS
from skynet_stub.refused import Refused

pytest_plugins = ["site_fixtures"]

STUB = Path(skynet_stub.__file__).parent
LEAST = {"input": {}, "output": 0}


def section(site: BuiltSite, language: str, page: str, id_: str) -> list[Tag]:
    """The elements from a heading to the next one of its level or above."""
    heading = site.page(language, page).article.find(id=id_)
    assert isinstance(heading, Tag), id_
    found: list[Tag] = []
    for element in heading.find_next_siblings():
        if re.fullmatch(r"h[1-6]", element.name) and element.name <= heading.name:
            break
        found.append(element)
    return found


def the_table(site: BuiltSite, language: str, page: str, id_: str) -> list[list[Tag]]:
    """The rows of the only table of a section, without the header."""
    found = [
        table for element in section(site, language, page, id_) for table in tables_at(element)
    ]
    (table,) = found
    assert all(len(row) == len(table[0]) for row in table)
    return table[1:]


def tables_at(element: Tag) -> list[list[list[Tag]]]:
    holder = Tag(name="div")
    holder.append(element.__copy__())
    return tables(holder)


def codes(site: BuiltSite, language: str, page: str, level: str) -> list[str]:
    """The code in each heading of a level."""
    headings = site.page(language, page).article.find_all(level)
    return [code.get_text() for heading in headings for code in heading.find_all("code")]


def is_refused(*arguments: str) -> bool:
    try:
        read_arguments(arguments)
    except Refused:
        return True
    return False


# --- The command ---


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["check", "init"])
def test_the_options_of_a_command_are_those_of_its_help(
    site: BuiltSite, language: str, name: str
) -> None:
    rows = the_table(site, language, "reference/command/", name)
    written = [lines(option)[0] for option, _ in rows]
    asked = read_arguments([name])
    said = [line.strip() for line in help_lines(asked.command, language)]
    assert written == [line for line in said if line.startswith("--")]
    for option, does in rows:
        words = said[said.index(lines(option)[0]) + 1]
        assert does.get_text() == words.replace("`", "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["check", "init"])
def test_the_command_takes_the_options_of_the_page_and_no_other(
    site: BuiltSite, language: str, name: str
) -> None:
    rows = the_table(site, language, "reference/command/", name)
    there = {lines(option)[0].partition(" ")[0] for option, _ in rows}
    for option in [lines(row[0])[0] for row in rows]:
        words = option.split(" ")
        assert not is_refused(name, *words), option
        assert len(words) == 2 or is_refused(name, f"{option}=x")
    source = (STUB / "options.py").read_text("utf-8")
    for option in set(re.findall(r'"(--[a-z-]+)"', source)) - there:
        assert is_refused(name, option, "x"), option


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_exit_codes_are_those_of_the_command(site: BuiltSite, language: str) -> None:
    rows = the_table(site, language, "reference/command/", "exit-codes")
    assert [int(lines(code)[0]) for code, _ in rows] == [
        command.PASSED,
        command.FAILED,
        command.REFUSED,
        command.INTERRUPTED,
    ]


def test_no_page_writes_an_option_that_there_is_not(site: BuiltSite) -> None:
    plugin = (STUB / "pytest_plugin.py").read_text("utf-8")
    ours = set(re.findall(r'"(--[a-z-]+)"', (STUB / "options.py").read_text("utf-8") + plugin))
    others = {"--no-header", "--force-reinstall"}  # of pytest and pip
    for page in site.pages.values():
        for code in page.article.find_all("code"):
            found = set(re.findall(r"(?<!\S)--[a-z][a-z-]*", code.get_text()))
            assert found <= ours | others, page.address


# --- Case files ---

VALUES: dict[str, Any] = {
    "input": {},
    "output": 0,
    "expected": {},
    "llm": ["PASS"],
    "measured": {},
    "measured.ms": 1,
    "measured.usd": 1,
    "result": {"score": 1},
    "result.score": 1,
    "result.feedback": "x",
    "result.scores": {"a": 1},
}


def case_with(*names: str) -> bytes:
    """A case that has these fields, with the objects that they stand in."""
    case: dict[str, Any] = {}
    for name in names:
        within, _, key = name.rpartition(".")
        place = case.setdefault(within, {}) if within else case
        place.setdefault(key, VALUES[name] if name not in ("measured", "result") else {})
    return json.dumps(case).encode()


def is_case(data: bytes) -> bool:
    try:
        return len(parse_cases(data, "cases.jsonl")) == 1
    except Refused:
        return False


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fields_of_a_case_are_what_is_read(site: BuiltSite, language: str) -> None:
    rows = the_table(site, language, "reference/cases/", "keys")
    word = {"en": "required", "zh-Hans": "必填", "ru": "обязателен"}[language]
    required = {lines(name)[0]: name.get_text().endswith(word) for name, _ in rows}
    everything = list(required)
    assert everything == list(VALUES)
    assert is_case(case_with(*everything))
    for name in everything:
        below = [one for one in everything if one.startswith(f"{name}.")]
        without = [one for one in everything if one not in (name, *below)]
        assert is_case(case_with(*without)) != required[name], name
    for holder in ("", "measured.", "result."):
        line = case_with(*everything).decode()
        key = holder.removesuffix(".")
        wrong = (
            line.replace(f'"{key}": {{', f'"{key}": {{"more": 1, ', 1)
            if key
            else (line.replace("{", '{"more": 1, ', 1))
        )
        assert wrong != line
        assert not is_case(wrong.encode()), holder


def test_pinned_numbers_are_compared_as_the_page_says(site: BuiltSite) -> None:
    said = f"rel_tol={pins.RELATIVE_TOLERANCE!r}, abs_tol={pins.ABSOLUTE_TOLERANCE!r}"
    for language in LANGUAGES:
        assert said in site.page(language, "reference/cases/").article.get_text()


# --- Helpers and Python ---


def type_stubs() -> Iterator[ast.FunctionDef]:
    tree = ast.parse((STUB / "skynet-stubs" / "__init__.pyi").read_text("utf-8"))
    return (node for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_helpers_are_those_of_the_module_with_their_signatures(
    site: BuiltSite, language: str
) -> None:
    assert codes(site, language, "reference/helpers/", "h3") == [
        f"{function.name}()" for function in type_stubs()
    ]
    for function in type_stubs():
        id_ = function.name.replace("_", "-")
        signature, platform, stub = section(site, language, "reference/helpers/", id_)
        assert function.returns is not None
        returns = ast.unparse(function.returns)
        written = f"{function.name}({ast.unparse(function.args)}) -> {returns}"
        assert signature.get_text().replace(" = ", "=") == written
        assert platform.get_text() != stub.get_text()


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", "local stub"), ("zh-Hans", "本地桩程序"), ("ru", "локальн")],
)
def test_what_is_the_stubs_own_is_said_to_be(site: BuiltSite, language: str, word: str) -> None:
    for function in type_stubs():
        id_ = function.name.replace("_", "-")
        _, platform, stub = section(site, language, "reference/helpers/", id_)
        assert word in stub.get_text().lower()
        assert word not in platform.get_text().lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_of_python_are_the_public_ones(site: BuiltSite, language: str) -> None:
    found = codes(site, language, "reference/python/", "h3")
    assert sorted(found) == sorted(skynet_stub.__all__)
    for name in found:
        id_ = name.replace("_", "-").lower()
        written, *_, last = section(site, language, "reference/python/", id_)
        value = getattr(skynet_stub, name)
        text = written.get_text()
        assert re.search(rf"\b{name}\(", text)
        if inspect.isfunction(value):
            assert parameters(text) == list(inspect.signature(value).parameters)
        elif name != "Refused":
            assert parameters(text) == list(value.__match_args__)
        shown = list(last.stripped_strings) if last.name == "ul" else []
        members = [text.lstrip(".").partition(":")[0].partition("(")[0] for text in shown[::2]]
        fields = getattr(value, "__match_args__", ())
        own = vars(value) if inspect.isclass(value) else {}
        assert members == [key for key in own if not key.startswith("_") and key not in fields]


def parameters(signature: str) -> list[str]:
    """The names of the parameters in a signature as it is written."""
    tree = ast.parse(f"def {signature.partition(' -> ')[0]}: ...".replace("mappingproxy", ""))
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    return [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_of_the_pytest_plugin_are_on_its_page(site: BuiltSite, language: str) -> None:
    source = (STUB / "pytest_plugin.py").read_text("utf-8")
    rows = the_table(site, language, "reference/python/", "pytest")
    found = [lines(option)[0].partition(" ")[0] for option, _ in rows]
    assert found == re.findall(r'addoption\(\s*"(--[a-z-]+)"', source)


# --- Reports and reasons ---


def members(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """The path of every member of the schema, and its types."""
    for name, field in schema.get("properties", {}).items():
        types = field.get("type", "string")
        yield path + name, ", ".join(types) if isinstance(types, list) else types
        yield from members(field.get("items", {}), f"{path}{name}.")
        yield from members(field, f"{path}{name}.")


def listed(fields: Tag, path: str = "") -> Iterator[tuple[str, str]]:
    """The path of every field in a list and the lists in it, and its types; each says more."""
    for item in fields.find_all("li", recursive=False):
        code = item.find("code")
        assert isinstance(code, Tag)
        match = re.match(r"(\w+) ?[(（]([\w, ]+)[)）][:：]\s*\S", item.get_text().strip())
        assert match is not None
        assert match[1] == code.get_text()
        yield path + match[1], match[2]
        for below in item.find_all("ul", recursive=False):
            yield from listed(below, f"{path}{match[1]}.")


def fields_of(site: BuiltSite, language: str) -> list[tuple[str, str]]:
    elements = section(site, language, "reference/report/", "json")
    (fields,) = (element for element in elements if element.name == "ul")
    return list(listed(fields))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fields_of_the_report_are_those_of_the_schema(site: BuiltSite, language: str) -> None:
    schema = json.loads((STUB / "report.schema.json").read_text("utf-8"))
    assert fields_of(site, language) == list(members(schema))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shown_document_has_just_the_fields_of_the_page(site: BuiltSite, language: str) -> None:
    elements = section(site, language, "reference/report/", "json")
    (pre,) = (pre for element in elements for pre in element.find_all("pre"))
    document = json.loads(pre.get_text().partition("\n")[2])
    assert document["passed"] is False
    assert list(document) == [path for path, _ in fields_of(site, language) if "." not in path]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_stands_below_its_item_in_the_order_of_the_check(
    site: BuiltSite, language: str
) -> None:
    article = site.page(language, "reference/reasons/").article
    found: list[tuple[str, str]] = []
    item = ""
    for heading in article.find_all(["h2", "h3"]):
        if heading.name == "h2":
            item = str(heading["id"])
            assert heading.get_text().rstrip("¶") == catalog(language).text(f"item.{item}")
        else:
            found.append((item, str(heading["id"])))
            assert heading.get_text().rstrip("¶") == heading["id"]
    assert found == [
        (item, reason.code)
        for item in CHECK_ITEMS
        for reason in REASONS.values()
        if reason.item == item
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_says_why_what_to_do_and_has_an_example(
    site: BuiltSite, language: str
) -> None:
    for code in REASONS:
        why, remedy, *example = section(site, language, "reference/reasons/", code)
        assert why.get_text() == catalog(language).text(f"reason.{code}").replace("`", "")
        assert remedy.get_text()
        assert not re.search(r"\{[a-z_]+\}", remedy.get_text()), code
        assert any(element.find(["code", "pre"]) for element in example), code


# --- Installation ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_wheel_lies_where_the_page_says_and_has_the_digest(
    any_site: BuiltSite, language: str
) -> None:
    elements = section(any_site, language, "guides/check/", "install")
    (link,) = [
        a for each in elements for a in each.find_all("a") if str(a["href"]).endswith(".whl")
    ]
    file = any_site.file_at(str(link["href"]))
    assert file is not None
    assert file.name == link.get_text()
    text = " ".join(element.get_text() for element in elements)
    assert hashlib.sha256(file.read_bytes()).hexdigest() in text
    assert f"pip install {link['href']}\n" in text


def test_every_table_of_the_reference_has_a_header(site: BuiltSite) -> None:
    for (_, url), page in site.pages.items():
        if url.startswith("reference/"):
            assert all(all(header(table)) for table in tables(page.article)), page.address
