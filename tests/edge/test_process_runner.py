"""The process runner: the same outcomes, whatever the metric does to its process (B4).

What a metric leaves behind is watched through a named pipe: it ends for its reader only when the
last process that holds it has ended.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from skynet_stub import command
from skynet_stub.cases import Case, Measured
from skynet_stub.check import check_metric
from skynet_stub.helpers import Models
from skynet_stub.in_process import run_in_process
from skynet_stub.outcomes import Called, Job, Loading, Printed
from skynet_stub.process import run_in_a_process
from supervised import supervisor

SNIPPETS = Path(__file__).parents[2] / "snippets"
GOOD = 'def score(input, output, expected=None):\n    return 1.0, {"feedback": "Right."}\n'
SHORT = 1.0
"""A timeout in seconds for what never returns by itself, and for what is done at once before."""

KEPT = 64 * 1024
"""How many bytes of what is printed are kept at each end."""


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python as it is by default: what it prints is buffered, what it compiles is kept."""
    for name in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)


def case(number: int = 1, output: Any = "out", **fields: Any) -> Case:
    return Case(**{"number": number, "line": number, "input": {}, "output": output} | fields)


def cases_with(*outputs: Any) -> list[Case]:
    return [case(number, output) for number, output in enumerate(outputs, 1)]


def job_of(
    folder: Path, source: str, cases: Sequence[Case] | None = None, timeout: float = 60
) -> Job:
    path = folder / "metric.py"
    path.write_text(source, encoding="utf-8")
    return Job(path, cases or [case()], timeout, Models())


def run(
    folder: Path, source: str, cases: Sequence[Case] | None = None, timeout: float = 60
) -> tuple[Loading, list[Called]]:
    """The outcomes of a metric in a process of its own, below one that others had before."""
    return parted(supervisor("ctypes").run(job_of(folder, source, cases, timeout)))


def started(folder: Path, source: str, cases: Sequence[Case] | None = None) -> list[Any]:
    """The outcomes of a metric below a process of its own, as a Python caller gets them."""
    return list(run_in_a_process(job_of(folder, source, cases)))


def parted(outcomes: Iterator[Loading | Called]) -> tuple[Loading, list[Called]]:
    loading, *called = outcomes
    assert isinstance(loading, Loading)
    return loading, [one for one in called if isinstance(one, Called)]


def call(folder: Path, source: str, timeout: float = 60, **fields: Any) -> Called:
    """The outcome of the one call of a metric that loads."""
    loading, (called,) = run(folder, source, [case(**fields)], timeout)
    assert loading.faults == ()
    return called


def feedback(called: Called) -> str:
    assert called.returned is not None, called
    return called.returned.feedback


def faults(outcome: Loading | Called) -> list[tuple[str, dict[str, str]]]:
    return [(fault.reason, dict(fault.facts)) for fault in outcome.faults]


def saying(expression: str, before: str = "pass") -> str:
    """A metric whose feedback is an expression, worked out after a statement."""
    return f"""
import os, signal, subprocess, sys, time
def score(input, output, expected=None):
    {before}
    return 1.0, {{"feedback": str({expression})}}
"""


# --- The same outcomes as inside this process ----------------------------------------------------

