"""An overloaded process refuses new messages and keeps running answers."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.test import AsyncClient
from pytest_django import Settings

from chat.conversations.models import Conversation
from chat.database.errors import DatabaseUnavailable
from chat.generations.process import server_process
from chat.generations.process.load_shedding import overload_reason, require_capacity
from chat.generations.storage import checkpoint
from tests.support.generations.follow import endless
from tests.support.generations.send import key, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.wait_for import until


@pytest.fixture(autouse=True)
def _limits(settings: Settings) -> None:
    settings.MAX_LAG_SECONDS = 2


#: Halved four times a second, it is above any limit for as long as a test takes.
MUCH_SECONDS = 1e100


@contextmanager
def too_late() -> Iterator[None]:
    server_process.current().loop_lag.lag_seconds = MUCH_SECONDS
    yield


@contextmanager
def nothing_written() -> Iterator[None]:
    with patch.object(checkpoint, "_write_all", side_effect=OperationalError("locked")):
        yield


@pytest.mark.parametrize(
    ("limits", "trouble", "code"),
    [
        ({}, too_late, "overloaded"),
        ({"MAX_FLUSH_DELAY_SECONDS": 0.2}, nothing_written, "database_unavailable"),
        ({"MAX_RUNNING_ANSWERS": 1}, nullcontext, "overloaded"),
        ({"MAX_OPEN_STREAMS": 1}, nullcontext, "overloaded"),
    ],
)
async def test_a_new_message_is_refused_and_the_running_answer_continues(
    limits: dict[str, float],
    trouble: Callable[[], AbstractContextManager[None]],
    code: str,
    alice_client: AsyncClient,
) -> None:
    async with site_with(endless(), **limits):
        running: Any = await send(alice_client, text="Hello")
        await anext(running.streaming_content)
        with trouble():
            await until(lambda: overload_reason(server_process.current()))
            for refused in (
                await send(alice_client, text="More"),
                await ask(alice_client, {"prompt": "More"}),
            ):
                assert refused.status_code == 503
                assert 2 <= int(refused["Retry-After"]) <= 6
                error = refused.json()["error"]
                assert (error["code"], error["retryable"]) == (code, True)
                assert "Your draft is saved" in error["message"]
            assert await Conversation.objects.acount() == 1  # nothing of the refused one is stored
            assert (await alice_client.get("/chat/")).status_code == 200
            path = f"/generations/{running['X-Generation-Id']}"
            resumed: Any = await alice_client.get(f"{path}/stream")
        assert (await alice_client.post(f"{path}/cancellation")).status_code == 200
        stream = await read_stream(resumed)
        assert stream.done
        assert stream.key("state") == "stopped"


async def test_the_same_send_is_accepted_afterwards(alice_client: AsyncClient) -> None:
    body = {"key": key(), "text": "Hello"}
    await read_stream(await send(alice_client, text="First"))
    server_process.current().loop_lag.lag_seconds = MUCH_SECONDS
    assert (await send(alice_client, **body)).status_code == 503
    server_process.current().loop_lag.lag_seconds = 0
    assert (await read_stream(await send(alice_client, **body))).done


async def test_repeated_refusals_keep_nothing_of_their_requests(alice_client: AsyncClient) -> None:
    async with site_with(endless(), MAX_FLUSH_DELAY_SECONDS=0.2):
        running: Any = await send(alice_client, text="Hello")
        await anext(running.streaming_content)
        here = server_process.current()
        with nothing_written():
            await until(lambda: overload_reason(here))
            raised = []
            for _ in range(2):
                with pytest.raises(DatabaseUnavailable) as refusal:
                    require_capacity(here)
                raised.append(refusal.value)
            assert raised[0] is not raised[1]  # one error for all would hold every traceback
        path = f"/generations/{running['X-Generation-Id']}/cancellation"
        assert (await alice_client.post(path)).status_code == 200
        await read_stream(running)


async def test_a_browser_without_scripts_gets_a_page_in_its_language(
    alice_client: AsyncClient,
) -> None:
    server_process.current().loop_lag.lag_seconds = MUCH_SECONDS
    response = await alice_client.post(
        "/chat/messages",
        "key=abcdefgh&message=Hello",
        content_type="application/x-www-form-urlencoded",
        headers={"Accept": "text/html", "Accept-Language": "de"},
    )
    assert response.status_code == 503
    assert "stark ausgelastet" in response.content.decode()
    assert "default-src 'none'" in response["Content-Security-Policy"]


async def test_a_limit_of_zero_means_no_limit(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_LAG_SECONDS = settings.MAX_RUNNING_ANSWERS = settings.MAX_OPEN_STREAMS = 0
    await read_stream(await send(alice_client, text="First"))
    server_process.current().loop_lag.lag_seconds = MUCH_SECONDS
    assert (await read_stream(await send(alice_client, text="Hello"))).done


async def test_a_blocked_event_loop_is_noticed(alice_client: AsyncClient) -> None:
    await read_stream(await send(alice_client, text="First"))
    time.sleep(0.6)
    await until(lambda: server_process.current().loop_lag.lag_seconds > 0.1)
