"""No metric fools, hangs or confuses the check, and nothing that it starts survives (B4)."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from hostile_metrics import FAILING, FINE, HANGING, HEAD, LOADING, RAISING, RIGHT
from skynet_stub.cases import Case
from skynet_stub.check import check_metric
from skynet_stub.helpers import Models
from skynet_stub.outcomes import Called, Job, Loading
from skynet_stub.process import run_in_a_process
from skynet_stub.refused import Refused
from supervised import PACKAGE, new_mark, supervisor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

SHORT = 0.5
"""A timeout in seconds for what hangs for ever, and for the calls beside it, which return."""


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What the metric's processes are known by; after the test none of them is left."""
    mark = new_mark()
    monkeypatch.setenv("HOSTILE_MARK", mark)
    yield mark
    assert survivors(mark) == []


IMPORTED = ("ctypes", "resource", "shutil", "subprocess", "tempfile", "threading")


def supervised(folder: Path, source: str, timeout: float = 60) -> tuple[Loading, list[Called]]:
    """The outcomes of a metric for three cases, after which nothing is left of it."""
    one = supervisor(*IMPORTED)
    found = parted(one.run(job_of(folder, source, timeout)))
    assert [of.partition(":")[0] for of in survivors(one.mark)] == [str(one.process.pid)]
    return found


def survivors(mark: str) -> list[str]:
    """The commands of all processes that bear the mark, in their environment or arguments."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            texts = [(process / name).read_bytes() for name in ("environ", "cmdline")]
        except OSError:  # it has ended
            continue
        if any(mark.encode() in text for text in texts):
            found.append(f"{process.name}: {texts[1].replace(bytes(1), b' ')!r}")
    return found


def source_of(statements: str) -> str:
    """A metric whose second call runs these statements."""
    return f"""{HEAD}
def nasty():
    {statements}
def score(input, output, expected=None):
    return (nasty() if output == 2 else None) or {RIGHT}
"""


def job_of(folder: Path, source: str, timeout: float = 60, memory: float = 1024) -> Job:
    """The job of a metric with three cases, whose outputs are 1, 2 and 3."""
    path = folder / "metric.py"
    path.write_text(source, encoding="utf-8")
    cases = [Case(number, number, {}, number) for number in (1, 2, 3)]
    return Job(path, cases, timeout, Models(), memory)


def run(
    folder: Path, source: str, timeout: float = 60, memory: float = 1024
) -> tuple[Loading, list[Called]]:
    """The outcomes of a metric for three cases, as a Python caller gets them."""
    return parted(run_in_a_process(job_of(folder, source, timeout, memory)))


def parted(outcomes: Iterator[Loading | Called]) -> tuple[Loading, list[Called]]:
    loading, *called = outcomes
    assert isinstance(loading, Loading)
    return loading, [one for one in called if isinstance(one, Called)]


def reasons(called: Sequence[Called]) -> list[tuple[int, list[str]]]:
    return [(one.case, [fault.reason for fault in one.faults]) for one in called]


def feedbacks(called: Sequence[Called]) -> list[str | None]:
    return [one.returned.feedback if one.returned else None for one in called]


@pytest.mark.parametrize("metric", FINE)
def test_a_metric_passes_that(tmp_path: Path, metric: str) -> None:
    loading, called = supervised(tmp_path, source_of(FINE[metric]))
    assert loading.faults == ()
    assert reasons(called) == [(1, []), (2, []), (3, [])]
    assert feedbacks(called) == ["Right."] * 3


@pytest.mark.parametrize("metric", FAILING)
def test_only_the_one_case_fails_of_a_metric_that(tmp_path: Path, metric: str) -> None:
    statements, ending, facts = FAILING[metric]
    _, called = supervised(tmp_path, source_of(statements))
    assert reasons(called) == [(1, []), (2, [f"call-{ending}"]), (3, [])]
    assert called[1].faults[0].facts == facts


@pytest.mark.parametrize("metric", RAISING)
def test_the_exception_is_shown_of_a_metric_that(tmp_path: Path, metric: str) -> None:
    statements, exception = RAISING[metric]
    _, called = supervised(tmp_path, source_of(statements))
    assert reasons(called) == [(1, []), (2, ["call-raised"]), (3, [])]
    assert called[1].faults[0].facts["exception"] == exception


def test_a_failure_of_the_stub_itself_is_not_blamed_on_the_metric(
    tmp_path: Path, mark: str
) -> None:
    source = source_of("from skynet_stub import session; session.Called = None")
    with pytest.raises(Refused) as caught:
        run(tmp_path, source)
    assert str(caught.value).startswith(
        "skynet-stub itself failed, which is no fault of the metric; report this: "
        "TypeError: 'NoneType' object is not callable, session.py:"
    )


def test_a_prompt_of_a_class_of_strings_reaches_the_report(tmp_path: Path, mark: str) -> None:
    source = """