SAME: dict[str, tuple[str, list[Case]]] = {
    "a good metric": (GOOD, cases_with(1, 2, 3)),
    "named scores": (
        'def score(i, o): return o, {"feedback": "", "scores": {"a": 5e-324, "b": -0.0}}',
        cases_with(0.1, 10**300, 1),
    ),
    "all kinds of values": (
        saying("repr([input, output, expected])"),
        [
            case(1, None),
            case(2, [1.5, {"a": [True, None]}], expected={"label": "né"}),
            case(3, "\ud800 \u2028 😀", expected=10**100),
            case(4, 1e308, input={"": {"b": "\0"}}),
        ],
    ),
    "a lone surrogate in the feedback": (saying(r"'\udfff'"), [case()]),
    "state between cases": (
        "seen = []\ndef score(i, o):\n    seen.append(o)\n    return 1, {'feedback': repr(seen)}",
        cases_with(1, 2, 3),
    ),
    "a model as the judge": (
        "from skynet import llm\n" + saying("llm('?', output) + llm('?')"),
        [case(1, "a", llm=("b", "c")), case(2, "a", llm=("b",)), case(3, "a", llm=("b", "c", "d"))],
    ),
    "measurements": (
        "from skynet import observation, service_cost\n"
        + saying("(observation().ms, observation().usd, service_cost())"),
        [case(1, measured=Measured(1.5, 0.25)), case(2)],
    ),
    "another spec": (
        "from skynet import reward\ndef score(i, o): return reward({'weights': {'accuracy': 1, "
        "'speed': 0, 'cost': 0}, 'accuracy': {}, 'speed': {'reference': 1}, "
        "'cost': {'reference': 1}}, 1, 'Right.')",
        [case(measured=Measured(1, None))],
    ),
    "bools and swapped names": (
        "def score(output, input): return True, {'feedback': ''}",
        [case()],
    ),
    "bad values": (
        "def score(i, o): return eval(o)",
        cases_with("None", "0.8", "(0.8, {})", "('1', {'feedback': 1, 'scores': {1: 10**400}})"),
    ),
    "hints": (
        "def score(i, o): return eval(o)",
        cases_with("('0.8', {'Feedback': ''})", "len"),
    ),
    "exceptions": (
        "def score(i, o):\n\n    raise eval(o)",
        cases_with("ValueError('x')", "SystemExit(3)", "KeyboardInterrupt", "GeneratorExit"),
    ),
    "an exception of its own": (
        "class Own(BaseException):\n    def __str__(self): raise Own\ndef score(i, o): raise Own",
        [case()],
    ),
    "no memory": ("def score(i, o): return [0] * 10**18", [case()]),
    "a raise while loading": ("import os\nraise ValueError(__name__)", [case()]),
    "SystemExit while loading": ("import sys\nsys.exit('no')", [case()]),
    "a syntax error": ("import os\n1 +", [case()]),
    "no function": ("scores = 1", [case()]),
    "a score that is no function": ("score = 1", [case()]),
    "a signature that does not bind": ("def score(a): ...", [case()]),
    "a bad reward spec": (f"REWARD_SPEC = {{'weights': 1}}\n{GOOD}", [case()]),
    "prints": (
        "import sys\nprint('loading')\ndef score(i, o):\n"
        "    print('né', o)\n    print('more', file=sys.stderr)\n    print('end', end='')\n"
        "    return 1, {'feedback': ''}",
        cases_with(1, 2),
    ),
}


def without_time(outcome: Loading | Called) -> Loading | Called:
    return outcome.replace(ms=0.0) if isinstance(outcome, Called) else outcome


@pytest.mark.parametrize("metric", SAME)
def test_the_outcomes_are_those_of_the_runner_inside_the_process(
    tmp_path: Path, metric: str
) -> None:
    job = job_of(tmp_path, *SAME[metric])
    in_its_own = [without_time(outcome) for outcome in run_in_a_process(job)]
    inside = [without_time(outcome) for outcome in run_in_process(job)]
    assert in_its_own == inside
    assert len(inside) >= 1


@pytest.mark.parametrize(
    "example", ["exact_match", "several_checks", "model_judge", "weighted_reward"]
)
def test_every_example_gives_its_pinned_results(example: str) -> None:
    report = check_metric(SNIPPETS / example / "metric.py", all_cases=True)
    assert [item.passed for item in report.items] == [True] * 7
    assert len(report.cases) >= 4


def test_the_models_of_the_run_reach_the_metric(tmp_path: Path) -> None:
    source = "from skynet import llm\n" + saying("llm('?')")
    job = job_of(tmp_path, source, [case(llm=("a",))]).replace(models=Models("judge", None))
    _, (called,) = parted(run_in_a_process(job))
    assert [one.model for one in called.model_calls] == ["judge"]


def test_one_process_loads_the_file_once_and_runs_the_cases_in_order(tmp_path: Path) -> None:
    source = "import os\nprint('loading')\n" + saying("os.getpid()")
    loading, called = run(tmp_path, source, cases_with(1, 2, 3))
    assert loading.printed.head == "loading\n"
    assert [one.case for one in called] == [1, 2, 3]
    (pid,) = {feedback(one) for one in called}
    assert pid != str(os.getpid())


