"""What metrics do to their process: statements that one call runs, or the loading of the file."""

from __future__ import annotations

HEAD = """
import atexit, builtins, ctypes, faulthandler, gc, json, os, resource, signal
import subprocess, sys, threading, time, warnings
from contextlib import suppress
MARK = os.environ["HOSTILE_MARK"]
SLEEP = ["sleep", f"600.{MARK}"]
def forever():
    while True:
        with suppress(BaseException):
            time.sleep(600)
def grandparent():
    with open(f"/proc/{os.getppid()}/stat") as stat:
        return int(stat.read().rpartition(")")[2].split()[1])
def descriptors():
    return [int(name) for name in os.listdir("/proc/self/fd")]
"""

RIGHT = '(1.0, {"feedback": "Right."})'

FINE: dict[str, str] = {
    # What it leaves behind is ended, and is no fault of a call that returned in time.
    "leaves a child": "subprocess.Popen(SLEEP)",
    "leaves a child in a session of its own": "subprocess.Popen(SLEEP, start_new_session=True)",
    "leaves a child without its environment": "subprocess.Popen(SLEEP, env={})",
    "leaves a daemon that forked twice": """
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 1000)
            forever()
        os._exit(0)
    os.wait()""",
    "leaves children of children that ignore signals": """
    trap = "trap '' TERM HUP INT; "
    nested = f"{trap} setsid sh -c \\"{trap} setsid {' '.join(SLEEP)} & wait\\" & wait"
    subprocess.Popen(["sh", "-c", nested])""",
    "leaves a child that starts many more": """
    if os.fork() == 0:
        os.setsid()
        for _ in range(1000):  # not for ever: a check that fails here must not fill the machine
            with suppress(OSError):
                subprocess.Popen(SLEEP, start_new_session=True)
            time.sleep(0.001)""",
    "leaves a stopped child": "os.kill(subprocess.Popen(SLEEP).pid, signal.SIGSTOP)",
    "leaves a zombie": "subprocess.Popen(['true'])",
    "leaves a thread": "threading.Thread(target=forever).start()",
    "leaves an exit handler": "atexit.register(forever)",
    "leaves a child that prints for ever": "subprocess.Popen(['yes', MARK])",
    # The other process of a fork runs on in here: it reports nothing.
    "forks, and both return": "os.fork()",
    "forks, and the child exits": """
    child = os.fork()
    if child == 0:
        sys.exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3""",
    "forks, and the child returns another value first": """
    child = os.fork()
    if child == 0:
        return 0.0, {"feedback": "Wrong."}
    os.waitpid(child, 0)""",
    "forks, and the child raises": """
    child = os.fork()
    if child == 0:
        raise ValueError
    os.waitpid(child, 0)""",
    # Its descriptors.
    "closes all descriptors": "os.closerange(0, 4096)",
    "closes all descriptors and opens files in their place": """
    os.closerange(0, 4096)
    for _ in range(20):
        os.open(os.devnull, os.O_RDWR)""",
    "puts files in the place of all descriptors": """
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in descriptors():
        os.dup2(nothing, number)""",
    "writes junk to all descriptors": """
    for number in descriptors():
        for junk in (b"{}\\n", b"\\0" * 100, b"[1, 2", b"x" * 5000):
            with suppress(OSError):
                os.write(number, junk)""",
    "sets all descriptors not to block, and prints much": """
    for number in descriptors():
        with suppress(OSError):
            os.set_blocking(number, False)
    for _ in range(300):
        with suppress(OSError):
            os.write(1, b"x" * 4096)""",
    "prints what looks like a result": """
    for stream in (sys.stdout, sys.stderr):
        print('{"case": 2, "faults": [], "returned": {"score": 0.0}}', file=stream)""",
    "replaces the standard streams": "sys.stdout = sys.stderr = sys.stdin = None",
    "closes the standard streams": """
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        stream.close()""",
    "waits for its standard input": "assert sys.stdin.read() == ''",
    "runs a program that reads its standard input": "subprocess.run(['cat'], check=True)",
    # Its interpreter.
    "patches the built-ins": """
    for name in ("len", "isinstance", "issubclass", "print", "open", "repr", "str", "type",
                 "hasattr", "getattr", "tuple", "dict", "float", "map", "all", "memoryview"):
        setattr(builtins, name, None)""",
    "has built-ins that raise when compared": """
    class Hostile:
        def __eq__(self, other):
            raise KeyboardInterrupt
    builtins.len = Hostile()""",
    "patches json": """
    json.dumps = json.loads = json.JSONEncoder.encode = json.JSONEncoder.iterencode = None
    json.encoder.c_make_encoder = json.encoder.encode_basestring_ascii = None""",
    "patches os": """
    for name in ("write", "read", "open", "fstat", "_exit", "getpid", "close", "dup2", "stat"):
        setattr(os, name, None)""",
    "patches time": "time.monotonic = time.perf_counter = time.time = time.sleep = None",
    "forgets all modules": "sys.modules.clear()",
    "allows as little recursion as there is": """
    for limit in range(1, 100):
        with suppress(RecursionError):
            sys.setrecursionlimit(limit)
            break""",
    "makes warnings errors": "warnings.simplefilter('error')",
    "turns the garbage collector off": "gc.disable()",
    "has no room for new files": "resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))",
    "has an audit hook that forbids to trace": """
    def hook(event, arguments):
        if event in ("sys.settrace", "sys.setprofile"):
            raise RuntimeError(event)
    sys.addaudithook(hook)""",
    # Its surroundings.
    "clears the environment": "os.environ.clear()",
    "moves to another folder": "os.chdir('/')",
    "moves to a folder that is removed": """
    import shutil, tempfile
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    shutil.rmtree(folder)""",
    "ignores all signals": """
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)""",
    "blocks all signals": "signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())",
    "has an alarm after a while": "signal.alarm(600)",
    "becomes the leader of a session": """
    with suppress(OSError):
        os.setsid()
    with suppress(OSError):
        os.setpgid(0, 0)""",
    "stops the command": "os.kill(grandparent(), signal.SIGSTOP)",
    "asks the command to stop": "os.kill(grandparent(), signal.SIGTSTP)",
    "asks the command to stop by a child": """
    subprocess.run(["kill", "-TSTP", str(grandparent())], check=True)""",
    "ends an alarm of its own in time": """
    def late(*arguments):
        raise TimeoutError
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 600)
    signal.setitimer(signal.ITIMER_REAL, 0)""",
}
"""The call returns, and its value counts, whatever it did before."""

