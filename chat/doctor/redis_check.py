"""Check Redis, which the processes of a site share."""

from collections.abc import Iterator
from datetime import timedelta

import redis
from django.conf import settings
from django.db import DatabaseError
from django.db.models.functions import Now

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.generations.models import Worker
from chat.generations.process.workers import DEAD_AFTER_SECONDS

NAME = "Redis"
TIMEOUT_SECONDS = 3.0
KEY = "runnel:doctor"


def check_redis(_options: DoctorOptions) -> Iterator[CheckResult]:
    cache = settings.CACHES["default"]
    if not cache["BACKEND"].endswith("RedisOrTableCache"):
        yield _without()
        return
    try:
        version = _write_and_read(cache["LOCATION"])
    except redis.RedisError as error:
        message = f"Redis can't be used: {type(error).__name__}"
        advice = (
            "Start Redis, and compare REDIS_URL with its address and password. Meanwhile the"
            " database counts sign-in attempts, and pages aren't notified by other processes."
        )
        yield CheckResult(NAME, "problem", message, advice)
    else:
        message = f"Redis {version} answers and takes writes."
        yield CheckResult(NAME, "ok", message, facts={"version": version})


def _write_and_read(url: str) -> str:
    """Return the server's version, after a write and a read."""
    with redis.Redis.from_url(
        url, socket_connect_timeout=TIMEOUT_SECONDS, socket_timeout=TIMEOUT_SECONDS
    ) as client:
        client.set(KEY, "1", ex=10)
        if client.getdel(KEY) != b"1":
            raise redis.RedisError
        return str(client.info("server").get("redis_version", ""))


def _without() -> CheckResult:
    since = timedelta(seconds=DEAD_AFTER_SECONDS)
    try:
        running = Worker.objects.filter(heartbeat_at__gte=Now() - since).count()
    except DatabaseError:
        running = 0  # reported by the database check
    if running < 2:
        return CheckResult(
            NAME, "ok", "Not used. One process needs none.", facts={"running": running}
        )
    message = f"{running} processes run without Redis: pages aren't notified by other processes."
    return CheckResult(NAME, "warning", message, "Set REDIS_URL.", {"running": running})
