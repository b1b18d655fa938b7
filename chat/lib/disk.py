"""Check the free disk space: work whose result cannot be stored should not begin."""

import os
from pathlib import Path

from chat.lib.limits import Deadlines, clock

#: How long a measurement is reused.
LOOK_SECONDS = 1.0
#: How long the disk counts as full after a failed write, wherever that disk is.
FULL_SECONDS = 2.0  # not much longer than it is full

_looked: dict[Path, tuple[float, int]] = {}
_full: Deadlines[None] = Deadlines()


def is_full(path: Path, least_bytes: int) -> bool:
    """Return whether fewer than `least_bytes` are free at `path`, or a write has just failed."""
    return _full.seconds_left(None) > 0 or free_bytes(path) < least_bytes


def note_full() -> None:
    """Record that the database found the disk full."""
    _full.start(None, FULL_SECONDS)


def reset() -> None:
    _looked.clear()
    _full.clear()


def free_bytes(path: Path) -> int:
    """Return the bytes that this process may still write to the file system of `path`."""
    now = clock.monotonic()
    looked_at, free = _looked.get(path, (0.0, 0))
    if not looked_at or now - looked_at > LOOK_SECONDS:
        facts = os.statvfs(path)
        free = facts.f_bavail * facts.f_frsize
        _looked[path] = now, free
    return free
