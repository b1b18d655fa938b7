"""Put this process into a sandbox, for good. Linux only, but for the limits."""

import contextlib
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from chat.documents.reader import landlock, seccomp

CPU_SECONDS = 40
MEMORY_BYTES = 2 * 1024**3  # of addresses; what libraries map counts, too
OPEN_FILES = 32
NICENESS = 10
Asked = TypeVar("Asked")


def enter() -> None:
    """Limit memory, CPU time and files; refuse connections, other programs and processes."""
    _limit(resource.RLIMIT_CPU, CPU_SECONDS)
    _limit(resource.RLIMIT_AS, MEMORY_BYTES)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    with contextlib.suppress(OSError):  # if memory runs out, this process is ended first
        Path("/proc/self/oom_score_adj").write_text("1000")
    if sys.platform == "linux":
        seccomp.forbid_privileges()
        landlock.restrict_files()
        seccomp.refuse_calls()


def answer(
    asked: type[Asked],
    read: Callable[[bytes, Asked], object],
    damaged: object,
    load: Callable[[bytes], None] | None = None,
) -> None:
    """Write what `read` finds in the content on standard input, or `damaged` if it fails, as JSON.

    The line before the content says what is asked, as JSON. `load` imports libraries for it, which
    isn't possible in the sandbox.
    """
    question = msgspec.json.decode(sys.stdin.buffer.readline(), type=asked)
    content = sys.stdin.buffer.read()
    if load:
        load(content)
    enter()
    try:
        output = msgspec.json.encode(read(content, question))
    except Exception:  # whatever hostile content breaks in a parser
        output = msgspec.json.encode(damaged)
    sys.stdout.buffer.write(output)


def _limit(what: int, most: int) -> None:
    _soft, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with contextlib.suppress(OSError, ValueError):  # macOS knows not all of them
        resource.setrlimit(what, (most, most))
