"""Expired rows are removed from the database."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import caches
from django.db import connection
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import Invitation, SetupLink, User
from chat.accounts.sessions import expired_sessions
from chat.accounts.sessions.session_store import SessionStore, UserSession
from chat.generations.process import server_process
from chat.quotas import meters
from chat.quotas.models import Meter
from tests.support.web.signed_in import signed_in_client

pytestmark = pytest.mark.django_db
DATABASE = {
    "default": {
        "BACKEND": "chat.database.table_cache.TableCache",
        "LOCATION": "chat_cache",
    }
}


def session_that_ends(ends_in: timedelta) -> str:
    store = SessionStore()
    store.create()
    key = str(store.session_key)
    UserSession.objects.filter(pk=key).update(expire_date=timezone.now() + ends_in)
    return key


def test_expired_sessions_are_removed(alice: User) -> None:
    browser = signed_in_client(alice)
    over = session_that_ends(timedelta(seconds=-1))
    anonymous = session_that_ends(timedelta(days=1))
    expired_sessions.remove_expired()
    assert not UserSession.objects.filter(pk=over).exists()
    assert set(UserSession.objects.values_list("pk", flat=True)) == {
        anonymous,
        browser.cookies["sessionid"].value,
    }


def test_rows_are_removed_in_batches(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    monkeypatch.setattr(expired_sessions, "AT_ONCE", 2)
    for _ in range(3):
        session_that_ends(timedelta(seconds=-1))
    assert [expired_sessions.remove_expired() for _ in range(3)] == [2, 1, 0]


def test_unused_links_are_removed(db: None) -> None:
    now = timezone.now()
    for days in (1, -1, -31):
        Invitation.objects.create(
            email=f"{days}@example.org", digest=str(days), expires_at=now + timedelta(days=days)
        )
    SetupLink.objects.create(digest="old", created_at=now - timedelta(days=2))
    SetupLink.objects.create(digest="new")
    expired_sessions.remove_expired()
    assert sorted(Invitation.objects.values_list("digest", flat=True)) == ["-1", "1"]
    assert SetupLink.objects.get().digest == "new"


def test_expired_cache_entries_are_removed(settings: Settings, transactional_db: None) -> None:
    settings.CACHES = DATABASE
    for key in ("over", "kept"):
        caches["default"].set(key, 1, timeout=600)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE chat_cache SET expires = '2026-01-01' WHERE cache_key = ':1:over'")
        expired_sessions.remove_expired()
        cursor.execute("SELECT cache_key FROM chat_cache")
        assert [key for (key,) in cursor.fetchall()] == [":1:kept"]
        cursor.execute("DELETE FROM chat_cache")


def test_the_usage_of_an_address_is_removed_after_its_month(db: None) -> None:
    last_month = datetime.now(UTC).replace(day=1) - timedelta(days=2)
    rows: dict[str, dict[str, Any]] = {
        "address:192.0.2.1": {"used_at": last_month},
        "visitor:gone": {"used_at": last_month},
        "address:192.0.2.2": {"used_at": last_month, "running": 1},
        "address:192.0.2.3": {},
        "user:1": {"used_at": last_month},
    }
    for key, fields in rows.items():
        Meter.objects.create(key=key, **fields)
    assert meters.remove_idle() == 2
    left = Meter.objects.filter(key__in=rows).values_list("key", flat=True)
    assert set(left) == {"address:192.0.2.2", "address:192.0.2.3", "user:1"}


async def test_the_server_removes_expired_rows_by_itself(anonymous_client: AsyncClient) -> None:
    over = await sync_to_async(session_that_ends)(timedelta(seconds=-1))
    long_ago = datetime(2026, 1, 1, tzinfo=UTC)
    await Meter.objects.acreate(key="address:192.0.2.1", used_at=long_ago)
    await server_process.current()._clean_up()
    assert not await UserSession.objects.filter(pk=over).aexists()
    assert not await Meter.objects.filter(key="address:192.0.2.1").aexists()
