"""Who acts in the code that runs now, and why: for the record of what the staff does.

Whoever changes rights says so around the change; permission_changes.py records it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

#: In place of an account's number: a command, a link, or the site by itself.
SERVER = 0
SERVERS = {"runserver", "testserver"}


class Actor(NamedTuple):
    user_id: int
    reason: str


_current: ContextVar[Actor | None] = ContextVar("actor", default=None)


@contextmanager
def acting(user_id: int, reason: str) -> Iterator[None]:
    """What happens inside is done by this account, for this reason."""
    token = _current.set(Actor(user_id, reason))
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Actor:
    """Return who acts; where nobody said so, it is the server."""
    return _current.get() or Actor(SERVER, command())


def command() -> str:
    """Return `manage.py <command>`, where one runs; a server that it starts is none."""
    name, *arguments = sys.argv
    is_command = Path(name).name in {"manage.py", "django-admin"} and arguments
    return f"manage.py {arguments[0]}" if is_command and arguments[0] not in SERVERS else ""