FAILING: dict[str, tuple[str, str, dict[str, str]]] = {
    "exits with 0": ("os._exit(0)", "exited", {"code": "0"}),
    "exits with 3": ("os._exit(3)", "exited", {"code": "3"}),
    "exits with a child that runs on": (
        "if os.fork() == 0: forever()\n    os._exit(4)",
        "exited",
        {"code": "4"},
    ),
    "goes on in a child and exits": (
        "if os.fork() != 0: os._exit(5)",
        "exited",
        {"code": "5"},
    ),
    "becomes another program": ("os.execvp('true', ['true'])", "exited", {"code": "0"}),
    "aborts": ("os.abort()", "killed", {"signal": "SIGABRT"}),
    "reads address 0": ("ctypes.string_at(0)", "killed", {"signal": "SIGSEGV"}),
    "overflows the stack in C": (
        "faulthandler._stack_overflow()",
        "killed",
        {"signal": "SIGSEGV"},
    ),
    "kills itself": ("os.kill(os.getpid(), 9)", "killed", {"signal": "SIGKILL"}),
    "kills its group": ("os.killpg(0, 9)", "killed", {"signal": "SIGKILL"}),
    "asks its group to end": ("os.killpg(0, 15)", "killed", {"signal": "SIGTERM"}),
    "kills its parent": (
        "subprocess.Popen(SLEEP, start_new_session=True); os.kill(os.getppid(), 9); forever()",
        "killed",
        {"signal": "SIGKILL"},
    ),
    "kills the group of its parent": (
        "os.killpg(os.getpgid(os.getppid()), 9); forever()",
        "killed",
        {"signal": "SIGKILL"},
    ),
    "is killed by a child of its own": (
        "subprocess.run(['sh', '-c', 'kill -9 $PPID'])",
        "killed",
        {"signal": "SIGKILL"},
    ),
    "is ended by its own alarm": (
        "signal.setitimer(signal.ITIMER_REAL, 0.001); forever()",
        "killed",
        {"signal": "SIGALRM"},
    ),
    "is left by its last thread": (
        "ctypes.CDLL(None).exit(6)",
        "exited",
        {"code": "6"},
    ),
}
"""The process of the call ends: how, and with what."""

