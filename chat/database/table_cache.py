"""A cache in a table, for what processes count together: attempts to sign in, opened links."""

from collections.abc import Iterable
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import DatabaseError, connection

from chat.database.database_errors import error_for
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
