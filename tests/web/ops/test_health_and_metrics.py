"""Health checks and metrics."""

import asyncio
import threading
from typing import Any

import pytest
from django.db import OperationalError
from django.test import AsyncClient, AsyncRequestFactory
from pytest_django import Settings

from chat.database import threads
from chat.database.migration_state import MigrationState
from chat.errors import NotFound
from chat.generations.process import server_process
from chat.lib import metrics
from chat.web.ops import health
from chat.web.ops import metrics as metrics_view
from tests.support.database.database_faults import HOW, NO_WRITES, during
from tests.support.generations.follow import endless
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import ask, site_with

TOKEN = {"Authorization": "Bearer open sesame"}


async def sample(client: AsyncClient, line: str) -> float:
    """Return the value of the metric whose line starts with `line`."""
    text = (await client.get("/metrics")).content.decode()
    found = [each for each in text.splitlines() if each.startswith(line + " ")]
    return float(found[0].rpartition(" ")[2]) if found else 0.0


async def test_a_process_with_its_database_is_ready(anonymous_client: AsyncClient) -> None:
    response = await anonymous_client.get("/readyz")
    assert response.status_code == 200
    facts = {"database": "ok", "writer": "ok", "disk": "ok", "draining": False, "overloaded": ""}
    assert response.json() == {"ready": True, **facts}


async def test_liveness_reads_nothing_even_with_a_session(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await alice_client.get("/chat/")).status_code == 200
    monkeypatch.setattr(threads.readers, "run", None)  # calling it fails
    assert (await alice_client.get("/healthz")).status_code == 200


async def test_a_process_whose_writer_hangs_is_not_ready(
    anonymous_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "WRITER_SECONDS", 0.05)
    go_on, hangs = threading.Event(), threading.Event()

    def hang() -> None:
        hangs.set()
        go_on.wait(60)

    hanging = asyncio.create_task(threads.writer.run(hang))
    try:
        await asyncio.to_thread(hangs.wait, 60)
        response = await anonymous_client.get("/readyz")
        assert (response.status_code, response.json()["writer"]) == (503, "slow")
        assert response.json()["database"] == "ok"
    finally:
        go_on.set()
        await hanging
    monkeypatch.undo()
    assert (await anonymous_client.get("/readyz")).status_code == 200


async def test_checks_at_the_same_time_take_the_writer_once(
    anonymous_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, looks = threading.Event(), []

    def look() -> str:
        looks.append(1)
        go_on.wait(60)
        return "ok"

    monkeypatch.setattr(health, "_look_for_writing", look)
    monkeypatch.setattr(health, "WRITER_SECONDS", 60)
    asking = [asyncio.create_task(anonymous_client.get("/readyz")) for _ in range(20)]
    while not looks:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)  # the others arrive
    go_on.set()
    assert {response.status_code for response in await asyncio.gather(*asking)} == {200}
    assert len(looks) == 1


async def test_a_process_that_shuts_down_is_not_ready(anonymous_client: AsyncClient) -> None:
    server_process.current().close_streams()
    response = await anonymous_client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["draining"]
    assert (await anonymous_client.get("/healthz")).status_code == 200


