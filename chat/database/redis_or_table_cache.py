"""A cache in Redis that counts in the database's table while Redis is away."""

import logging
import time
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from chat.database.table_cache import TableCache
from chat.lib import metrics

#: How long the table is used before Redis is tried again.
RETRY_SECONDS = 5.0
OPERATIONS = (
    "add", "get", "set", "touch", "delete", "get_many", "has_key", "incr", "set_many",
    "delete_many", "clear",
)  # fmt: skip

log = logging.getLogger(__name__)

#: The time (monotonic) until which each server is not tried again. Each thread has its own cache.
_away_until: dict[str, float] = {}


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
        if time.monotonic() >= _away_until.get(self._server, 0.0):
            try:
                return getattr(super(), operation)(*args, **kwargs)
            except RedisError as error:
                _away_until[self._server] = time.monotonic() + RETRY_SECONDS
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
