"""Configure what processes share, in Redis if available: the cache and the channel layer.

While Redis is away, the cache is the database's table. All names in Redis begin with a prefix of
the site: several sites may use one server, whose messages ignore the number of a Redis database.
"""

import hashlib
import hmac
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from project.config.env import env_secret, stop

TABLE = "chat_cache"  # created by a migration


def site_prefix(secret_key: str, database: dict[str, Any]) -> str:
    """Return a prefix that only the processes with this key and database have.

    A copy of a site, to try something, has the same key, but another database. The prefix is an
    HMAC, so it reveals neither.
    """
    if database["ENGINE"].endswith("sqlite3"):
        path = Path(database["NAME"]).resolve()
        names = [str(path), str(path.stat().st_ino if path.exists() else 0)]
    else:
        names = [str(database.get(each, "")) for each in ("HOST", "PORT", "NAME")]
    site = "\0".join([*names, urlsplit(_redis()).path])
    digest = hmac.new(secret_key.encode(), b"redis prefix\0" + site.encode(), hashlib.sha256)
    return f"runnel-{digest.hexdigest()[:16]}"


def read(prefix: str) -> dict[str, Any]:
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
            "KEY_PREFIX": prefix,
            "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2, "table": TABLE},
        }
    }


def channel_layers(prefix: str) -> dict[str, Any]:
    """Return `CHANNEL_LAYERS`. Without Redis, notifications stay within a process."""
    url = _redis()
    if not url:
        return {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    return {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [url], "prefix": prefix},
        }
    }


def _redis() -> str:
    url = env_secret("REDIS_URL")
    if url and not _is_address(url):
        stop("REDIS_URL", "isn't a Redis address; write it like redis://:password@host:6379/0")
    return url


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_port = parts.port != 0  # raises ValueError for what is no port
    except ValueError:
        return False
    if parts.scheme == "unix":
        return bool(parts.path)
    number = parts.path.strip("/")
    is_number = not number or number.isdecimal()
    return parts.scheme in {"redis", "rediss"} and is_port and is_number
