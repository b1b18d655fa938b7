"""Seals written down outside of the database, so that cutting off the newest ones shows.

Whoever can change the database can remove its last seals with the rows of these days, and what is
left is a chain without a fault. So each seal is also a line of a file (`AUDIT_SEALS_PATH`) and of
the log. Each server keeps its own file, and adds what others have sealed.
"""

import fcntl
import logging
import os
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

log = logging.getLogger(__name__)


class WrittenSeal(NamedTuple):
    """One line of the file. As text it is what `verify_audit --expect` takes."""

    day: date
    digest: str

    def __str__(self) -> str:
        return f"{self.day}:{self.digest}"


def read() -> list[WrittenSeal]:
    """Return what is written down, in that order; lines that are no seals are left out."""
    try:
        text = _path().read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return []
    return list(_parsed(text))


def add_missing(seals: Iterable[WrittenSeal]) -> int:
    """Add a line for each day that has none, and return how many.

    A day that has one keeps it: if its seal is another one by now, that is for `verify` to tell.
    """
    wanted = list(seals)
    if not wanted:
        return 0
    descriptor = os.open(_path(), os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+", encoding="ascii", errors="replace") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # other processes seal at the same moment
        known = {each.day for each in _parsed(file.read())}
        new = [each for each in wanted if each.day not in known]
        file.write("".join(f"{each}\n" for each in new))
        file.flush()
        os.fsync(file.fileno())
    if not known and len(new) > 1:
        log.warning("the file of seals was begun anew, with %d older seals", len(new) - 1)
    return len(new)


def _parsed(text: str) -> Iterator[WrittenSeal]:
    for line in text.splitlines():
        day, _colon, digest = line.strip().partition(":")
        try:
            yield WrittenSeal(date.fromisoformat(day), digest)
        except ValueError:
            continue


def _path() -> Path:
    return Path(settings.AUDIT_SEALS_PATH)
