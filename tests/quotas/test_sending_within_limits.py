"""The cost of an answer is reserved before the model is called, and settled at its end."""

import uuid
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import IntegrityError
from django.test import AsyncClient

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations.models import Conversation, Message
from chat.conversations.prompt import PromptMessage
from chat.generations.models import Worker
from chat.generations.process import server_process
from chat.generations.send.start import start_temporary
from chat.quotas.models import Charge, Limit, Meter
from chat.upstream import available_models
from chat.upstream.request import CompletionRequest
from tests.support.generations.follow import endless
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.quotas.usage_settings import HELLO, USAGE
from tests.support.upstream.raw_upstream import always, plain, stream_of
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.wait_for import written
from tests.support.web.signed_in import signed_in_client


def limit(scope: str, measure: str, amount: int, **narrowed: Any) -> Any:
    return Limit.objects.acreate(scope=scope, measure=measure, amount=amount, **narrowed)


async def meter(user: User) -> Meter:
    return await Meter.objects.aget(key=f"user:{user.pk}")


@pytest.mark.parametrize("kind", ["stored", "temporary"])
async def test_an_answer_costs_what_the_provider_counted(
    kind: str, alice_client: AsyncClient, alice: User
) -> None:
    async with site_with(always(stream_of(USAGE, DONE))):
        response = await (
            send(alice_client, text="Hello") if kind == "stored" else ask(alice_client, HELLO)
        )
        await read_stream(response)
    charge = await Charge.objects.aget()
    assert charge.settled_at is not None
    assert charge.tokens == 12
    assert charge.millineurons > 0
    assert charge.is_temporary == (kind == "temporary")
    used = await meter(alice)
    assert (used.tokens, used.running, used.requests) == (12, 0, 1)


@pytest.mark.parametrize("kind", ["stored", "temporary"])
async def test_a_failure_before_the_first_word_costs_nothing(
    kind: str, alice_client: AsyncClient, alice: User
) -> None:
    async with site_with(always(plain(400, envelope(5006))), UPSTREAM_RETRIES=0):
        response = await (
            send(alice_client, text="Hello") if kind == "stored" else ask(alice_client, HELLO)
        )
    assert response.status_code == 502
    used = await meter(alice)
    assert (used.tokens, used.millineurons, used.microdollars, used.running) == (0, 0, 0, 0)
    assert used.requests == 1


async def test_the_highest_possible_cost_is_reserved_while_an_answer_runs(
    alice_client: AsyncClient, alice: User
) -> None:
    async with site_with(endless(), MAX_TOKENS=500):
        response = await send(alice_client, text="Go")
        used = await meter(alice)
        assert used.tokens >= 500
        assert used.running == 1
        await alice_client.post(f"/generations/{response['X-Generation-Id']}/cancellation")
        stream = await read_stream(response)
    used = await meter(alice)
    assert used.running == 0
    assert 0 < used.tokens < 500
    assert used.tokens >= len(stream.text) // 4


