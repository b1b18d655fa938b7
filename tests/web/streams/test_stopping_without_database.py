"""While the database is away, whoever reads an answer can stop it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import AsyncClient

from chat.accounts.models import User
from chat.generations.delivery import readers
from chat.generations.delivery.readers import StoredReader
from chat.generations.process.subscribers import Subscriber
from tests.support.generations.follow import endless, follow, live
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import until, written
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.visitor_client import Visiting, make_site


@contextmanager
def no_database() -> Iterator[None]:
    """Refuse every statement, on all connections."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise OperationalError("the connection is closed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseWrapper, "cursor", refuse)
        yield


async def stop(client: AsyncClient, response: Any) -> Any:
    return await client.post(f"/generations/{response['X-Generation-Id']}/cancellation")


async def test_a_member_who_reads_an_answer_stops_it(alice_client: AsyncClient) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Hello")
        reading = asyncio.create_task(read_stream(response))
        generation = await written(response, frames=5)
        with no_database():
            assert (await stop(alice_client, response)).status_code == 200
            await until(lambda: generation._ending)
            length = generation.length
        stream = await reading
    assert (stream.key("state"), stream.key("length")) == ("stopped", length)


async def test_a_visitor_who_reads_an_answer_stops_it(
    alice: User, stop_server_process: None
) -> None:
    visit = Visiting(await sync_to_async(make_site)(alice))
    await visit.begin()
    other = Visiting(visit.site)
    await other.begin()
    async with site_with(endless()):
        response = await visit.send("Hello")
        reading = asyncio.create_task(read_stream(response))
        await written(response, frames=5)
        path = f"generations/{response['X-Generation-Id']}/cancellation"
        with no_database():
            assert (await other.post(path)).status_code == 503
            assert not live(response)._stop_as
            assert (await visit.post(path)).status_code == 200
        assert (await reading).key("state") == "stopped"


async def test_nobody_else_stops_it(alice_client: AsyncClient, bob_client: AsyncClient) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Hello")
        reading = asyncio.create_task(read_stream(response))
        await written(response, frames=5)
        with no_database():
            for stranger in (bob_client, AsyncClient()):
                refused = await stop(stranger, response)
                assert refused.status_code in {401, 503}
        assert not live(response)._stop_as
        await stop(alice_client, response)
        await reading


async def test_without_a_reader_in_this_session_the_refusal_can_be_retried(
    alice_client: AsyncClient, alice: User
) -> None:
    elsewhere = await sync_to_async(signed_in_client)(alice)
    assert elsewhere.cookies[settings.SESSION_COOKIE_NAME].value
    async with site_with(endless()):
        response = await send(alice_client, text="Hello")
        reading = asyncio.create_task(read_stream(response))
        await written(response, frames=5)
        with no_database():
            refused = await stop(elsewhere, response)
        error = refused.json()["error"]
        assert (refused.status_code, error["code"]) == (503, "database_unavailable")
        assert error["retryable"]
        assert int(refused["Retry-After"]) <= 3
        assert (await stop(elsewhere, response)).status_code == 200
        await reading


async def test_a_reader_in_another_process_gets_heartbeats_and_then_the_rest(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "RETRY_SECONDS", 0.01)
    response = await send(alice_client, text="Hello")
    whole = await read_stream(response)
    reader = StoredReader(live(response).id, 0, 0.02, Subscriber(None, live(response).id))  # type: ignore[arg-type]
    with no_database():
        assert [await reader.next() for _ in range(3)] == [b"", b"", b""]
    frames = b""
    while (more := await reader.next()) is not None:
        frames += more
    assert frames.endswith(b"data: [DONE]\n\n")
    assert frames.count(b"id: ") == len(whole.ids)
    assert (await follow(alice_client, str(live(response).id))).status_code == 200
