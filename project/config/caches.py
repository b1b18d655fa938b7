"""Configure what processes share, in Redis if available: the cache and the channel layer.

While Redis is away, the cache is the database's table.
"""

from typing import Any
from urllib.parse import urlsplit

from project.config.env import env_secret, stop

TABLE = "chat_cache"  # created by a migration


def read() -> dict[str, Any]:
    """Return Django's `CACHES`, from the environment."""
    url = _redis()
    if not url:
        return {
            "default": {
                "BACKEND": "chat.database.table_cache.TableCache",
                "LOCATION": TABLE,
                "OPTIONS": {"MAX_ENTRIES": 100_000},
            }
        }
    return {
        "default": {
            "BACKEND": "chat.database.redis_or_table_cache.RedisOrTableCache",
            "LOCATION": url,
            "KEY_PREFIX": "runnel",
            "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2, "table": TABLE},
        }
    }


def channel_layers() -> dict[str, Any]:
    """Return `CHANNEL_LAYERS`. Without Redis, notifications stay within a process."""
    url = _redis()
    if not url:
        return {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    return {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [url], "prefix": "runnel"},
        }
    }


def _redis() -> str:
    url = env_secret("REDIS_URL")
    if url and urlsplit(url).scheme not in {"redis", "rediss", "unix"}:
        stop("REDIS_URL", "isn't a Redis address; write it like redis://:password@host:6379/0")
    return url
