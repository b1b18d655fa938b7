"""`GET /generations/<id>/stream` and cancellation: replay, resume, and access."""

import asyncio
import uuid

import pytest
from django.test import AsyncClient

from tests.support.generations.follow import endless, follow, live
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.variants import later
from tests.support.wait_for import PATIENCE_SECONDS, until, written

HELLO = {"prompt": "/markdown"}


@pytest.mark.parametrize("cuts", [8, *later(100)])
async def test_resuming_anywhere_gives_exactly_the_rest(
    cuts: int, alice_client: AsyncClient
) -> None:
    response = await ask(alice_client, HELLO)
    whole = await read_stream(response)
    generation_id = response["X-Generation-Id"]
    terminal = next(n for n, p in zip(whole.ids, whole.payloads, strict=False) if "state" in p)
    last = len(whole.ids)
    for cut in [*range(0, last, last // cuts), *range(last - 4, last)]:
        rest = await read_stream(await follow(alice_client, generation_id, after=cut))
        start = min(cut, terminal - 1)
        assert rest.ids == whole.ids[start:]
        assert rest.payloads == whole.payloads[start:]
        assert rest.done


async def test_last_event_id_takes_precedence_over_the_query(alice_client: AsyncClient) -> None:
    response = await ask(alice_client, HELLO)
    whole = await read_stream(response)
    again = await follow(
        alice_client, response["X-Generation-Id"], after=0, **{"Last-Event-ID": "9"}
    )
    assert (await read_stream(again)).ids == whole.ids[9:]


async def test_a_cursor_beyond_the_log_gets_the_terminal_events(alice_client: AsyncClient) -> None:
    response = await ask(alice_client, HELLO)
    whole = await read_stream(response)
    late = await read_stream(await follow(alice_client, response["X-Generation-Id"], after=99_999))
    assert late.key("state") == "complete"
    assert late.key("length") == len(whole.text)
    assert late.done


async def test_a_cursor_ahead_of_a_running_answer_gets_no_event_twice(
    alice_client: AsyncClient,
) -> None:
    async with site_with(endless()):
        response = await ask(alice_client, HELLO)
        ahead = len(live(response).log) + 20
        late = await follow(alice_client, response["X-Generation-Id"], after=ahead)
        reading = asyncio.create_task(read_stream(late))
        (await written(response, frames=ahead + 20)).stop()
        stream = await reading
    assert stream.events()[0][0] == ahead + 1
    assert stream.done


async def test_nothing_can_follow_done(alice_client: AsyncClient) -> None:
    response = await ask(alice_client, HELLO)
    whole = await read_stream(response)
    last = await follow(alice_client, response["X-Generation-Id"], after=whole.ids[-1])
    assert last.status_code == 204


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "٣", "9" * 30])
async def test_a_cursor_that_is_not_a_number_is_refused(
    cursor: str, alice_client: AsyncClient
) -> None:
    response = await ask(alice_client, HELLO)
    await read_stream(response)
    assert (
        await follow(alice_client, response["X-Generation-Id"], after=cursor)
    ).status_code == 400


async def test_two_readers_get_the_same_events(alice_client: AsyncClient) -> None:
    async with site_with(endless()):
        response = await ask(alice_client, HELLO)
        generation_id = response["X-Generation-Id"]
        first = asyncio.create_task(read_stream(response))
        second = asyncio.create_task(read_stream(await follow(alice_client, generation_id)))
        await written(response, frames=20)
        stopped = await alice_client.post(f"/generations/{generation_id}/cancellation")
        one, two = await asyncio.gather(first, second)
    assert stopped.status_code == 200
    assert one.payloads == two.payloads
    assert one.key("state") == "stopped"
    assert one.key("length") == len(one.text) > 5


async def test_stopping_closes_the_connection_to_the_provider(alice_client: AsyncClient) -> None:
    async with site_with(endless()) as raw:
        response = await ask(alice_client, HELLO)
        await alice_client.post(f"/generations/{response['X-Generation-Id']}/cancellation")
        async with asyncio.timeout(PATIENCE_SECONDS):
            await raw.closed.wait()
        assert (await read_stream(response)).key("state") == "stopped"


async def test_a_reader_who_disconnects_does_not_stop_the_answer(alice_client: AsyncClient) -> None:
    async with site_with(endless()):
        response = await ask(alice_client, HELLO)
        body = aiter(response)
        await anext(body)
        await body.aclose()
        await written(response, frames=20)
        again = await follow(alice_client, response["X-Generation-Id"])
        generation = live(response)
        assert generation.state == "running"
        generation.stop()
        assert len((await read_stream(again)).text) > 20


async def test_an_answer_without_readers_is_stopped(alice_client: AsyncClient) -> None:
    async with site_with(endless(), ABANDONED_AFTER_SECONDS=0.2) as raw:
        response = await ask(alice_client, HELLO)
        body = aiter(response)
        await anext(body)
        await body.aclose()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await raw.closed.wait()
        again = await read_stream(await follow(alice_client, response["X-Generation-Id"]))
    assert again.key("state") == "stopped"


async def test_an_answer_with_a_reader_is_not_abandoned(alice_client: AsyncClient) -> None:
    async with site_with(endless(), ABANDONED_AFTER_SECONDS=0.1):
        response = await ask(alice_client, HELLO)
        reading = asyncio.create_task(read_stream(response))
        assert (await written(response, frames=80)).state == "running"  # 5 ms each, at least
        reading.cancel()


async def test_another_member_can_neither_follow_nor_stop(
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    rita_client: AsyncClient,
    anonymous_client: AsyncClient,
) -> None:
    async with site_with(endless()):
        response = await ask(alice_client, HELLO)
        generation_id = response["X-Generation-Id"]
        for stranger, status in ((bob_client, 404), (rita_client, 404), (anonymous_client, 401)):
            assert (await follow(stranger, generation_id)).status_code == status
            answer = await stranger.post(f"/generations/{generation_id}/cancellation")
            assert answer.status_code == status
        assert live(response).state == "running"


async def test_an_unknown_generation_is_not_found(alice_client: AsyncClient) -> None:
    assert (await follow(alice_client, str(uuid.uuid4()))).status_code == 404
    assert (await alice_client.post("/generations/x/cancellation")).status_code == 404


async def test_a_finished_answer_is_dropped_from_memory_after_a_while(
    alice_client: AsyncClient,
) -> None:
    async with site_with(endless(), LOG_KEEP_SECONDS=0.1):
        response = await ask(alice_client, HELLO)
        live(response).stop()
        await read_stream(response)

        async def is_forgotten() -> bool:
            answer = await follow(alice_client, response["X-Generation-Id"])
            return bool(answer.status_code == 404)

        await until(is_forgotten)
