"""Every reason code has one example; what is missing, unknown or malformed is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_build import reason_examples
from docs_build.faults import Refusal
from docs_build.reason_examples import read_reason_examples, reasons, with_facts
from skynet_stub.reasons import REASONS
from small_sources import sources, write

NAN = '[[reason]]\ncode = "score-nan"\nreturns = \'float("nan"), {"feedback": "x"}\'\n'
EXITED = (
    '[[reason]]\ncode = "call-exited"\nfacts = { code = "3" }\noptions = "--timeout 1"\n'
    'metric = """\ndef score(input, output): exit_here()\n"""\n'
    'case = \'{"input": {}, "output": 1}\'\n'
)


@pytest.fixture
def two_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {code: REASONS[code] for code in ("call-exited", "score-nan")}
    monkeypatch.setattr(reason_examples, "REASONS", few)


def refused(tmp_path: Path, toml: str) -> list[str]:
    with pytest.raises(Refusal) as caught:
        read_reason_examples(write(tmp_path / "snippets", {"reasons.toml": toml}))
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.usefixtures("two_reasons")
@pytest.mark.parametrize(
    ("toml", "problem"),
    [
        (NAN, "snippets/reasons.toml: the reason call-exited has no example."),
        (NAN + EXITED + NAN, "snippets/reasons.toml:13: the reason score-nan has an example"),
        (NAN + EXITED.replace("exited", "ended"), "toml:5: unknown reason code call-ended. Use"),
        (NAN + EXITED.replace('"3"', "3"), "toml:6: facts are not strings."),
        (NAN + EXITED.replace("{ code", "{ exit"), "toml:6: the facts of call-exited are code."),
        (EXITED + NAN.replace("returns", "metrics"), "toml:11: unknown key metrics."),
        (EXITED + NAN.split("returns")[0], "toml:9: the example needs one of returns and metric."),
        (EXITED + NAN.replace("code", "# code"), "toml:9: the example has no code."),
    ],
)
def test_what_is_wrong_with_an_example_is_named_with_its_line(
    tmp_path: Path, toml: str, problem: str
) -> None:
    found = refused(tmp_path, toml)
    assert any(problem in one for one in found), found


@pytest.mark.usefixtures("two_reasons")
def test_each_code_stands_below_its_item_with_why_what_to_do_and_an_example(
    tmp_path: Path,
) -> None:
    given = sources(tmp_path, **{"reasons.toml": NAN + EXITED})
    text = reasons(given).text
    run, value = text.index("## Metric run {#run}"), text.index("## Metric return value {#return-")
    assert run < text.index("### `call-exited` {#call-exited}") < value
    assert (
        text[value:]
        .partition("### ")[2]
        .startswith(
            "`score-nan` {#score-nan}\n\n**The score is NaN**\n\n"
            "NaN is neither above nor below any number. "
        )
    )
    assert 'Example: `return float("nan"), {"feedback": "x"}`' in text
    assert "The process ended with exit code 3." in text
    assert 'data-snippet="reasons.toml" data-reason="call-exited"' in text
    assert "Checked with `--timeout 1`." in text


def test_facts_are_code_unless_they_stand_in_code_or_are_numbers() -> None:
    assert with_facts(
        "Found {found}, length {n}: `return {found}`.", {"found": "{'a'}", "n": "3"}
    ) == ("Found `{'a'}`, length 3: `return {'a'}`.")