# --- Time is up ----------------------------------------------------------------------------------


def test_a_call_that_takes_too_long_is_ended_and_a_fresh_process_goes_on(tmp_path: Path) -> None:
    source = saying("os.getpid()", "if output == 'hang': print('before'); time.sleep(600)")
    _, (first, second, third) = run(tmp_path, source, cases_with("a", "hang", "b"), SHORT)
    assert faults(second) == [("call-timed-out", {"seconds": "1"})]
    assert second.returned is None
    assert second.printed.head == "before\n"
    assert second.ms >= 1000
    assert feedback(first) != feedback(third)


def test_a_file_that_takes_too_long_to_load_is_ended(tmp_path: Path) -> None:
    source = f"import time\nprint('before')\ntime.sleep(600)\n{GOOD}"
    loading, called = run(tmp_path, source, timeout=SHORT)
    assert faults(loading) == [("loading-timed-out", {"seconds": "1"})]
    assert loading.printed.head == "before\n"
    assert called == []


def test_a_file_that_cannot_be_loaded_again_fails_the_cases_that_are_left(tmp_path: Path) -> None:
    source = """
import os, pathlib
if pathlib.Path("seen").exists():
    raise ValueError("seen")
pathlib.Path("seen").touch()
def score(input, output):
    os._exit(3)
"""
    loading, called = run(tmp_path, source, cases_with(1, 2, 3))
    assert loading.faults == ()
    assert [faults(one) for one in called] == [
        [("call-exited", {"code": "3"})],
        [("loading-raised", {"exception": "ValueError: seen"})],
        [("loading-raised", {"exception": "ValueError: seen"})],
    ]


# --- The process ends ----------------------------------------------------------------------------

