"""Refusing a message is cheap, and does not involve the database writer."""

import asyncio
import threading
import uuid
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations import paths, turns
from chat.conversations.models import Conversation, Message
from chat.conversations.prompt import PromptMessage
from chat.database import threads
from chat.generations.billing import charging
from chat.generations.send import start
from chat.generations.send.plan import SendPlan, plan
from chat.generations.send.request import Send
from chat.generations.send.sent import Sent
from chat.generations.send.store import store
from chat.lib.limits import FairQueues
from chat.quotas.models import Limit
from chat.upstream import available_models
from tests.support.generations.send import DONE, key, send
from tests.support.generations.stream_reader import read_stream
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.wait_for import until

AYE = b'data: {"response":"Aye"}\n\n'
STORING = {"store", "reserve_temporary"}


@pytest.fixture
def chat(alice: User) -> Conversation:
    made, last = Conversation.objects.create(owner=alice, title="Long"), None
    for number in range(6):
        role = "assistant" if number % 2 else "user"
        last = made.messages.create(role=role, text=f"turn {number}", parent=last)
    return made


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the work given to the database writer."""
    seen: list[str] = []
    run = threads.writer.run

    async def noting(work: Any, *given: Any, **named: Any) -> Any:
        seen.append(getattr(work, "__name__", ""))
        return await run(work, *given, **named)

    monkeypatch.setattr(threads.writer, "run", noting)
    return seen


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Record which functions read a branch, and in which thread."""
    seen: dict[str, str] = {}

    def note(module: Any, name: str) -> None:
        load = getattr(module, name)

        def noting(given: Any) -> Any:
            seen[name] = threading.current_thread().name
            return load(given)

        monkeypatch.setattr(module, name, noting)

    note(paths, "ids_to")
    note(turns, "texts_of")
    return seen


async def send_as(kind: str, client: AsyncClient, chat: Conversation) -> Any:
    last = await chat.messages.order_by("id").alast()
    assert last
    match kind:
        case "temporary":
            return await ask(client, {"messages": [{"role": "user", "content": "Hello"}]})
        case "new chat":
            return await send(client, text="Hello")
        case "text":
            return await send(client, chat.pk, text="Hello", parent=last.pk)
        case _:
            return await send(client, chat.pk, **{kind: last.pk})


KINDS = ["temporary", "new chat", "text", "retry", "resume"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("measure", "amount"), [("requests", 0), ("running", 0), ("tokens", 10)])
async def test_a_refusal_uses_neither_the_writer_nor_the_branch(
    alice_client: AsyncClient,
    chat: Conversation,
    written: list[str],
    read: dict[str, str],
    kind: str,
    measure: str,
    amount: int,
) -> None:
    await Limit.objects.acreate(scope="member", measure=measure, amount=amount)
    refused = await send_as(kind, alice_client, chat)
    assert refused.status_code == 429
    error = refused.json()["error"]
    assert error["measure"] == measure
    assert bool(error["reason"]) is (measure == "requests")
    assert STORING.isdisjoint(written)
    assert read == {}
    assert await Message.objects.acount() == 6


@pytest.mark.parametrize("kind", ["text", "retry"])
async def test_refusing_a_message_in_a_full_chat_uses_neither(
    alice_client: AsyncClient,
    chat: Conversation,
    written: list[str],
    read: dict[str, str],
    settings: Settings,
    kind: str,
) -> None:
    settings.MAX_CONVERSATION_MESSAGES = 6
    refused = await send_as(kind, alice_client, chat)
    assert (refused.status_code, refused.json()["error"]["code"]) == (413, "conversation_full")
    assert STORING.isdisjoint(written)
    assert read == {}


@pytest.mark.parametrize("kind", ["text", "retry", "resume"])
async def test_earlier_messages_are_read_outside_the_writer(
    alice_client: AsyncClient, chat: Conversation, read: dict[str, str], kind: str
) -> None:
    async with site_with(always(stream_of(AYE, DONE))) as raw:
        await read_stream(await send_as(kind, alice_client, chat))
    assert set(read) == {"ids_to", "texts_of"}
    assert all(thread.startswith("runnel-reader") for thread in read.values())
    asked = raw.requests[-1]
    assert [f"turn {n}".encode() in asked for n in range(5)] == [True] * 5


