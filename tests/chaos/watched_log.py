"""Find lines in a server's log that must not be there."""

import re
from pathlib import Path

_WORRYING = re.compile(
    "Traceback|ERROR|CRITICAL|database is locked|never retrieved|never awaited|considered dead"
)
_RECORD = re.compile(r"^(?=\d{4}-\d\d-\d\d |[A-Z]+: )", re.MULTILINE)
#: What Django leaves behind when a server, on its way out, cancels a request; and its line about each
#: answer of ours that says in words what the model's side did. A write that may be left out waits for
#: SQLite's lock for half a second only, less than a migration or a large deletion can take.
_HARMLESS = re.compile(
    r"listen_for_disconnect\(\).*RequestAborted"
    r"|_stream\.seekable\(\)"  # its body was closed
    r"|django.request (Service Unavailable|Bad Gateway|Gateway Timeout)"
    r"|going on without a write: \w+ OperationalError: database is locked"
)


class WatchedLog:
    """A log that is read from where the last look ended."""

    def __init__(self, path: Path) -> None:
        self._path, self._read = path, 0

    def new_worries(self) -> list[str]:
        """Return new lines since the last call that must not be in the log."""
        with self._path.open("rb") as log:
            log.seek(self._read)
            records = _RECORD.split(log.read().decode(errors="replace"))
            self._read = log.tell()
        return [
            " … ".join(dict.fromkeys((record.splitlines()[0], record.splitlines()[-1])))
            for record in records
            if _WORRYING.search(record) and not _HARMLESS.search(record)
        ]