ENDINGS: dict[str, tuple[str, str, dict[str, str]]] = {
    "os._exit": ("os._exit(3)", "exited", {"code": "3"}),
    "os._exit with 0": ("os._exit(0)", "exited", {"code": "0"}),
    "abort": ("os.abort()", "killed", {"signal": "SIGABRT"}),
    "a crash": ("os.kill(os.getpid(), signal.SIGSEGV)", "killed", {"signal": "SIGSEGV"}),
    "a kill": ("os.kill(os.getpid(), signal.SIGKILL)", "killed", {"signal": "SIGKILL"}),
    "a signal": ("signal.raise_signal(signal.SIGTERM)", "killed", {"signal": "SIGTERM"}),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_call_that_ends_the_process_fails_and_the_next_case_is_run(
    tmp_path: Path, ending: str
) -> None:
    statement, ended, facts = ENDINGS[ending]
    source = saying("os.getpid()", f"if output == 'end': print('before'); {statement}")
    _, (first, second, third) = run(tmp_path, source, cases_with("a", "end", "b"))
    assert faults(second) == [(f"call-{ended}", facts)]
    assert (second.returned, second.printed.head) == (None, "before\n")
    assert feedback(first) != feedback(third)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_that_ends_the_process_while_it_is_loading_fails(
    tmp_path: Path, ending: str
) -> None:
    statement, ended, facts = ENDINGS[ending]
    loading, called = run(tmp_path, f"import os, signal\nprint('before')\n{statement}\n{GOOD}")
    assert faults(loading) == [(f"loading-{ended}", facts)]
    assert (loading.printed.head, called) == ("before\n", [])


def test_every_case_may_end_its_process(tmp_path: Path) -> None:
    _, called = run(tmp_path, saying("1", "os._exit(output)"), cases_with(1, 2, 3))
    assert [faults(one) for one in called] == [
        [("call-exited", {"code": str(code)})] for code in (1, 2, 3)
    ]


def test_a_recursion_without_end_fails_the_case_alone(tmp_path: Path) -> None:
    source = "def score(i, o): return score(i, o) if o == 2 else (1, {'feedback': ''})"
    _, (first, second, third) = run(tmp_path, source, cases_with(1, 2, 3))
    ((reason, facts),) = faults(second)
    assert reason == "call-raised"
    assert facts["exception"].startswith("RecursionError: maximum recursion depth exceeded")
    assert feedback(first) == feedback(third) == ""


def test_a_file_that_is_too_complex_for_python_is_a_fault_of_the_file(tmp_path: Path) -> None:
    loading, _ = run(tmp_path, "x = " + "-" * 100_000 + "1\n" + GOOD)
    assert [reason for reason, _ in faults(loading)] == ["file-not-python"]


def test_json_that_is_nested_without_end_crashes_no_example(tmp_path: Path) -> None:
    source = (SNIPPETS / "several_checks" / "metric.py").read_text(encoding="utf-8")
    called = call(tmp_path, source, output="[" * 100_000, expected={"fields": ["a"]})
    assert feedback(called).startswith("The output is not JSON: ")


# --- What is left over ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Watch:
    """A named pipe that a metric opens, and hands on to what it starts."""

    path: Path
    reader: int

    def all_ended(self) -> bool:
        """Whether everything that had the pipe open has ended, or does so soon."""
        seen = b""
        while select.select([self.reader], [], [], 30)[0]:
            data = os.read(self.reader, 1024)
            if not data:
                return seen == b"up"
            seen += data
        return False


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    path = tmp_path / "watch"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    yield Watch(path, reader)
    os.close(reader)


WATCHED = """
import os, subprocess, sys, threading, time, atexit
pipe = os.open("watch", os.O_WRONLY)
os.set_inheritable(pipe, True)
os.write(pipe, b"up")
def child():
    return subprocess.Popen(["sleep", "600"], close_fds=False)
"""

LEFT_OVER: dict[str, str] = {
    "nothing": "pass",
    "a child": "child()",
    "a thread": "threading.Thread(target=time.sleep, args=(600,)).start()",
    "an exit handler": "atexit.register(time.sleep, 600)",
    "an end of the process": "child(); os._exit(3)",
    "a timeout": "child(); time.sleep(600)",
}


@pytest.mark.parametrize("left", LEFT_OVER)
def test_whatever_a_metric_starts_is_ended_after_the_last_case(
    tmp_path: Path, watch: Watch, left: str
) -> None:
    source = f"""{WATCHED}
def score(input, output):
    {LEFT_OVER[left]}
    return 1.0, {{"feedback": ""}}
"""
    timeout = SHORT if left == "a timeout" else 60
    _, (called,) = run(tmp_path, source, timeout=timeout)
    assert (called.returned is None) is (left in ("an end of the process", "a timeout"))
    assert watch.all_ended()


def test_what_was_started_while_loading_is_ended_too(tmp_path: Path, watch: Watch) -> None:
    for source in (f"{WATCHED}child()\nraise ValueError", f"{WATCHED}child()\nos._exit(3)"):
        loading, _ = run(tmp_path, source)
        assert loading.faults
    os.write(os.open(watch.path, os.O_WRONLY), b"")  # the reader has seen "up" twice by now
    assert os.read(watch.reader, 1024) == b"upup"


def test_a_check_that_is_given_up_ends_the_process(tmp_path: Path, watch: Watch) -> None:
    outcomes = run_in_a_process(job_of(tmp_path, f"{WATCHED}child()\n{GOOD}", cases_with(1, 2)))
    assert isinstance(next(outcomes), Loading)
    outcomes.close()  # type: ignore[attr-defined]
    assert watch.all_ended()


def test_a_child_that_prints_for_ever_does_not_hold_the_check_up(tmp_path: Path) -> None:
    source = saying("1", "subprocess.Popen(['yes', 'x' * 1000])")
    _, called = run(tmp_path, source, cases_with(1, 2))
    assert [one.faults for one in called] == [(), ()]


def test_a_value_that_is_slow_to_go_does_not_make_its_call_late(tmp_path: Path) -> None:
    source = """
import time
class Slow:
    def __del__(self):
        time.sleep(600)
def score(input, output):
    return 1.0, {"feedback": "Right.", "kept": Slow()}
"""
    _, called = run(tmp_path, source, cases_with(1, 2), timeout=30)
    assert [feedback(one) for one in called] == ["Right.", "Right."]


def test_values_that_take_much_memory_are_not_kept(tmp_path: Path) -> None:
    source = """
def score(input, output):
    with open("/proc/self/statm") as memory:
        pages = int(memory.read().split()[1])
    return 1.0, {"feedback": str(pages * 4096 >> 20), "kept": b"x" * (5 << 20)}
"""
    _, called = run(tmp_path, source, cases_with(*range(60)))
    assert max(int(feedback(one)) for one in called) < 150


def test_nothing_is_left_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "labels.py").write_text("RIGHT = 'Right.'\n", encoding="utf-8")
    source = "import labels\n" + saying("labels.RIGHT", "subprocess.run([sys.executable, '-V'])")
    assert feedback(call(tmp_path, source)) == "Right."
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labels.py", "metric.py"]


