"""The cache: what all processes count together, in Redis or else in the database."""

from typing import Any
from urllib.parse import urlsplit

from project.env import env_secret, stop

TABLE = "chat_cache"  # made by a migration


def read() -> dict[str, Any]:
    """Django's `CACHES`, from the environment."""
    url = env_secret("REDIS_URL")
    if not url:
        return {
            "default": {
                "BACKEND": "django.core.cache.backends.db.DatabaseCache",
                "LOCATION": TABLE,
                "OPTIONS": {"MAX_ENTRIES": 100_000},
            }
        }
    if urlsplit(url).scheme not in {"redis", "rediss", "unix"}:
        stop("REDIS_URL", "is not a Redis; write it like redis://:password@host:6379/0")
    return {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": url,
            "KEY_PREFIX": "runnel",
            "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
        }
    }