from enum import StrEnum
from skynet import llm
class Prompt(StrEnum):
    JUDGE = "Is it right?"
def score(input, output):
    return 1.0, {"feedback": llm(Prompt.JUDGE, Prompt.JUDGE)}
"""
    (tmp_path / "metric.py").write_text(source, encoding="utf-8")
    report = check_metric(tmp_path / "metric.py", [Case(1, 1, {}, 0, llm=("PASS",))])
    (call,) = report.cases[0].model_calls
    assert [dict(message) for message in call.messages] == [
        {"role": "system", "content": "Is it right?"},
        {"role": "user", "content": "Is it right?"},
    ]


def test_the_other_process_of_a_fork_while_loading_calls_nothing(tmp_path: Path) -> None:
    source = f"""{HEAD}
child = os.fork()
def score(input, output, expected=None):
    if child == 0:
        return 0.0, {{"feedback": "Wrong."}}
    with suppress(ChildProcessError):
        os.waitpid(child, 0)
    return {RIGHT}
"""
    loading, called = supervised(tmp_path, source)
    assert loading.faults == ()
    assert feedbacks(called) == ["Right."] * 3


def test_a_timer_that_a_metric_leaves_raises_in_its_next_call_never_between(tmp_path: Path) -> None:
    statements = """
    def tick(*arguments):
        raise ValueError("x")
    signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    forever = [0] * 10**6
    while True: forever.sort()"""
    _, called = supervised(tmp_path, source_of(statements).replace("output == 2", "output > 1"))
    assert reasons(called) == [(1, []), (2, ["call-raised"]), (3, ["call-raised"])]
    assert [dict(one.faults[0].facts) for one in called[1:]] == [{"exception": "ValueError: x"}] * 2


LATE_SIGNALS = """
import signal
from skynet_stub.shield import Shield
def handle(number, frame): raise ValueError(number)
handled = signal.SIGALRM, signal.SIGUSR1, signal.SIGCHLD, signal.SIGWINCH, signal.SIGTERM
for number in handled: signal.signal(number, handle)
shield = Shield()
with shield: pass
for number in handled: signal.raise_signal(number)  # our own code goes on
raised = 0
while signal.sigpending():
    try:
        with shield: pass
    except ValueError: raised += 1
print(raised > 0)
"""


IN_A_THREAD = """
import signal, threading
from skynet_stub.shield import Shield
def handle(number, frame): raise ValueError(number)
signal.signal(signal.SIGALRM, handle)
due, taken, shield = threading.Event(), threading.Event(), Shield()
def take():
    due.wait()
    signal.pthread_kill(threading.get_ident(), signal.SIGALRM)  # it has come when this returns
    taken.set()
thread = threading.Thread(target=take)
thread.start()
with shield: pass
due.set()
taken.wait()  # it is handled from here, if at all
thread.join()
with shield:
    assert signal.getsignal(signal.SIGALRM) is handle
print("True")
"""


def said_by(program: str) -> tuple[int, str, str]:
    """How a Python program ends that can import the stub, and what it writes."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("late", [LATE_SIGNALS, IN_A_THREAD], ids=["itself", "a thread"])
def test_a_signal_is_handled_in_a_call_never_between(late: str) -> None:
    assert said_by(late) == (0, "True\n", "")