def test_a_child_that_imports_the_metric_leaves_nothing_compiled_beside_it(tmp_path: Path) -> None:
    statement = "subprocess.run([sys.executable, '-c', 'import metric'], check=True)"
    assert feedback(call(tmp_path, saying("'Right.'", statement))) == "Right."
    assert [path.name for path in tmp_path.iterdir()] == ["metric.py"]


REMOVED_AT_THE_END: dict[str, str] = {
    "a temporary folder": "kept = tempfile.TemporaryDirectory()",
    "a temporary file": "kept = tempfile.NamedTemporaryFile()",
    "a folder that a handler removes": "atexit.register(os.rmdir, tempfile.mkdtemp())",
    "the folder of multiprocessing": "multiprocessing.util.get_temp_dir()",
    "a pool of threads beside it": (
        "kept = tempfile.TemporaryDirectory()\n"
        "pool = ThreadPoolExecutor(2)\nassert pool.submit(int).result() == 0"
    ),
}


@pytest.mark.parametrize("source", [GOOD, "scores = 1\n"])
@pytest.mark.parametrize("kind", REMOVED_AT_THE_END)
def test_what_a_metric_removes_when_python_ends_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, source: str
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    imports = (
        "import atexit, multiprocessing.util, os, tempfile\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
    )
    made = f"{REMOVED_AT_THE_END[kind]}\nprint(len(os.listdir(tempfile.gettempdir())))\n"
    loading, *_ = started(tmp_path, imports + made + source)
    assert loading.printed.head == "1\n"
    assert list(temporary.iterdir()) == []


SHARED: dict[str, tuple[str, str, str]] = {
    "semaphore": ("multiprocessing.get_context('spawn').Lock()", "_semlock.name", "sem."),
    "memory": ("multiprocessing.shared_memory.SharedMemory(create=True, size=1)", "name", ""),
}


@pytest.mark.parametrize("kind", SHARED)
def test_what_a_metric_shares_with_its_children_is_removed(tmp_path: Path, kind: str) -> None:
    made, name, before = SHARED[kind]
    source = f"import multiprocessing.shared_memory\nshared = {made}\n" + saying(f"shared.{name}")
    found = feedback(call(tmp_path, source)).removeprefix("/")
    assert found
    assert not Path(f"/dev/shm/{before}{found}").exists()


@pytest.mark.parametrize("end", ["while True: pass", "os._exit(3)", "os.kill(os.getpid(), 9)"])
@pytest.mark.parametrize("kind", SHARED)
def test_it_is_removed_too_where_the_metric_comes_to_a_bad_end(
    tmp_path: Path, kind: str, end: str
) -> None:
    made, name, before = SHARED[kind]
    source = (
        f"import multiprocessing.shared_memory, os\nshared = {made}\n"
        "def score(input, output, expected=None):\n"
        f"    print(shared.{name}, flush=True)\n    {end}\n"
    )
    called = call(tmp_path, source, timeout=0.5)
    assert called.faults
    found = called.printed.head.split()[0].removeprefix("/")
    assert not Path(f"/dev/shm/{before}{found}").exists()


AT_THE_END: dict[str, str] = {
    "prints": "print('x' * 1_000_000)",
    "ends the process": "os._exit(3)",
    "kills the process": "os.kill(os.getpid(), 9)",
    "raises": "raise ValueError",
    "never ends": "time.sleep(600)",
    "writes to all descriptors": """
    for number in os.listdir("/proc/self/fd"):
        if int(number) != pipe:
            try:
                os.write(int(number), b"x" * 1000)
            except OSError:
                pass""",
    "forks": "os.fork()",
}