RAISING: dict[str, tuple[str, str]] = {
    "exits": ("sys.exit(3)", "SystemExit: 3"),
    "raises KeyboardInterrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "sends itself Ctrl-C": ("signal.raise_signal(2)", "KeyboardInterrupt"),
    "raises what says nothing of itself": (
        "class Own(BaseException):\n        __str__ = __repr__ = None\n    raise Own",
        "metric.nasty.<locals>.Own",
    ),
    "asks for more memory than there is": ("bytearray(1 << 60)", "MemoryError"),
    "patches what reads tracebacks and raises": (
        "import linecache, traceback\n    os.stat = linecache.getline = linecache.checkcache = None"
        "\n    traceback.extract_tb = None\n    sys.modules.clear()\n    raise ValueError('x')",
        "ValueError: x",
    ),
    "traces what runs, and raises in our code": (
        "def trace(*_): raise ValueError('x')\n    sys.settrace(trace)",
        "ValueError: x",
    ),
    "profiles what runs, and raises in our code": (
        "def profile(*_): raise ValueError('x')\n    sys.setprofile(profile)",
        "ValueError: x",
    ),
    "patches the built-ins and raises": (
        "builtins.str = builtins.type = builtins.len = None\n    raise ValueError('x')",
        "ValueError: x",
    ),
}
"""The call raises: what is shown of the exception."""

HANGING: dict[str, str] = {
    "sleeps, catching everything": "forever()",
    "ignores signals and hangs": """
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    forever()""",
    "hangs in C code": "2 ** 10**12",
    "hangs in a regular expression": "import re; re.match('(a+)+$', 'a' * 100 + 'b')",
    "waits for a daemon of its own": """
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            forever()
        os._exit(0)
    os.close(writer)
    os.read(reader, 1)""",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "stops itself and its parent": """
    os.kill(os.getppid(), signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)""",
    "stops the command, its parent and itself": """
    for pid in (grandparent(), os.getppid(), os.getpid()):
        os.kill(pid, signal.SIGSTOP)""",
    "prints for ever": "while True: print('x' * 1000)",
    "takes its signal handlers into a loop": """
    def again(*arguments):
        forever()
    for number in (1, 2, 15):
        signal.signal(number, again)
    subprocess.Popen(SLEEP, start_new_session=True)
    forever()""",
}
"""The call does not return by itself."""

LOADING: dict[str, tuple[str, str]] = {
    "exits with 0 while loading": ("os._exit(0)", "loading-exited"),
    "crashes while loading": ("ctypes.string_at(0)", "loading-killed"),
    "kills its parent while loading": ("os.kill(os.getppid(), 9); forever()", "loading-killed"),
    "exits while loading": ("sys.exit(0)", "loading-raised"),
    "forks while loading, and the child exits": (
        "if os.fork() == 0: os._exit(0)\nraise ValueError",
        "loading-raised",
    ),
    "forks while loading, and both raise": ("os.fork()\nraise ValueError", "loading-raised"),
    "patches the built-ins while loading, and raises": (
        "for name in ('len', 'str', 'type', 'isinstance'): setattr(builtins, name, None)\n1 / 0",
        "loading-raised",
    ),
    "has a spec that cannot be read": (
        "class Spec(dict):\n"
        "    def __iter__(self): raise ValueError\n"
        "    __contains__ = __getitem__ = get = keys = items = values = __iter__\n"
        "REWARD_SPEC = Spec()",
        "reward-spec-invalid",
    ),
    "has a spec of a type that cannot be shown": (
        "class Spec:\n"
        "    def __getattribute__(self, name): raise KeyboardInterrupt\n"
        "    def __repr__(self): raise SystemExit\n"
        "REWARD_SPEC = Spec()",
        "reward-spec-invalid",
    ),
}
"""The file does not load, or what it defines fails."""