def test_messages_added_meanwhile_are_read_too(alice: User, chat: Conversation) -> None:
    """Both sends were planned before either was stored."""
    who, model = Principal(key=f"user:{alice.pk}", user_id=alice.pk), available_models.find(None)
    sends = [Send(key=uuid.uuid4().hex, text=text) for text in ("elsewhere", "And?")]
    plans = [plan(who, chat.pk, each, model) for each in sends]
    for send_, planned in zip(sends, plans, strict=True):
        assert isinstance(planned, SendPlan)
        sent = store(who, chat.pk, send_, model, None, planned)
    assert isinstance(sent, Sent)
    assert [each.content for each in sent.history][-3:] == ["elsewhere", "", "And?"]
    assert len(sent.history) == 9


async def test_a_repeated_send_is_found_even_if_a_limit_was_reached_meanwhile(
    alice_client: AsyncClient, written: list[str]
) -> None:
    name = key()
    first = await send(alice_client, text="One", key=name)
    await read_stream(first)
    await Limit.objects.acreate(scope="member", measure="requests", amount=1)
    written.clear()
    again = await send(alice_client, text="One", key=name)
    assert again["X-Generation-Id"] == first["X-Generation-Id"]
    assert STORING.isdisjoint(written)


def waiting_in(queues: FairQueues) -> int:
    return sum(queue.length for queue in queues._queues.values())


async def test_few_sends_of_one_person_may_wait(
    alice_client: AsyncClient, bob_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, store_one = asyncio.Event(), start._plan_and_store
    at_once = most_at_once = 0

    async def slow(principal: Principal, *given: Any) -> Any:
        nonlocal at_once, most_at_once
        at_once += 1
        most_at_once = max(most_at_once, at_once)
        await goes_on.wait()
        at_once -= 1
        return await store_one(principal, *given)

    assert (await send(bob_client, text="He is here")).status_code == 200
    monkeypatch.setattr(start, "_plan_and_store", slow)
    waiting = [
        asyncio.create_task(send(alice_client, text="One")) for _ in range(start.MAX_STORED_SENDS)
    ]
    await until(lambda: waiting_in(start._stored_sends) >= len(waiting))
    refused = await send(alice_client, text="One too many")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limit_exceeded")
    assert int(refused["Retry-After"]) > 0
    assert most_at_once == 1
    others = asyncio.create_task(send(bob_client, text="Mine"))
    await until(lambda: most_at_once > 1)  # his does not wait for hers
    goes_on.set()
    assert {each.status_code for each in await asyncio.gather(others, *waiting)} == {200}
    assert not await Message.objects.filter(text="One too many").aexists()


async def test_few_temporary_sends_of_one_person_may_wait(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()
    monkeypatch.setattr(start._temporary_sends, "_longest", 2)
    look = start.ledger.check_limits  # type: ignore[attr-defined]

    def slow(*given: Any) -> None:
        goes_on.wait(PATIENCE_SECONDS)
        look(*given)

    monkeypatch.setattr(start.ledger, "check_limits", slow)  # type: ignore[attr-defined]
    hello = {"messages": [{"role": "user", "content": "Hello"}]}
    waiting = [asyncio.create_task(ask(alice_client, hello)) for _ in range(2)]
    await until(lambda: waiting_in(start._temporary_sends) >= 2)
    refused = await ask(alice_client, hello)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limit_exceeded")
    goes_on.set()
    assert {each.status_code for each in await asyncio.gather(*waiting)} == {200}


def test_the_estimate_without_the_history_is_never_higher(chat: Conversation) -> None:
    model = available_models.find(None)
    messages = [PromptMessage("user", "x" * count) for count in (10, 5000, 40)]
    least, whole = charging.estimate(messages[-1:], model), charging.estimate(messages, model)
    assert least.least.tokens < whole.least.tokens
    assert least.most.tokens < whole.most.tokens
