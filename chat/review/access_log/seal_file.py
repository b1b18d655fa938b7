"""Write seals to a file outside the database, which reveals removed seals.

An attacker who can change the database can remove the last seals together with the entries of those
days, which leaves a valid chain. So each seal is also a line in a file (`AUDIT_SEALS_PATH`) and in
the server's log. Each server keeps its own file and adds the seals of other servers.
"""

import fcntl
import logging
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

log = logging.getLogger(__name__)

#: A whole one. A torn line is no evidence: its seal is written again.
_SEAL = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}:[0-9a-f]{64}")


class WrittenSeal(NamedTuple):
    """A line of the file; its text is the format of `verify_audit --expect`."""

    day: date
    digest: str

    def __str__(self) -> str:
        return f"{self.day}:{self.digest}"


def read() -> list[WrittenSeal]:
    """Return the seals in the file, in order; invalid and torn lines are skipped."""
    try:
        text = _path().read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return []
    return list(_parsed(text))


def add_missing(seals: Iterable[WrittenSeal]) -> int:
    """Add a line for each day that has none, and return how many were added.

    Existing lines are kept: if the seal in the database differs by now, `verify` reports it.
    """
    wanted = list(seals)
    if not wanted:
        return 0
    descriptor = os.open(_path(), os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+", encoding="ascii", errors="replace") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # other processes may seal at the same time
        text = file.read()
        known = {each.day for each in _parsed(text)}
        new = [each for each in wanted if each.day not in known]
        if new and text and not text.endswith("\n"):
            file.write("\n")  # after a line that a full disk or a crash has torn
        file.write("".join(f"{each}\n" for each in new))
        file.flush()
        os.fsync(file.fileno())
    if not known and len(new) > 1:
        log.warning("started a new seal file with %d older seals", len(new) - 1)
    return len(new)


def _parsed(text: str) -> Iterator[WrittenSeal]:
    for line in text.splitlines():
        if not _SEAL.fullmatch(line := line.strip()):
            continue
        day, _colon, digest = line.partition(":")
        with suppress(ValueError):  # no day of the calendar
            yield WrittenSeal(date.fromisoformat(day), digest)


def _path() -> Path:
    return Path(settings.AUDIT_SEALS_PATH)
