"""A cache in a table, for what processes count together: attempts to sign in, opened links."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.cache.backends.db import DatabaseCache
from django.db import DatabaseError, connection
from django.utils import timezone

from chat.database.errors import error_for
from chat.database.optional_writes import short_wait


class TableCache(DatabaseCache):
    """Django's cache in a table, which says so if it cannot write. Writes wait only briefly.

    Django's own pretends that somebody else was faster, which reads as one attempt too many.
    """

    def _base_set(self, *args: Any, **kwargs: Any) -> bool:
        failures: list[DatabaseError] = []

        def note(execute: Any, *call: Any) -> Any:
            try:
                return execute(*call)
            except DatabaseError as error:
                failures.append(error)
                raise

        with short_wait(), connection.execute_wrapper(note):
            is_set: bool = super()._base_set(*args, **kwargs)  # type: ignore[misc]
        for failure in failures:
            if error_for(failure):
                raise failure
        return is_set

    def _base_delete_many(self, keys: Iterable[str]) -> bool:
        """Delete entries, which reading does with expired ones; keep them if that is impossible."""
        try:
            with short_wait():
                return bool(super()._base_delete_many(keys))  # type: ignore[misc]
        except DatabaseError as error:
            if error_for(error) is None:
                raise
            return False


def remove_expired_entries() -> int:
    """Remove expired entries; return how many.

    Django only removes them once there are too many, and until then network addresses would be
    kept.
    """
    cache = settings.CACHES["default"]
    name = cache.get("OPTIONS", {}).get("table")  # besides Redis
    if cache["BACKEND"].endswith(".TableCache"):
        name = cache["LOCATION"]
    if not name:
        return 0
    table, column = map(connection.ops.quote_name, (name, "expires"))
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE {column} < %s", [now])  # noqa: S608
        return int(cursor.rowcount)
