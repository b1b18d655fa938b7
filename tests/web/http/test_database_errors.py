"""A full disk or a locked database gives a clear 503, can be retried, and loses nothing."""

import asyncio
import threading
import uuid
from typing import Any

import pytest
from django.db import OperationalError
from django.test import AsyncClient, Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.database import threads
from chat.database.errors import error_for, is_locked
from chat.lib import disk
from tests.support.database.database_faults import ON_SQLITE, during, full_disk, locked
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream


async def test_a_full_disk_is_reported_and_the_same_send_succeeds_later(
    alice_client: AsyncClient, alice: User
) -> None:
    key, text = uuid.uuid4().hex, "Keep me. " * 3000
    async with during(full_disk()):
        refused = await send(alice_client, text=text, key=key)
        ready = await AsyncClient().get("/readyz")
    error = refused.json()["error"]
    assert (refused.status_code, error["code"], error["retryable"]) == (
        503,
        "database_unavailable",
        True,
    )
    assert "Your draft is saved" in error["message"]
    assert int(refused["Retry-After"]) > 0
    assert (ready.status_code, ready.json()["disk"]) == (503, "full")
    disk.reset()
    assert (await AsyncClient().get("/readyz")).status_code == 200
    assert (await read_stream(await send(alice_client, text=text, key=key))).done
    assert await Message.objects.filter(text=text).acount() == 1


async def test_with_little_disk_space_nothing_new_starts(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MIN_FREE_BYTES = 2**62
    refused = await send(alice_client, text="Hello")
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "database_unavailable")
    assert (await AsyncClient().get("/readyz")).json()["disk"] == "full"
    assert (await alice_client.get("/chat/")).status_code == 200  # reading still works
    assert not await Message.objects.aexists()


async def test_a_full_disk_during_a_flush_makes_the_process_unready(
    alice_client: AsyncClient,
) -> None:
    def flush() -> None:
        raise OperationalError("database or disk is full")

    with pytest.raises(OperationalError):
        await threads.writer.run(flush)
    assert (await AsyncClient().get("/readyz")).json()["disk"] == "full"


only_sqlite = pytest.mark.skipif(not ON_SQLITE, reason="PostgreSQL locks rows")


@only_sqlite
async def test_a_locked_database_is_reported_and_the_same_send_succeeds_later(
    alice_client: AsyncClient,
) -> None:
    key = uuid.uuid4().hex
    async with during(locked()):
        refused = await send(alice_client, text="Keep me", key=key)
    error = refused.json()["error"]
    assert (refused.status_code, error["code"], error["retryable"]) == (
        503,
        "database_unavailable",
        True,
    )
    assert (await read_stream(await send(alice_client, text="Keep me", key=key))).done
    assert await Message.objects.filter(text="Keep me").acount() == 1


@only_sqlite
def test_signing_in_with_a_locked_database_shows_a_message(alice: User) -> None:
    client = Client(raise_request_exception=False)
    with locked():
        response = client.post(
            "/accounts/login/",
            {"login": alice.email, "password": "correct horse"},
            headers={"Accept": "text/html"},
        )
    assert response.status_code == 503
    assert "busy right now" in response.content.decode()


async def test_work_queued_behind_a_lock_timeout_does_not_wait_again() -> None:
    tried = []

    others_wait = threading.Event()

    def wait_in_vain() -> None:
        tried.append("first")
        others_wait.wait(20)
        raise OperationalError("database is locked")

    def never() -> None:
        tried.append("second")

    pool = threads.DatabaseThreads("test-writer", 1)
    jobs = [asyncio.create_task(pool.run(each)) for each in (wait_in_vain, never, never)]
    await asyncio.sleep(0)  # now both are queued
    others_wait.set()
    results = await asyncio.gather(*jobs, return_exceptions=True)
    assert [type(each) for each in results] == [OperationalError] * 3
    assert tried == ["first"]
    await pool.run(never)
    assert tried == ["first", "second"]
    await asyncio.to_thread(pool.close)


async def test_a_reader_that_times_out_does_not_affect_others() -> None:
    pool = threads.DatabaseThreads("test-reader", 2)
    go_on = threading.Event()

    def locked_out() -> None:
        go_on.wait(20)
        raise OperationalError("database is locked")

    jobs = [asyncio.create_task(pool.run(each)) for each in (locked_out, locked_out, lambda: 1)]
    await asyncio.sleep(0)
    go_on.set()
    results = await asyncio.gather(*jobs, return_exceptions=True)
    assert results[2] == 1
    await asyncio.to_thread(pool.close)


@pytest.mark.parametrize("words", ["deadlock detected", "canceling statement due to lock timeout"])
def test_deadlocks_and_row_locks_are_busy_but_not_a_locked_database(words: str) -> None:
    error = OperationalError(words)
    assert not is_locked(error)
    found = error_for(error)
    assert found is not None
    assert (found.status, found.code) == (503, "database_unavailable")


def test_a_mistake_in_a_statement_is_not_an_outage() -> None:
    assert error_for(OperationalError("no such table: chat_conversation")) is None


async def test_other_exceptions_stay_server_errors(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("no database in sight")

    monkeypatch.setattr("chat.web.chat.views.chats.list_context", broken)
    alice_client.raise_request_exception = False
    assert (await alice_client.get("/chat/")).status_code == 500
