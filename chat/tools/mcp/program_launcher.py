"""Become a program that is an MCP server, within limits: `python -m … PARENT COMMAND…`.

The limits stay when the program replaces this one. It ends if the process that has started it does.
"""

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path

CPU_SECONDS = 60
#: Of memory that only the program has; what it maps from files doesn't count.
DATA_BYTES = 2 * 1024**3
FILE_BYTES = 256 * 1024**2
OPEN_FILES = 256
NICENESS = 10
PR_SET_PDEATHSIG = 1
NOT_FOUND = 127


def main(parent: int, command: list[str]) -> None:
    for what, most in (
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_DATA, DATA_BYTES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        _limit(what, most)
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(OSError):  # if memory runs out, this process is ended first
        Path("/proc/self/oom_score_adj").write_text("1000")
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended before it could be watched
        return
    os.chdir("/")
    with suppress(OSError):
        os.execvp(command[0], command)  # noqa: S606  (a shell would read it anew)
    sys.exit(NOT_FOUND)


def _limit(what: int, most: int) -> None:
    _soft, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with suppress(OSError, ValueError):  # macOS knows not all of them
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
