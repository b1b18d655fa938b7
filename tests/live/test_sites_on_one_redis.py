"""Two sites can use one Redis server: neither hears, counts or reads what the other does."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from channels.layers import BaseChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

from chat.database.redis_or_table_cache import RedisOrTableCache
from chat.generations.delivery.notifications import group_of
from project.config import caches
from tests.support.servers.settings_process import read

PREFIX = "CHANNEL_LAYERS['default']['CONFIG']['prefix']"


def database(name: str, engine: str = "django.db.backends.sqlite3", **more: str) -> dict[str, Any]:
    return {"ENGINE": engine, "NAME": name, **more}


def site(
    monkeypatch: pytest.MonkeyPatch, url: str, name: str, key: str = "k" * 50
) -> dict[str, Any]:
    """Return the settings of a site that uses this Redis."""
    monkeypatch.setenv("REDIS_URL", url)
    prefix = caches.site_prefix(key, database(name))
    return {
        "cache": caches.read(prefix)["default"],
        "layer": caches.channel_layers(prefix)["default"],
    }


def layer_of(settings: dict[str, Any]) -> BaseChannelLayer:
    return RedisPubSubChannelLayer(**settings["layer"]["CONFIG"])


@pytest.mark.parametrize("numbers", [("", ""), ("?db=0", "?db=1")])
async def test_a_page_hears_only_its_own_site(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, numbers: tuple[str, str]
) -> None:
    one = site(monkeypatch, redis_url + numbers[0], "/one/runnel.sqlite3")
    copy = site(monkeypatch, redis_url + numbers[1], "/copy/runnel.sqlite3")
    ours, ours_too, theirs = layer_of(one), layer_of(one), layer_of(copy)
    channel = await ours.new_channel()
    await ours.group_add(group_of(1), channel)
    await theirs.group_send(group_of(1), {"type": "hint", "of": "the copy"})
    await ours_too.group_send(group_of(1), {"type": "hint", "of": "us"})  # another process
    async with asyncio.timeout(20):
        assert await ours.receive(channel) == {"type": "hint", "of": "us"}
    for layer in (ours, ours_too, theirs):
        await layer.flush()


def test_each_site_has_its_own_counters(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = site(monkeypatch, redis_url, "/one/runnel.sqlite3")["cache"]
    other = site(monkeypatch, redis_url, "/one/runnel.sqlite3", key="o" * 50)["cache"]
    ours, theirs = (RedisOrTableCache(each["LOCATION"], each) for each in (one, other))
    ours.set("attempts", 5)
    assert theirs.get("attempts") is None
    assert RedisOrTableCache(one["LOCATION"], one).get("attempts") == 5


def test_the_prefix_is_the_same_for_all_processes_of_a_site(tmp_path: Path) -> None:
    shared = {"SECRET_KEY": "k" * 60, "REDIS_URL": "redis://127.0.0.1/0"}
    (tmp_path / "copy").mkdir()
    first, second = (read(tmp_path, PREFIX, **shared, PORT=port).stdout for port in ("1", "2"))
    copy = read(tmp_path / "copy", PREFIX, **shared).stdout
    assert first == second != copy
    assert "runnel-" in first
    assert "kkk" not in first


def test_servers_of_postgresql_are_told_apart() -> None:
    facts = [("one", "a"), ("two", "a"), ("one", "b")]
    found = {
        caches.site_prefix("k", database(name, "chat.database.postgresql", HOST=host, PORT="5432"))
        for host, name in facts
    }
    assert len(found) == 3