@pytest.mark.parametrize(
    ("trouble", "word"), [(OperationalError("no"), "unreachable"), (None, "slow")]
)
async def test_a_process_without_its_database_is_not_ready(
    trouble: Exception | None,
    word: str,
    anonymous_client: AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def look() -> str:
        if trouble:
            raise trouble
        return "ok"

    monkeypatch.setattr(health, "_look", look)
    if trouble is None:
        monkeypatch.setattr(health, "DATABASE_SECONDS", 0)
    response = await anonymous_client.get("/readyz")
    assert (response.status_code, response.json()["database"]) == (503, word)


@pytest.mark.parametrize("how", HOW)
async def test_a_process_that_cannot_write_is_not_ready(
    how: str, anonymous_client: AsyncClient
) -> None:
    async with during(NO_WRITES[how]()):
        response = await anonymous_client.get("/readyz")
        assert response.status_code == 503
        assert response.json()["writer"] != "ok"
    assert (await anonymous_client.get("/readyz")).status_code == 200


async def test_a_process_whose_heartbeat_is_old_is_not_ready(anonymous_client: AsyncClient) -> None:
    assert (await anonymous_client.get("/readyz")).status_code == 200
    server_process.current()._beat_at -= 60
    response = await anonymous_client.get("/readyz")
    assert (response.status_code, response.json()["writer"]) == (503, "not writable")


async def test_a_database_without_tables_is_not_ready(
    anonymous_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_migrated", False)
    state = MigrationState(applied=[], missing=["chat.0001_initial"], unknown=[])
    monkeypatch.setattr(health, "migration_state", lambda: state)
    assert (await anonymous_client.get("/readyz")).json()["database"] == "not migrated"


@pytest.mark.parametrize(
    ("token", "headers", "peer", "status"),
    [
        ("", {}, "127.0.0.1", 200),
        ("", {}, "::1", 200),
        ("", {}, "203.0.113.7", 404),
        ("", {}, "", 404),
        ("", {"X-Forwarded-For": "127.0.0.1"}, "127.0.0.1", 404),
        ("", TOKEN, "203.0.113.7", 404),
        ("open sesame", TOKEN, "203.0.113.7", 200),
        ("open sesame", {}, "127.0.0.1", 404),
        ("open sesame", {"Authorization": "Bearer öpen"}, "127.0.0.1", 404),
    ],
)
async def test_metrics_are_for_the_operator_only(
    token: str, headers: dict[str, str], peer: str, status: int, settings: Settings
) -> None:
    settings.METRICS_TOKEN = token
    request = AsyncRequestFactory().get("/metrics", headers=headers)
    request.META["REMOTE_ADDR"] = peer
    if status == NotFound.status:
        with pytest.raises(NotFound):
            await metrics_view.show(request)
    else:
        assert (await metrics_view.show(request)).status_code == status


async def test_an_answer_is_counted(alice_client: AsyncClient) -> None:
    names = (
        'runnel_answers_total{state="complete"}',
        'runnel_tokens_total{kind="completion"}',
        "runnel_time_to_first_token_seconds_count",
        "runnel_log_flush_duration_seconds_count",
        'runnel_http_requests_total{route="send_first",status="2xx"}',
    )
    before = [await sample(alice_client, name) for name in names]
    response = await send(alice_client, text="Hello")
    stream = await read_stream(response)
    after = [await sample(alice_client, name) for name in names]
    grown = dict(zip(names, (b - a for a, b in zip(before, after, strict=True)), strict=True))
    assert grown[names[0]] == grown[names[2]] == grown[names[4]] == 1
    assert grown[names[1]] == stream.key("usage")["completion_tokens"]
    assert grown[names[3]] >= 1


async def test_an_error_is_counted_as_answer_or_request(alice_client: AsyncClient) -> None:
    in_answer = 'runnel_errors_total{code="allocation_exhausted",source="answer"}'
    in_request = 'runnel_errors_total{code="not_found",source="request"}'
    before = await sample(alice_client, in_answer), await sample(alice_client, in_request)
    await ask(alice_client, {"prompt": "/error 4006"})
    await alice_client.get("/nowhere/")
    assert await sample(alice_client, in_answer) == before[0] + 1
    assert await sample(alice_client, in_request) == before[1] + 1


async def test_running_answers_and_open_streams_are_measured(alice_client: AsyncClient) -> None:
    async with site_with(endless()):
        response: Any = await send(alice_client, text="Hello")
        chunks = response.streaming_content
        await anext(chunks)
        assert await sample(alice_client, "runnel_generations_running") == 1
        assert await sample(alice_client, "runnel_streams_open") == 1
        await alice_client.post(f"/generations/{response['X-Generation-Id']}/cancellation")
        async for _ in chunks:
            pass
        assert await sample(alice_client, "runnel_generations_running") == 0
        assert await sample(alice_client, "runnel_streams_open") == 0


async def test_labels_contain_no_paths(alice_client: AsyncClient) -> None:
    await alice_client.get("/secret-in-a-path/")
    await alice_client.get("/chat/00000000-0000-0000-0000-000000000000/")
    text = metrics.render().decode()
    assert "secret-in-a-path" not in text
    assert "00000000-0000" not in text
    assert 'route="conversation",status="4xx"' in text