async def test_over_a_limit_the_message_is_not_stored_and_the_reason_is_given(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    await limit("member", "requests", 1)
    async with site_with(always(stream_of(USAGE, DONE))) as raw:
        await read_stream(await send(alice_client, text="One"))
        refused = await send(alice_client, text="Two")
        temporary = await ask(alice_client, HELLO)
        assert (await send(bob_client, text="Mine")).status_code == 200
    for response in (refused, temporary):
        assert response.status_code == 429
        error = response.json()["error"]
        assert error["code"] == "quota_exceeded"
        assert error["measure"] == "requests"
        assert "1 message per minute" in error["message"]
        assert "Your draft is saved" in error["message"]
        assert 0 < int(response["Retry-After"]) <= 60
    assert len(raw.requests) == 2
    assert await Message.objects.filter(text="Two").acount() == 0
    assert await Conversation.objects.acount() == 2


async def test_the_reason_is_in_the_language_of_the_request(alice_client: AsyncClient) -> None:
    await limit("member", "tokens", 10)
    response = await alice_client.post(
        "/chat/messages",
        data={"key": uuid.uuid4().hex, "text": "Hallo"},
        content_type="application/json",
        headers={"Accept-Language": "de"},
    )
    assert response.status_code == 429
    assert "Der Entwurf ist gespeichert" in response.json()["error"]["message"]


async def test_a_repeated_send_is_reserved_once(alice_client: AsyncClient) -> None:
    await limit("member", "requests", 1)
    key = uuid.uuid4().hex
    for _ in range(3):
        response = await send(alice_client, text="One", key=key)
        assert response.status_code == 200
        await read_stream(response)
    assert await Charge.objects.acount() == 1


async def test_simultaneous_answers_are_limited(alice_client: AsyncClient) -> None:
    await limit("member", "running", 2)
    async with site_with(endless()):
        running = [await send(alice_client, text="Go") for _ in range(2)]
        refused = await send(alice_client, text="Go")
        assert refused.status_code == 429
        assert refused.json()["error"]["measure"] == "running"
        await alice_client.post(f"/generations/{running[0]['X-Generation-Id']}/cancellation")
        await read_stream(running[0])
        assert (await send(alice_client, text="Go")).status_code == 200


async def test_what_is_no_message_leaves_room_for_answers(
    alice: User, alice_client: AsyncClient
) -> None:
    await limit("member", "running", 1)
    member, model = Principal(f"user:{alice.pk}", alice.pk), available_models.find(None)
    title = CompletionRequest([PromptMessage("user", "A title?")], model.id, 20)
    async with site_with(endless()):
        beside = await start_temporary(
            member, title, model, None, is_resumable=False, is_message=False
        )
        assert (await send(alice_client, text="Go")).status_code == 200
        beside.stop()
        await beside.done()
        assert (await send(alice_client, text="Go")).status_code == 429
    assert (await meter(alice)).running == 0


async def test_the_remaining_quota_limits_the_length_of_the_answer(
    alice_client: AsyncClient,
) -> None:
    await limit("member", "tokens", 200)
    async with site_with(always(stream_of(USAGE, DONE))) as raw:
        await read_stream(await send(alice_client, text="Hello"))
    asked = raw.requests[0].partition(b"\r\n\r\n")[2]
    assert b'"max_tokens":2048' not in asked.replace(b" ", b"")
    charge = await Charge.objects.aget()
    assert charge.tokens == 12


async def deleted() -> None:
    """Delete the conversation, retrying while log pages are still being added."""
    for _ in range(20):
        with suppress(IntegrityError):
            await Conversation.objects.all().adelete()
            return


async def test_an_answer_whose_chat_is_deleted_meanwhile_is_settled(
    alice_client: AsyncClient, alice: User
) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Go")
        live = await written(response)
        await deleted()
        await read_stream(response)
        await live.done()
    used = await meter(alice)
    assert used.running == 0
    assert used.tokens > 0


async def test_reservations_of_a_dead_process_are_settled(
    alice_client: AsyncClient, alice: User
) -> None:
    chunk = b'data: {"response":"' + b"word " * 60 + b'"}\n\n'
    async with site_with(always(stream_of(chunk))):
        await read_stream(await send(alice_client, text="Go"))
    worker = await Worker.objects.aget()
    await Charge.objects.all().aupdate(settled_at=None, process=worker.pk + 1)
    before = await meter(alice)
    await Meter.objects.all().aupdate(running=1)
    await server_process.current()._close_orphans()
    used = await meter(alice)
    assert used.running == 0
    assert used.tokens == before.tokens
    assert not await Charge.objects.filter(settled_at=None).aexists()


async def test_costs_are_settled_later_if_the_database_fails(
    alice_client: AsyncClient, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    from chat.generations.billing import charging

    settle, calls = charging.settle_temporary, 0

    def troubled(results: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise OperationalError("locked")
        settle(results)

    monkeypatch.setattr(charging, "settle_temporary", troubled)
    async with site_with(always(stream_of(USAGE, DONE))):
        stream = await read_stream(await ask(alice_client, HELLO))
    assert stream.done
    assert (await meter(alice)).running == 1
    await server_process.current().settle()
    used = await meter(alice)
    assert (used.running, used.tokens) == (0, 12)


async def test_limits_set_in_the_admin_apply_from_the_next_message(
    alice_client: AsyncClient, rita: User
) -> None:
    rita.is_superuser = True
    await rita.asave()
    staff = await sync_to_async(signed_in_client)(rita)
    form = {
        "scope": "member",
        "measure": "requests",
        "amount": "0",
        "site": "",
        "user": "",
        "group": "",
        "reason": "They ask too often",
    }
    assert (await send(alice_client, text="Before")).status_code == 200
    made = await staff.post("/admin/chat/limit/add/", form)
    assert made.status_code == 302
    assert (await send(alice_client, text="After")).status_code == 429
