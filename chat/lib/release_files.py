"""Read files of the release before a process is ready.

During an upgrade, the files below a running process are replaced by those of another version. A
function that reads some of them registers here; project/preload.py calls all of these functions.
"""

from collections.abc import Callable
from typing import TypeVar

Read = TypeVar("Read", bound=Callable[[], object])

_readers: list[Callable[[], object]] = []


def read_at_start(read: Read) -> Read:
    """Register a function that reads files and keeps their contents, as a decorator."""
    _readers.append(read)
    return read


def read_all() -> None:
    for read in _readers:
        read()
