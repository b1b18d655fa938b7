"""Open the SQLite database that is copied, and keep others from writing to it meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import dj_database_url
from django.db import DatabaseError, connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.utils import timezone

from chat.database_copy.errors import CopyRefused
from chat.database_copy.schema_version import require_current_schema
from chat.generations.models import Worker
from chat.generations.process.workers import DEAD_AFTER_SECONDS

ALIAS = "copy_source"
#: How long to wait for somebody else's write.
LOCK_SECONDS = 5
PREFIX = "sqlite:///"


@contextmanager
def locked_source(url: str) -> Iterator[None]:
    """Provide the database at `url` as `ALIAS`, with its write lock held until the end.

    Nothing in it is changed. Raise `CopyRefused` if it cannot be copied.
    """
    connections[ALIAS] = _connection(_existing_file(url))
    try:
        with _locked():
            require_current_schema(ALIAS, "The SQLite database")
            _require_stopped_site()
            yield
    finally:
        connections[ALIAS].close()
        del connections[ALIAS]


def _existing_file(url: str) -> Path:
    if not url.startswith(PREFIX):
        raise CopyRefused(f"--from must be the address of a SQLite file, such as {PREFIX}var/….")
    path = Path(str(dj_database_url.parse(url)["NAME"])).absolute()
    if not path.is_file():  # SQLite would create it
        raise CopyRefused(f"There is no file {path}. Check --from.")
    return path


def _connection(path: Path) -> DatabaseWrapper:
    options = {"timeout": LOCK_SECONDS, "transaction_mode": "IMMEDIATE"}
    default = connections["default"].settings_dict
    changed = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path), "OPTIONS": options}
    return DatabaseWrapper({**default, **changed, "CONN_HEALTH_CHECKS": False}, ALIAS)


@contextmanager
def _locked() -> Iterator[None]:
    transaction_ = transaction.atomic(using=ALIAS)
    try:
        transaction_.__enter__()
    except DatabaseError as error:
        raise CopyRefused(
            f"The SQLite database can't be locked ({error}). Stop the site, and run this command as"
            " a user who may write to the file."
        ) from error
    try:
        yield
    finally:
        transaction.set_rollback(True, using=ALIAS)
        transaction_.__exit__(None, None, None)


def _require_stopped_site() -> None:
    lately = timezone.now() - timedelta(seconds=DEAD_AFTER_SECONDS)
    running = Worker.objects.using(ALIAS).filter(heartbeat_at__gte=lately).first()
    if running:
        raise CopyRefused(
            f"The site still runs on the SQLite database: process {running.pid} on {running.host}."
            f" Stop it first. If it was killed, try again in {DEAD_AFTER_SECONDS:.0f} seconds."
        )
