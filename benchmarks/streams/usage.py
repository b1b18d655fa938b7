"""What processes use, from the system's own books."""

import os
import time
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
#: Of clock_getcpuclockid(3): the exact time of all threads of a process, ended ones included.
_SCHEDULER_CLOCK = 2


_first, *_others = sorted(os.sched_getaffinity(0))
#: The core of the server, and the one of all that measures it; the same where there is one.
SERVER_CORES, MEASURING_CORES = {_first}, {_others[0] if _others else _first}


@contextmanager
def on(some: Set[int]) -> Iterator[None]:
    """What is started within runs there."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, some)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def tree(root: int) -> list[int]:
    """The process and all that it has begun."""
    found = [root]
    for pid in found:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            found += map(int, _read(children).split())
    return found


def cpu_seconds(roots: list[int]) -> float:
    """What the trees have used since they began."""
    return sum(cpu_of(pid) for root in roots for pid in tree(root))


def cpu_of(pid: int) -> float:
    """What one process has used, with its children that have ended."""
    try:
        own = time.clock_gettime(~pid << 3 | _SCHEDULER_CLOCK)
    except OSError:  # it has ended
        return 0.0
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    of_ended_children = sum(map(int, fields[13:15])) / TICKS
    return own + of_ended_children


@dataclass(frozen=True, slots=True)
class Memory:
    resident_bytes: int
    threads: int


def memory(root: int) -> Memory:
    resident = threads = 0
    for pid in tree(root):
        resident += int((_read(Path(f"/proc/{pid}/statm")) or "0 0").split()[1]) * PAGE_BYTES
        threads += int(_read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()[17])
    return Memory(resident, threads)


def _read(file: Path) -> str:
    """Its text; of a process that has just ended, one without numbers."""
    try:
        return file.read_text()
    except OSError:
        return ")" + " 0" * 50 if file.name == "stat" else ""