@pytest.mark.parametrize("kind", AT_THE_END)
def test_nothing_that_a_metric_does_when_python_ends_counts(
    tmp_path: Path, watch: Watch, kind: str
) -> None:
    source = f"""{WATCHED}
def late():
    {AT_THE_END[kind]}
atexit.register(late)
{GOOD}"""
    loading, called = run(tmp_path, source, cases_with(1, 2))
    assert (loading.faults, loading.printed.head) == ((), "")
    assert [(feedback(one), one.printed.head) for one in called] == [("Right.", "")] * 2
    assert watch.all_ended()


# --- Printing ------------------------------------------------------------------------------------

PRINTING: dict[str, tuple[str, str]] = {
    "print": ("print('a'); print('é')", "a\né\n"),
    "print to standard error": ("print('a', file=sys.stderr)", "a\n"),
    "both, in their order": ("print('a'); print('b', file=sys.stderr); print('c')", "a\nb\nc\n"),
    "without a line end": ("print('a', end='')", "a"),
    "file descriptor 1": ("os.write(1, b'a\\n')", "a\n"),
    "file descriptor 2": ("os.write(2, b'a\\n')", "a\n"),
    "all levels in their order": (
        "print('a'); os.write(1, b'b\\n'); subprocess.run(['echo', 'c']); print('d')",
        "a\nb\nc\nd\n",
    ),
    "a shell": ("os.system('echo a; echo b >&2')", "a\nb\n"),
    "bytes that are not UTF-8": ("os.write(1, b'\\xe9\\n')", "\ufffd\n"),
    "after standard output was closed": ("sys.stdout.close(); os.write(1, b'a\\n')", "a\n"),
    "to the first standard output": ("sys.stdout = None; sys.__stdout__.write('a\\n')", "a\n"),
    "with another standard output": ("sys.stdout = sys.stderr = object()", ""),
    "to a buffer in the place of standard output": (
        "import io; sys.stdout = io.TextIOWrapper(sys.stdout.buffer); print('a')",
        "a\n",
    ),
    "to a buffer in the place of standard error": (
        "import io; sys.stderr = io.TextIOWrapper(sys.stderr.buffer); sys.stderr.write('a\\n')",
        "a\n",
    ),
    "to a standard output that was made to wait": (
        "sys.stdout.reconfigure(write_through=False); print('a')",
        "a\n",
    ),
    "after it was detached": ("sys.stdout.detach().write(b'a\\n')", "a\n"),
    "in C": ("import ctypes; ctypes.CDLL(None).printf(b'a\\n')", "a\n"),
    "after file descriptor 1 was closed": ("os.close(1); os.write(2, b'a\\n')", "a\n"),
    "with both closed": ("os.close(1); os.close(2)", ""),
}


@pytest.mark.parametrize("printing", PRINTING)
def test_what_a_metric_prints_is_captured_at_every_level(tmp_path: Path, printing: str) -> None:
    statement, printed = PRINTING[printing]
    _, (first, second) = run(
        tmp_path, saying("'Right.'", f"if output == 1: {statement}"), cases_with(1, 2)
    )
    assert (feedback(first), feedback(second)) == ("Right.", "Right.")
    assert (first.printed.head, second.printed.head) == (printed, "")


def test_what_is_printed_can_never_be_taken_for_a_result(tmp_path: Path) -> None:
    line = '{"case": 1, "faults": [], "returned": {"score": 1.0, "feedback": "", "scores": null}}'
    for statement in (f"print({line!r})", f"os.write(1, {line.encode()!r} + b'\\n')"):
        called = call(tmp_path, saying("1", f"{statement}; return None"))
        assert [reason for reason, _ in faults(called)] == ["returned-none"]
        assert called.printed.head == line + "\n"


