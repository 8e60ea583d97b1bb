"""The reason codes of the check, each with an example that fails with it alone.

The examples are data (`snippets/reasons.toml`), which the tests run: here they are only read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docs_build.faults import Fault, Refusal, closest
from docs_build.renderings import CASES, METRIC, Rendering, Sources
from docs_build.rows import tables_of
from docs_build.snippets import code_fence
from docs_build.tables import code_cell
from skynet_stub.items import CHECK_ITEMS
from skynet_stub.reasons import REASONS, Reason

REASON_EXAMPLES = "reasons.toml"

CASE = '{"input": {}, "output": "billing"}'
"""The case that an example is called with where it names none."""

_KINDS = {"code": str, "returns": str, "metric": str, "case": str, "options": str, "mode": str}
_CODE_SPAN = re.compile(r"`([^`]+)`")
_FACT = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class ReasonExample:
    """A metric that fails with one reason code alone.

    `returns` is the Python source of what it returns, where that is all there is to it; `source`
    is the whole file. `case` is a line of a case file, `options` are those of the command, and
    `mode` the permissions of the file, in octal digits. `facts` fill in the remedy.
    """

    code: str
    source: str
    returns: str | None = None
    case: str | None = None
    options: str = ""
    mode: str = "644"
    facts: Mapping[str, str] = field(default_factory=dict)


def read_reason_examples(folder: Path) -> dict[str, ReasonExample]:
    """The example of every reason code.

    Raises `Refusal`, with the line of each example that is malformed, repeated or of an unknown
    code, and for each code that has none.
    """
    file, tables = tables_of(folder, REASON_EXAMPLES, "reason")
    examples: dict[str, ReasonExample] = {}
    faults: list[Fault] = []
    for table in tables:
        found = list(_faults(table.values, examples))
        faults += [
            Fault(file, table.line_of(key), problem, remedy) for key, problem, remedy in found
        ]
        if not found:
            values = dict(table.values)
            source = values.pop("metric", None) or _returning(values["returns"])
            examples[values["code"]] = ReasonExample(source=source, **values)
    for code in REASONS:
        if not any(table.values.get("code") == code for table in tables):
            problem = f"the reason {code} has no example."
            faults.append(Fault(file, None, problem, "Add a [[reason]] that fails with it alone."))
    if faults:
        raise Refusal(faults)
    return examples


def reasons(sources: Sources) -> Rendering:
    """Every reason code below its item: why, what to do, and an example that fails with it."""
    examples = read_reason_examples(sources.snippets)
    parts = []
    for item in CHECK_ITEMS:
        word = sources.catalog.text
        parts.append(f"## {word(f'item.{item}')} {{#{item}}}\n\n{word(f'item.{item}.fails')}\n")
        for reason in REASONS.values():
            if reason.item == item:
                parts += _reason(sources, reason, examples[reason.code])
    return Rendering("\n".join(parts), frozenset({REASON_EXAMPLES}))


def _returning(expression: str) -> str:
    return f"def score(input, output, expected=None):\n    return {expression}\n"


def _faults(
    values: dict[str, Any], earlier: Mapping[str, ReasonExample]
) -> Iterator[tuple[str, str, str]]:
    """The faults of an example: the key, the problem, the remedy."""
    for key, value in values.items():
        if key == "facts":
            if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
                yield key, "facts are not strings.", 'Write facts = { name = "text" }.'
        elif key not in _KINDS:
            known = (*_KINDS, "facts")
            yield key, f"unknown key {key}.", f"Use {', '.join(known)}.{closest(key, known)}"
        elif not isinstance(value, str):
            yield key, f"{key} is {value!r}.", "Write a string."
    code = values.get("code")
    if not isinstance(code, str):
        yield "", "the example has no code.", "Add code = the reason that it fails with."
    elif code not in REASONS:
        remedy = f"Use a code of skynet_stub/reasons.py.{closest(code, REASONS)}"
        yield "code", f"unknown reason code {code}.", remedy
    elif code in earlier:
        yield "code", f"the reason {code} has an example already.", "Keep one."
    elif isinstance(values.get("facts", {}), dict):
        wanted, found = set(REASONS[code].facts), set(values.get("facts", {}))
        if wanted != found:
            names = ", ".join(sorted(wanted)) or "none"
            yield "facts", f"the facts of {code} are {names}.", "Give each of them, and no other."
    if ("returns" in values) == ("metric" in values):
        yield "", "the example needs one of returns and metric.", "Write the one or the other."


def _reason(sources: Sources, reason: Reason, example: ReasonExample) -> Iterator[str]:
    word = sources.catalog.text
    yield f"### `{reason.code}` {{#{reason.code}}}\n"
    yield f"**{word(f'reason.{reason.code}')}**\n"
    markers = {name: f"{{{name}}}" for name in example.facts}
    yield with_facts(word(f"remedy.{reason.code}", **markers), example.facts) + "\n"
    if example.returns is None:
        yield code_fence(
            example.source, "python", METRIC, snippet=REASON_EXAMPLES, reason=reason.code
        )
    else:
        code = code_cell(f"return {example.returns}")
        yield word("page.reason-example", code=code) + "\n"
    if example.case is not None:
        yield code_fence(
            f"{example.case}\n", "json", CASES, snippet=REASON_EXAMPLES, reason=reason.code
        )
    if example.options:
        yield word("page.reason-options", options=code_cell(example.options)) + "\n"
    if example.mode != "644":
        yield word("page.reason-mode", mode=code_cell(f"chmod {example.mode} {METRIC}")) + "\n"


def with_facts(message: str, facts: Mapping[str, str]) -> str:
    """A message of a catalog as Markdown, its `{placeholders}` filled with facts as code.

    A number stays plain text, and in a piece of code a fact stands as it is.
    """
    pieces = _CODE_SPAN.split(message)
    for number, piece in enumerate(pieces):
        if number % 2:
            pieces[number] = code_cell(_FACT.sub(lambda m: facts.get(m[1], m[0]), piece))
        else:
            pieces[number] = _FACT.sub(lambda m: _plain(facts[m[1]]), piece)
    return "".join(pieces)


def _plain(fact: str) -> str:
    return fact if re.fullmatch(r"[0-9.]+", fact) else code_cell(fact)