LATE_INTERRUPT = """
import _thread, signal
from skynet_stub.shield import Shield
def interrupt():
    _thread.interrupt_main()
    for _ in range(1000): pass  # it comes in here, if at all
before, shield = signal.getsignal(signal.SIGINT), Shield()
with shield: pass
interrupt()
with shield:
    assert signal.getsignal(signal.SIGINT) is before
    try: interrupt()
    except KeyboardInterrupt: print("interrupted")
"""


def test_an_interrupt_by_a_thread_is_raised_in_a_call_never_between() -> None:
    assert said_by(LATE_INTERRUPT) == (0, "interrupted\n", "")


@pytest.mark.parametrize("metric", HANGING)
def test_the_time_is_up_of_a_metric_that(tmp_path: Path, metric: str) -> None:
    _, called = supervised(tmp_path, source_of(HANGING[metric]), SHORT)
    assert reasons(called) == [(1, []), (2, ["call-timed-out"]), (3, [])]
    assert called[1].ms >= SHORT * 1000


def test_the_time_in_which_a_large_value_is_judged_is_none_of_the_metric_s(tmp_path: Path) -> None:
    source = f"""{HEAD}
class Slow(float):
    def __float__(self):
        time.sleep({2 * SHORT})
        return 0.5
def score(input, output, expected=None):
    scores = {{str(number): 0.5 for number in range(2000)}}
    if output == 2:
        scores["slow"] = Slow()
    return 1.0, {{"feedback": "Right.", "scores": scores}}
"""
    _, called = supervised(tmp_path, source, SHORT)
    assert feedbacks(called) == ["Right."] * 3


@pytest.mark.parametrize("metric", LOADING)
def test_no_case_is_run_of_a_metric_that(tmp_path: Path, metric: str) -> None:
    statements, reason = LOADING[metric]
    loading, called = supervised(tmp_path, f"{HEAD}{statements}\ndef score(*_): return {RIGHT}\n")
    assert [fault.reason for fault in loading.faults] == [reason]
    assert called == []


# --- Memory --------------------------------------------------------------------------------------

HELD = """
def hold(mebibytes):
    return b"x" * (mebibytes << 20)
"""
HOLDING: dict[str, tuple[str, str]] = {
    "itself": ("held = hold(300); forever()", "call-out-of-memory"),
    "in a child": ("if os.fork() == 0: held = hold(300)\n    forever()", "call-out-of-memory"),
    "in children that hold a part each": (
        "if os.fork() and os.fork() and os.fork(): forever()\n    held = hold(90); forever()",
        "call-out-of-memory",
    ),
}


@pytest.mark.parametrize("holding", HOLDING)
def test_a_call_may_not_hold_more_memory_than_it_is_given(
    tmp_path: Path, mark: str, holding: str
) -> None:
    statements, reason = HOLDING[holding]
    _, called = run(tmp_path, HELD + source_of(statements), memory=200)
    assert reasons(called) == [(1, []), (2, [reason]), (3, [])]
    assert called[1].faults[0].facts == {"limit": "200"}


def test_neither_may_the_loading_of_the_file(tmp_path: Path, mark: str) -> None:
    loading, called = run(tmp_path, f"{HEAD}{HELD}held = hold(300)\nforever()\n", memory=200)
    assert [fault.reason for fault in loading.faults] == ["loading-out-of-memory"]
    assert called == []


def test_memory_that_processes_share_counts_once(tmp_path: Path, mark: str) -> None:
    statements = """
    held = hold(80)
    for _ in range(4):
        if os.fork() == 0:
            forever()
    time.sleep(0.3)"""  # the memory is measured meanwhile
    _, called = run(tmp_path, HELD + source_of(statements), memory=200)
    assert reasons(called) == [(1, []), (2, []), (3, [])]


# --- The command is ended ------------------------------------------------------------------------

