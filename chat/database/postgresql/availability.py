"""Remember whether PostgreSQL can be reached, for all threads of this process."""

import time

#: For how long after a failed connection attempt the server is assumed to be away.
AWAY_SECONDS = 1.0

_failed_at = -AWAY_SECONDS  # monotonic time
_is_silence_new = False


def is_away() -> bool:
    """Return True shortly after a connection attempt failed, unless a later one succeeded."""
    return time.monotonic() - _failed_at < AWAY_SECONDS


def note_failure() -> None:
    """Record that no connection could be made."""
    global _failed_at
    _failed_at = time.monotonic()


def note_success() -> None:
    """Record that a connection was made."""
    global _failed_at
    _failed_at = -AWAY_SECONDS


def note_silence() -> None:
    """Record that the server did not answer on an open connection."""
    global _is_silence_new
    _is_silence_new = True


def take_silence() -> bool:
    """Return True once after each silence."""
    global _is_silence_new
    was_new, _is_silence_new = _is_silence_new, False
    return was_new
