"""Track who performs the current action and why, for the record of staff actions.

Code that changes permissions wraps the change in `attributed_to`; permission_changes.py records it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

#: Stands for an account's id if a command, a link or the site itself acts.
SERVER = 0
SERVERS = {"runserver", "testserver"}


class Actor(NamedTuple):
    """The account that acts, and the reason it gave."""

    user_id: int
    reason: str


_current: ContextVar[Actor | None] = ContextVar("actor", default=None)


@contextmanager
def attributed_to(user_id: int, reason: str) -> Iterator[None]:
    """Attribute the changes made inside to this account, for this reason."""
    token = _current.set(Actor(user_id, reason))
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Actor:
    """Return the actor; by default it is the server."""
    return _current.get() or Actor(SERVER, management_command())


def management_command() -> str:
    """Return `manage.py <command>` if a command runs; empty in a server that it started."""
    name, *arguments = sys.argv
    is_command = Path(name).name in {"manage.py", "django-admin"} and arguments
    return f"manage.py {arguments[0]}" if is_command and arguments[0] not in SERVERS else ""