# A child in a session of its own, and a daemon; then the call waits for ever.
WITH_CHILDREN = f"""{HEAD}
def score(input, output, expected=None):
    subprocess.Popen(SLEEP, start_new_session=True, env={{}})
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open("started", "w") as started:
                started.write("up")
                started.flush()
                forever()
        os._exit(0)
    forever()
"""
CALLER = """
import sys
from skynet_stub import check_metric
check_metric("metric.py", timeout=600)
"""
COMMAND = ["-m", "skynet_stub", "check", "metric.py", "--timeout=600"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a metric that starts children and waits, and a named pipe."""
    (tmp_path / "metric.py").write_text(WITH_CHILDREN, encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text('{"input": {}, "output": 0}\n', encoding="utf-8")
    os.mkfifo(tmp_path / "started")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE))
    return tmp_path


@pytest.mark.parametrize("caller", [COMMAND, ["-c", CALLER]], ids=["command", "Python"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_when_the_check_is_ended_by_a_signal_so_is_all_that_the_metric_started(
    folder: Path, mark: str, caller: list[str], number: signal.Signals
) -> None:
    process = subprocess.Popen([sys.executable, *caller], stderr=subprocess.DEVNULL)
    with (folder / "started").open("rb") as started:  # opens once the daemon runs
        assert started.read(2) == b"up"
        process.send_signal(number)
        assert process.wait() in (-number, 130)
        if caller == COMMAND and number != signal.SIGKILL:
            assert survivors(mark) == []  # it waited for the end of all
        assert select.select([started], [], [], 30)[0]
        assert started.read() == b""  # ends once the daemon has
    wait_for_the_end(mark)


def wait_for_the_end(mark: str) -> None:
    """Wait until no process bears the mark; `waitpid` would do, were they children of ours."""
    for found in survivors(mark):
        pid = int(found.partition(":")[0])
        with suppress(ProcessLookupError):
            ended = os.pidfd_open(pid)
            select.select([ended], [], [], 30)
            os.close(ended)


# --- The caller ----------------------------------------------------------------------------------


def state_of_this_process() -> dict[str, object]:
    """What a check might change in the process of its caller."""
    adopts = ctypes.c_int()
    ctypes.CDLL(None).prctl(37, ctypes.byref(adopts), 0, 0, 0)  # PR_GET_CHILD_SUBREAPER
    return {
        "adopts orphans": adopts.value,
        "handlers": [signal.getsignal(number) for number in sorted(signal.valid_signals())],
        "mask": signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        "descriptors": sorted(os.listdir("/proc/self/fd")),  # noqa: PTH208
        "threads": threading.active_count(),
        "folder": Path.cwd(),
        "environment": dict(os.environ),
        "path": list(sys.path),
        "skynet": "skynet" in sys.modules,
    }


@pytest.mark.parametrize(
    "statements", [FINE["leaves a daemon that forked twice"], "os.kill(os.getppid(), 9)"]
)
def test_a_check_changes_nothing_in_the_process_of_its_caller(
    tmp_path: Path, mark: str, statements: str
) -> None:
    (tmp_path / "metric.py").write_text(source_of(statements), encoding="utf-8")
    with subprocess.Popen(["sh", "-c", "exit 3"]) as other:
        os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and is not reaped
        before = state_of_this_process()
        report = check_metric(tmp_path / "metric.py", [Case(1, 1, {}, 2), Case(2, 2, {}, 3)])
        assert state_of_this_process() == before
    assert other.returncode == 3  # not lost to anybody who reaps what is not theirs
    assert [one.case for one in report.cases] == [1, 2]


def test_a_metric_that_kills_the_supervisor_itself_fails_all_that_is_left(
    tmp_path: Path, mark: str
) -> None:
    statements = """
    parents = {}
    for name in os.listdir("/proc"):
        with suppress(OSError, ValueError):
            stat = open(f"/proc/{int(name)}/stat").read()
            parents[int(name)] = int(stat.rpartition(")")[2].split()[1])
    os.kill(parents[os.getppid()], 9)
    forever()"""
    _, called = run(tmp_path, source_of(statements))
    assert reasons(called) == [(1, []), (2, ["call-killed"]), (3, ["call-killed"])]
    wait_for_the_end(mark)
