"""A cache in Redis that counts in the database's table while Redis is away."""

import logging
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from chat.database.table_cache import TableCache
from chat.lib import metrics
from chat.lib.limits import Deadlines

#: How long the table is used before Redis is tried again.
RETRY_SECONDS = 5.0
OPERATIONS = (
    "add", "get", "set", "touch", "delete", "get_many", "has_key", "incr", "set_many",
    "delete_many", "clear",
)  # fmt: skip

log = logging.getLogger(__name__)

#: Until when each server is not tried again. Each thread has its own cache.
_away_until: Deadlines[str] = Deadlines()


class RedisOrTableCache(RedisCache):
    """Django's cache in Redis; `OPTIONS["table"]` names the table to fall back to.

    Counts are not carried over, so a limit may start anew when Redis goes and when it returns.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = dict(params.get("OPTIONS", {}))
        table = options.pop("table")
        super().__init__(server, {**params, "OPTIONS": options})
        self._server = server
        self._table = TableCache(table, {**params, "OPTIONS": {}})

    def call(self, operation: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method of the cache, in Redis if it answers."""
        if not _away_until.seconds_left(self._server):
            try:
                return getattr(super(), operation)(*args, **kwargs)
            except RedisError as error:
                _away_until.start(self._server, RETRY_SECONDS)
                metrics.record_redis_failure()
                log.warning("Redis is away, counting in the database: %s", type(error).__name__)
        return getattr(self._table, operation)(*args, **kwargs)


def _operation(name: str) -> Any:
    def operation(self: RedisOrTableCache, *args: Any, **kwargs: Any) -> Any:
        return self.call(name, *args, **kwargs)

    operation.__name__ = name
    return operation


for _name in OPERATIONS:
    setattr(RedisOrTableCache, _name, _operation(_name))
