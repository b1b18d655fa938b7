"""Let commands say in a line what is wrong with the set-up, instead of showing a traceback."""

import errno
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, InterfaceError

from chat.database.unusable_database import problem_of

#: Errors of files that the operator can mend.
MENDED = {
    errno.EACCES: "Give this user the right to it.",
    errno.EPERM: "Give this user the right to it.",
    errno.EROFS: "Choose another folder in the settings, or make the file system writable.",
    errno.ENOSPC: "Free some space on that disk.",
    errno.EDQUOT: "Free some space on that disk.",
}


@contextmanager
def explained() -> Iterator[None]:
    """End the process with a line for an error that isn't a mistake in the code."""
    # It would tell each attempt to connect, but not why it failed.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    try:
        yield
    except (DatabaseError, InterfaceError, OSError) as error:
        if not (words := _words(error)):
            raise
        sys.exit(f"runnel: {words}")


def _words(error: Exception) -> str:
    if isinstance(error, OSError):
        advice = MENDED.get(error.errno or 0)
        where = f": {error.filename}" if error.filename else ""
        return f"{error.strerror}{where}. {advice}" if advice else ""
    problem = problem_of(error)
    return str(problem) if problem else ""