def test_what_is_printed_is_known_to_be_of_its_case(tmp_path: Path) -> None:
    source = "print('loading')\n" + saying("1", "os.write(1, b'case %d\\n' % output)")
    loading, called = run(tmp_path, source, cases_with(*range(1, 31)))
    assert loading.printed.head == "loading\n"
    assert [one.printed.head for one in called] == [f"case {number}\n" for number in range(1, 31)]


def print_bytes(folder: Path, data: str) -> Printed:
    """What is kept of bytes, which are given as an expression, that a metric writes."""
    writing = f"sys.stdout.buffer.write({data}); sys.stdout.buffer.flush()"
    return call(folder, saying("'Right.'", writing)).printed


def test_the_first_and_last_64_kib_of_a_case_are_kept(tmp_path: Path) -> None:
    printed = print_bytes(tmp_path, "b''.join(b'%07d\\n' % n for n in range(131072))")  # 1 MiB
    text = "".join(f"{number:07d}\n" for number in range(131072))
    assert printed == Printed(text[:KEPT], 917_504, text[-KEPT:])


@pytest.mark.parametrize(
    ("size", "left_out"), [(KEPT, 0), (2 * KEPT, 0), (2 * KEPT + 1, 1), (3 * KEPT, KEPT)]
)
def test_it_is_said_how_much_was_left_out(tmp_path: Path, size: int, left_out: int) -> None:
    printed = print_bytes(tmp_path, f"b'x' * {size}")
    assert printed.head.count("x") + printed.tail.count("x") == size - left_out
    assert printed.left_out == left_out


def test_no_character_is_broken_where_nothing_was_left_out(tmp_path: Path) -> None:
    printed = print_bytes(tmp_path, "b'x' + 'é'.encode() * 50_000")
    assert printed == Printed("x" + "é" * 50_000)


def test_each_case_has_its_own_64_kib(tmp_path: Path) -> None:
    source = saying("1", f"sys.stdout.write(output * {2 * KEPT})")
    loading, called = run(tmp_path, source, cases_with("a", "b"))
    assert [one.printed.head for one in called] == ["a" * 2 * KEPT, "b" * 2 * KEPT]
    assert loading.printed.head == ""


def test_much_printing_and_a_long_feedback_do_not_block_each_other(tmp_path: Path) -> None:
    source = saying("'é' * 5_000_000", "print('x' * 10_000_000); print(len(output))")
    called = call(tmp_path, source, output="y" * 5_000_000)
    assert feedback(called) == "é" * 5_000_000
    assert called.printed.tail.endswith("x\n5000000\n")
    # 10 MB, a line end, 7 digits and a line end were printed.
    assert called.printed.left_out == 10_000_009 - 2 * KEPT


# --- Its surroundings ----------------------------------------------------------------------------


def test_standard_input_is_empty(tmp_path: Path) -> None:
    cat = "subprocess.run(['cat'], capture_output=True).stdout"
    source = saying(f"[sys.stdin.read(), os.read(0, 10), {cat}]")
    _, called = started(tmp_path, source)
    assert feedback(called) == "['', b'', b'']"
    called = call(tmp_path, "def score(*arguments):\n    input()")
    assert faults(called) == [("call-raised", {"exception": "EOFError: EOF when reading a line"})]


def test_the_metric_runs_in_the_folder_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, elsewhere = tmp_path / "a b's [метрика]", tmp_path / "elsewhere"
    for path in (folder, elsewhere):
        path.mkdir()
    (folder / "labels.txt").write_text("Right.", encoding="utf-8")
    (folder / "metric.py").write_text(
        "import os\nCWD = os.getcwd()\n" + saying("CWD + open('labels.txt').read()"),
        encoding="utf-8",
    )
    monkeypatch.chdir(elsewhere)
    for given in (folder / "metric.py", "../a b's [метрика]/metric.py"):
        (called,) = check_metric(given, [case()]).cases
        assert feedback(called) == f"{folder}Right."
    assert Path.cwd() == elsewhere


SIBLINGS = (
    "skynet",
    "skynet_stub",
    "json",
    "typing",
    "dataclasses",
    "inspect",
    "traceback",
    "linecache",
    "tokenize",
    "copy",
    "copyreg",
    "gettext",
    "struct",
    "locale",
    "difflib",
    "warnings",
    "reprlib",
    "encodings",
)


