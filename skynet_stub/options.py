"""Read the arguments of the command, and write its help, in the words of the catalogs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from skynet_stub.closest import closest
from skynet_stub.display import shown_name
from skynet_stub.helpers import DEFAULT_REFLECTION_MODEL
from skynet_stub.limits import (
    CONTRACT_CHECK_CASES,
    METRIC_MEMORY_MIB,
    METRIC_TIMEOUT_MAX_SECONDS,
    METRIC_TIMEOUT_SECONDS,
)
from skynet_stub.messages import LANGUAGES, catalog
from skynet_stub.reasons import NO_FACTS
from skynet_stub.record import Record
from skynet_stub.refused import Refused

FORMATS = ("text", "json", "github")
"""The forms of a report: for people, for programs, for the annotations of a GitHub workflow."""


class Option(Record):
    """One option of the command.

    `value` is what stands for its value in the help (`None`: it takes none), `key` its sentence in
    the catalogs, `facts` what the sentence names. Where an option is given again its last value
    holds; of one that `adds_up` all do.
    """

    name: str
    value: str | None
    key: str
    facts: Mapping[str, object] = NO_FACTS
    adds_up: bool = False


class Command(Record):
    """One command: how it is written, what its argument is, and the names of its options.

    The catalogs say what it does in `command.<name>`, and in `key` what its argument is.
    """

    name: str
    usage: str
    argument: str
    key: str
    options: tuple[str, ...]


_TIMEOUTS = {"default": METRIC_TIMEOUT_SECONDS, "maximum": METRIC_TIMEOUT_MAX_SECONDS}
_ALL = (
    Option("--cases", "FILE", "command.cases"),
    Option("--all", None, "command.all", {"count": CONTRACT_CHECK_CASES}),
    Option("--case", "NUMBER", "command.case", adds_up=True),
    Option("--timeout", "SECONDS", "command.timeout", _TIMEOUTS),
    Option("--memory", "SIZE", "command.memory", {"default": METRIC_MEMORY_MIB}),
    Option("--metric-model", "NAME", "command.metric-model"),
    Option(
        "--reflection-model",
        "NAME",
        "command.reflection-model",
        {"default": DEFAULT_REFLECTION_MODEL},
    ),
    Option("--format", "FORMAT", "command.format", {"known": ", ".join(FORMATS)}),
    Option("--pin", None, "command.pin"),
    Option("--strict", None, "command.strict"),
    Option("--lang", "LANGUAGE", "command.lang", {"known": ", ".join(LANGUAGES)}),
    Option("--version", None, "command.version"),
    Option("--help", None, "command.help"),
)
OPTIONS: Mapping[str, Option] = {option.name: option for option in _ALL}
"""All options by name, in the order of the help."""

ALWAYS = ("--lang", "--version", "--help")
"""The options that every command has, and the command line without one."""

COMMANDS: Mapping[str, Command] = {
    "check": Command(
        "check",
        "skynet-stub check metric.py [--cases FILE] …",
        "metric.py",
        "command.metric",
        tuple(OPTIONS),
    ),
    "init": Command("init", "skynet-stub init [FOLDER]", "FOLDER", "command.folder", ALWAYS),
}
"""All commands by name, in the order of the help."""

_SHORT = {"-h": "--help"}


class Asked(Record):
    """What the arguments ask for: a command (`None`: none was named), its argument (`None`: none
    was given) and its options, `""` for one that takes no value."""

    command: Command | None
    argument: str | None
    options: Mapping[str, str]


def read_arguments(arguments: Sequence[str]) -> Asked:
    """What the arguments ask for. Raises `Refused` where they do not make sense together."""
    plain, options = _parted(arguments)
    if not plain:
        return Asked(None, None, options)
    name, *rest = plain
    command = COMMANDS.get(name)
    if command is None:
        raise Refused("command-unknown", found=shown_name(name))
    for option in options:
        if option not in command.options:
            raise Refused("option-of-another", option=option, command=name)
    if len(rest) > 1:
        if name == "init":
            raise Refused("second-folder", found=shown_name(rest[1]))
        raise Refused("second-metric", found=shown_name(rest[1]))
    return Asked(command, rest[0] if rest else None, options)


def _parted(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The arguments that are no options, and the options. All behind `--` is no option."""
    plain: list[str] = []
    options: dict[str, str] = {}
    left = iter(arguments)
    for argument in left:
        if argument == "--":
            plain += left
        elif not argument.startswith("-") or argument == "-":
            plain.append(argument)
        else:
            name, value = _option(argument, left)
            adds = name in options and OPTIONS[name].adds_up
            options[name] = f"{options[name]},{value}" if adds else value
    return plain, options


def _option(argument: str, left: Iterator[str]) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    name = _SHORT.get(name, name)
    if name not in OPTIONS:
        close = closest(name, OPTIONS)
        if close:
            raise Refused("option-mistyped", found=shown_name(name), close=close)
        raise Refused("option-unknown", found=shown_name(name))
    stands_for = OPTIONS[name].value
    if stands_for is None:
        if equals:
            raise Refused("option-with-value", option=name)
        return name, ""
    if not equals:
        following = next(left, None)
        if following is None or following.partition("=")[0] in OPTIONS:
            raise Refused("option-without-value", option=name, usage=f"{name} {stands_for}")
        value = following
    return name, value


def language_of(arguments: Sequence[str]) -> str:
    """The language of the report, the help and all refusals, whatever else is wrong.

    Raises `Refused` for a language that there is not.
    """
    language = LANGUAGES[0]
    before = ""
    for argument in arguments:
        if argument == "--":
            break
        name, equals, value = argument.partition("=")
        if before == "--lang":
            language = argument
        elif name == "--lang" and equals:
            language = value
        before = argument
    if language not in LANGUAGES:
        raise Refused("language", found=shown_name(language), known=", ".join(LANGUAGES))
    return language


def help_lines(command: Command | None, language: str) -> Iterator[str]:
    """The help of a command, or of all together where none was named."""
    words = catalog(language)
    if command is None:
        yield words.text("command.usage", usage="skynet-stub COMMAND …")
        yield ""
        yield words.text("command.commands")
        for one in COMMANDS.values():
            yield f"  {one.usage}"
            yield f"      {words.text(f'command.{one.name}')}"
    else:
        yield words.text("command.usage", usage=command.usage)
        yield ""
        yield words.text(f"command.{command.name}")
        yield ""
        yield f"  {command.argument}"
        yield f"      {words.text(command.key)}"
    yield ""
    yield words.text("command.options")
    for name in command.options if command else ALWAYS:
        option = OPTIONS[name]
        yield f"  {name} {option.value}" if option.value else f"  {name}"
        yield f"      {words.text(option.key, **option.facts)}"
