"""The status page tells administrators how processes, storage, provider and backups are."""

import re
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as site
from django.core.management import call_command
from django.db import connection
from django.test import AsyncClient
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.models import Generation, Worker
from chat.generations.process import server_process
from chat.lib import metrics
from chat.quotas.models import Charge, UpstreamPause
from chat.review.models import AccessLogEntry, AuditSeal
from tests.review.conftest import SENTINEL, say
from tests.support.database.last_migration import LAST_MIGRATION
from tests.support.review.reason_for_access import page
from tests.support.web.signed_in import signed_in, signed_in_client


@pytest.fixture
def adam(administrator: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(administrator)


def answered(owner: User, number: int, **facts: Any) -> Generation:
    """Store an answer of the last hour with its charge."""
    say(owner, SENTINEL, f"answer {number}", **facts)
    generation = Generation.objects.order_by("-message_id").first()
    assert generation
    now = timezone.now()
    spent = {"prompt_tokens": 1, "tokens": 2, "millineurons": 0, "microdollars": 0}
    Charge.objects.create(id=generation.pk, keys=[], created_at=now, settled_at=now, **spent)
    return generation


async def facts_of(client: AsyncClient) -> dict[str, str]:
    """Return the facts of the page by their labels."""
    found = re.findall(r"<dt>(.+?)</dt>\s*<dd><bdi>(.*?)</bdi></dd>", await page(client, ADDRESS))
    return dict(found)


ADDRESS = "/review/status/"


async def test_processes_are_listed_with_heartbeat_and_running_answers(
    adam: AsyncClient, alice: User
) -> None:
    def prepare() -> None:
        later = timezone.now() + timedelta(hours=1)  # however long this takes on a busy machine
        alive = Worker.objects.create(host="one", pid=11, process_started="1", heartbeat_at=later)
        Worker.objects.create(
            host="two", pid=22, process_started="1",
            heartbeat_at=timezone.now() - timedelta(seconds=90),
        )  # fmt: skip
        for number in range(3):
            answered(alice, number, state="running", worker=alive, ended_at=None)

    await sync_to_async(prepare)()
    shown = await page(adam, ADDRESS)
    rows = [
        re.findall(r"<bdi>(.*?)</bdi>", row) for row in re.findall(r"(?s)<tr>(.*?)</tr>", shown)
    ]
    (one,) = [row for row in rows if row and row[0] == "one: 11"]
    (two,) = [row for row in rows if row and row[0] == "two: 22"]
    assert (one[1], one[3]) == ("Running", "3")
    assert (two[1], two[3]) == ("Not responding", "0")
    assert 90 <= int(two[2].split()[0]) < 500


async def test_the_provider_is_measured_by_the_answers_of_the_last_hour(
    adam: AsyncClient, alice: User
) -> None:
    def prepare() -> None:
        for number in range(3):
            answered(alice, number, first_token_milliseconds=1000 * (number + 1))
        answered(alice, 3, state="failed", error_code="upstream_timeout")
        old = answered(alice, 4, state="failed", error_code="too_old")
        Charge.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(hours=2))
        UpstreamPause.objects.create(until=timezone.now() + timedelta(hours=1))

    await sync_to_async(prepare)()
    found = await facts_of(adam)
    assert found["Ended answers"] == "4"
    assert found["Failed"] == "25.0%"
    assert found["First token, median"] == "2.00 s"
    assert found["First token, 95th percentile"] == "3.00 s"
    assert "Paused until" in found
    shown = await page(adam, ADDRESS)
    assert "upstream_timeout" in shown
    assert "too_old" not in shown


async def test_storage_is_described(adam: AsyncClient) -> None:
    found = await facts_of(adam)
    kind = "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"
    assert found["Database"].startswith(f"{kind} ")
    assert re.fullmatch(r"[\d.]+\s[KM]B", found["Size"])
    assert found["Migrations"] == "Up to date"
    assert ("Connections" in found) == (kind == "PostgreSQL")
    assert found["Redis"] == "Not used"


async def test_overdue_deletions_are_counted(
    adam: AsyncClient, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_process, "PURGE_SECONDS", 1e6)
    assert (await facts_of(adam))["Overdue deletions"] == "0"
    late = timezone.now() - timedelta(hours=2)
    await Conversation.objects.acreate(owner=alice, purge_after=late)
    assert (await facts_of(adam))["Overdue deletions"] == "1"


async def test_the_page_is_shown_while_redis_is_away(
    adam: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = {"BACKEND": "chat.database.redis_or_table_cache.RedisOrTableCache"}
    secret = "redis://:hunter2@127.0.0.1:9/0"
    monkeypatch.setattr(site, "CACHES", {"default": away | {"LOCATION": secret}})
    assert (await facts_of(adam))["Redis"] == "Not reachable"
    assert "hunter2" not in await page(adam, ADDRESS)


async def test_missing_migrations_are_counted(adam: AsyncClient) -> None:
    def forget() -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name = %s", [LAST_MIGRATION])

    await facts_of(adam)  # the process is ready by now
    await sync_to_async(forget)()
    try:
        assert (await facts_of(adam))["Migrations"] == "1 is missing"
    finally:
        await sync_to_async(call_command)("migrate", "chat", fake=True, verbosity=0)


async def test_the_last_backup_and_seal_are_told(adam: AsyncClient) -> None:
    assert (await facts_of(adam))["Last backup"] == "Unknown"
    assert (await facts_of(adam))["Audit log sealed through"] == "Not sealed yet"
    mark = site.DATA_DIR / "last_backup"
    mark.touch()
    old = timezone.now().date() - timedelta(days=9)
    await AuditSeal.objects.acreate(day=old, rows=0, digest="x")
    try:
        found = await facts_of(adam)
    finally:
        mark.unlink()
    assert str(timezone.now().year) in found["Last backup"]
    assert found["Audit log sealed through"].endswith("(late)")


async def test_refused_requests_and_limits_of_this_process_are_shown(
    adam: AsyncClient, settings: Any
) -> None:
    metrics.record_shed("open_streams")
    settings.MAX_RUNNING_ANSWERS = 7
    shown = await page(adam, ADDRESS)
    assert "0 (limit: 7)" in shown
    assert "open_streams" in shown
    settings.MIN_FREE_BYTES = 1 << 62
    assert (await facts_of(adam))["New questions"] == "Refused: disk"


async def test_nothing_of_members_is_shown_or_recorded(adam: AsyncClient, alice: User) -> None:
    await sync_to_async(answered)(alice, 1, state="failed", error_code="upstream_timeout")
    shown = await page(adam, ADDRESS)
    for secret in (SENTINEL, alice.email, site.SECRET_KEY, str(site.DATA_DIR)):
        assert secret not in shown
    assert await AccessLogEntry.objects.acount() == 0


def test_the_queries_do_not_grow_with_the_site(administrator: User, alice: User) -> None:
    client = signed_in(administrator)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(ADDRESS).status_code == 200
        return len(captured)

    answered(alice, 0)
    queries()  # the first one reads what later ones remember
    few = queries()
    for number in range(1, 5):
        answered(alice, number)
        Worker.objects.create(host="h", pid=number, process_started="1")
    assert queries() == few
    assert 5 < few < 25
