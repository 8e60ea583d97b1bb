"""Read the arguments of the command, and write its help, in the words of the catalogs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from skynet_stub.refused import Refused

COMMAND = "check"

OPTIONS: dict[str, tuple[str | None, str, dict[str, object]]] = {
    "--cases": ("FILE", "command.cases", {}),
    "--all": (None, "command.all", {"count": CONTRACT_CHECK_CASES}),
    "--timeout": (
        "SECONDS",
        "command.timeout",
        {"default": METRIC_TIMEOUT_SECONDS, "maximum": METRIC_TIMEOUT_MAX_SECONDS},
    ),
    "--memory": ("SIZE", "command.memory", {"default": METRIC_MEMORY_MIB}),
    "--metric-model": ("NAME", "command.metric-model", {}),
    "--reflection-model": (
        "NAME",
        "command.reflection-model",
        {"default": DEFAULT_REFLECTION_MODEL},
    ),
    "--strict": (None, "command.strict", {}),
    "--lang": ("LANGUAGE", "command.lang", {"known": ", ".join(LANGUAGES)}),
    "--help": (None, "command.help", {}),
}
"""The options in the order of the help. Of each: what stands for its value there (`None`: it
takes none), the key of its sentence, and the facts that the sentence names."""

_SHORT = {"-h": "--help"}


def read_options(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The arguments that are no options, and the options with their values (`""` for a flag).

    Where an option is repeated the last one holds; all behind `--` is no option. Raises `Refused`
    for an option that is not known, lacks its value, or has one that it does not take.
    """
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
            options[name] = value
    return plain, options


def _option(argument: str, left: Iterator[str]) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    name = _SHORT.get(name, name)
    if name not in OPTIONS:
        close = closest(name, OPTIONS)
        if close:
            raise Refused("option-mistyped", found=shown_name(name), close=close)
        raise Refused("option-unknown", found=shown_name(name))
    stands_for, _, _ = OPTIONS[name]
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


def the_metric(plain: Sequence[str]) -> str:
    """The metric file that the arguments name. Raises `Refused` where they name none, or two."""
    if not plain:
        raise Refused("no-command")
    command, *metrics = plain
    if command != COMMAND:
        raise Refused("command-unknown", found=shown_name(command))
    if not metrics:
        raise Refused("no-metric")
    if len(metrics) > 1:
        raise Refused("second-metric", found=shown_name(metrics[1]))
    return metrics[0]


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


def help_lines(language: str) -> Iterator[str]:
    """The help of the command."""
    words = catalog(language)
    yield words.text("command.usage", usage=f"skynet-stub {COMMAND} metric.py [--cases FILE] …")
    yield ""
    yield words.text("command.description")
    yield ""
    yield f"  metric.py\n      {words.text('command.metric')}"
    yield ""
    yield words.text("command.options")
    for name, (stands_for, key, facts) in OPTIONS.items():
        yield f"  {name} {stands_for}" if stands_for else f"  {name}"
        yield f"      {words.text(key, **facts)}"
