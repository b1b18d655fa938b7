"""Whether there is room for more: what cannot be stored had better not begin."""

import os
import time
from pathlib import Path

#: A look at the file system is kept for so long.
LOOK_SECONDS = 1.0
#: A write that found the disk full says so for as long, wherever that disk is.
FULL_SECONDS = 10.0

_looked: dict[Path, tuple[float, int]] = {}
_full_until = 0.0


def is_full(path: Path, least_bytes: int) -> bool:
    """Whether fewer than `least_bytes` are free at `path`, or a write has failed a moment ago."""
    return time.monotonic() < _full_until or free_bytes(path) < least_bytes


def note_full() -> None:
    """Remember that the database found no room."""
    global _full_until
    _full_until = time.monotonic() + FULL_SECONDS


def forget() -> None:
    global _full_until
    _looked.clear()
    _full_until = 0.0


def free_bytes(path: Path) -> int:
    """Return what this process may still write to the file system of `path`."""
    now = time.monotonic()
    looked_at, found = _looked.get(path, (0.0, 0))
    if not looked_at or now - looked_at > LOOK_SECONDS:
        facts = os.statvfs(path)
        found = facts.f_bavail * facts.f_frsize
        _looked[path] = now, found
    return found
