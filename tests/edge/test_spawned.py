"""A metric whose work is done by processes that `multiprocessing` starts anew (B3, B4)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from skynet_stub.cases import Case
from skynet_stub.helpers import Models
from skynet_stub.outcomes import Called, Job, Loading
from supervised import supervisor

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork")

HEAD = """
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from skynet import llm, reward

@dataclass
class Answer:
    text: str

def work(answer, *more):
    for queue in more:
        queue.put(Answer(answer.text.upper()))
    return Answer(answer.text.upper())

def score(input, output, expected=None):
    {body}
    return 1.0, {{"feedback": done.text}}
"""

WAYS: dict[str, str] = {
    "a pool": """
    with multiprocessing.get_context("{start}").Pool(1) as pool:
        done = pool.apply(work, [Answer(output)])""",
    "an executor": """
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("{start}")) as pool:
        done = pool.submit(work, Answer(output)).result()""",
    "a process": """
    context = multiprocessing.get_context("{start}")
    queue = context.Queue()
    process = context.Process(target=work, args=(Answer(output), queue))
    process.start()
    done = queue.get()
    process.join()""",
}

OTHER = "raise SystemExit('another metric')\n"


def outcomes(folder: Path, name: str, source: str) -> tuple[Loading, Called]:
    """How a metric in a file of this name loads, and is called for one case."""
    path = folder / name
    path.write_text(source, encoding="utf-8")
    job = Job(path, [Case(1, 1, {}, "right")], 60, Models())
    loading, called = supervisor().run(job)
    assert isinstance(loading, Loading)
    assert isinstance(called, Called)
    return loading, called


@pytest.mark.parametrize("name", ["metric.py", "my_scorer.py", "scorer.txt"])
@pytest.mark.parametrize("start", ["spawn", "forkserver"])
@pytest.mark.parametrize("way", WAYS)
def test_the_children_of_a_metric_find_its_file_whatever_its_name(
    tmp_path: Path, way: str, start: str, name: str
) -> None:
    (tmp_path / "metric.py").write_text(OTHER, encoding="utf-8")
    source = HEAD.format(body=WAYS[way].format(start=start))
    _, called = outcomes(tmp_path, name, source)
    assert called.faults == ()
    assert called.returned is not None
    assert called.returned.feedback == "RIGHT"
    assert {path.name for path in tmp_path.iterdir()} == {"metric.py", name}


def test_they_find_it_where_the_metric_has_other_arguments_for_a_program_beside_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "train.py").write_text(OTHER, encoding="utf-8")
    source = HEAD.format(body=WAYS["a pool"].format(start="spawn"))
    _, called = outcomes(tmp_path, "metric.py", f"{source}\nsys.argv = ['train.py', '--k', '3']\n")
    assert called.returned is not None
    assert called.returned.feedback == "RIGHT"


CHILD = """
import multiprocessing, os, sys
def grandchild():
    os.write(1, f"{sys.modules['metric'].__file__} {__name__}\\n".encode())
def child(start):
    process = multiprocessing.get_context(start).Process(target=grandchild)
    process.start()
    process.join()
def score(input, output):
    process = multiprocessing.get_context("spawn").Process(target=child, args=("spawn",))
    process.start()
    process.join()
    return 1.0, {"feedback": str(process.exitcode)}
"""


def test_so_do_the_children_of_its_children(tmp_path: Path) -> None:
    _, called = outcomes(tmp_path, "my_scorer.py", CHILD)
    assert called.returned is not None
    assert called.returned.feedback == "0"
    assert called.printed.head == f"{tmp_path / 'my_scorer.py'} metric\n"


def test_a_child_has_no_case_to_call_a_model_for(tmp_path: Path) -> None:
    source = HEAD.format(body=WAYS["a pool"].format(start="spawn"))
    source = source.replace("def work(answer, *more):", "def work(answer, *more):\n    llm('?')")
    _, called = outcomes(tmp_path, "metric.py", source)
    (fault,) = called.faults
    assert fault.facts["exception"] == "RuntimeError: llm() was called outside a running case"