IMPORTED_BY_PYTHON = {"skynet_stub", "reprlib", "warnings", "encodings"}
"""What `python -m skynet_stub` itself imports before the command has a say, and the command."""


@pytest.mark.parametrize("source", [GOOD, "def score(i, o):\n    raise ValueError", "1 +"])
def test_nothing_beside_the_metric_shadows_what_the_stub_needs(tmp_path: Path, source: str) -> None:
    alone = list(run_in_a_process(job_of(tmp_path, source)))
    for name in SIBLINGS:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')\n", encoding="utf-8")
    beside = list(run_in_a_process(job_of(tmp_path, source)))
    assert [without_time(one) for one in beside] == [without_time(one) for one in alone]


def test_the_skynet_module_is_the_stub_s_whatever_stands_beside_the_metric(tmp_path: Path) -> None:
    (tmp_path / "skynet.py").write_text("llm = None\n", encoding="utf-8")
    (tmp_path / "skynet").mkdir()
    called = call(tmp_path, "import skynet\n" + saying("skynet.llm('?')"), llm=("PASS",))
    assert feedback(called) == "PASS"


def test_a_module_beside_the_metric_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "labels.py").write_text("RIGHT = 'Right.'\n", encoding="utf-8")
    assert feedback(call(tmp_path, "import labels\n" + saying("labels.RIGHT"))) == "Right."


def test_a_metric_does_not_import_from_the_folder_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "metric"
    folder.mkdir()
    (tmp_path / "labels.py").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (loading,) = started(folder, "import labels\n" + GOOD)
    exception = "ModuleNotFoundError: No module named 'labels'"
    assert faults(loading) == [("loading-raised", {"exception": exception})]


def test_the_environment_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "from_the_environment.py").write_text("NAME = 'found'\n", encoding="utf-8")
    monkeypatch.setenv("SKYNET_STUB_TEST", "né")
    monkeypatch.setenv("PYTHONPATH", str(library))
    source = "import from_the_environment as found\n" + saying(
        "(os.environ['SKYNET_STUB_TEST'], os.environ['PYTHONPATH'], found.NAME)"
    )
    _, called = started(tmp_path, source)
    assert feedback(called) == str(("né", str(library), "found"))


def test_nothing_in_the_folder_of_the_command_shadows_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "metric").mkdir()
    job_of(tmp_path / "metric", GOOD)
    (tmp_path / "metric" / "cases.jsonl").write_text('{"input": {}, "output": 0}\n')
    for name in {*SIBLINGS, "pathlib", "re", "signal"} - IMPORTED_BY_PYTHON:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(SNIPPETS.parent))
    done = subprocess.run(
        [sys.executable, "-m", "skynet_stub", "check", "metric/metric.py"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


EARLY = """
import builtins
load = builtins.__import__
def interrupted(name, *more):
    if name == "%s":
        raise KeyboardInterrupt
    return load(name, *more)
builtins.__import__ = interrupted
from skynet_stub.__main__ import main
main()
"""


@pytest.mark.parametrize("loaded", ["skynet_stub.command", "re", "json", "skynet_stub.watched"])
def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_word(loaded: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY % loaded],
        cwd=SNIPPETS.parent,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_case_that_json_cannot_hold_is_an_error_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="set is not JSON serializable"):
        started(tmp_path, GOOD, [case(1, {1, 2})])


def test_a_system_that_cannot_fork_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "metric.py").write_text(GOOD, encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text('{"input": {}, "output": 0}\n', encoding="utf-8")
    monkeypatch.delattr(os, "fork")
    monkeypatch.setattr("sys.argv", ["skynet-stub", "check", str(tmp_path / "metric.py")])
    assert command.run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"skynet-stub: this system ({sys.platform}) cannot run a metric in ")


def test_many_cases_are_run_in_order_each_with_what_it_printed(tmp_path: Path) -> None:
    source = saying("output", "print(output)")
    _, called = run(tmp_path, source, cases_with(*range(2000)))
    assert [feedback(one) for one in called] == [str(number) for number in range(2000)]
    assert [one.printed.head for one in called] == [f"{number}\n" for number in range(2000)]
