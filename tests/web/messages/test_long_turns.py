"""Deleting or restoring a long turn does not block others."""

import asyncio
import json
from typing import Any

import pytest
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import branches as batched
from chat.conversations import paths
from chat.conversations.models import Conversation, Message
from chat.database import bulk_writes, threads
from chat.generations.deletion import turn_deletion
from chat.web.messages.views import messages as view
from tests.support.database.bulk_steps import run_steps
from tests.support.patience import PATIENCE_SECONDS

LENGTH = 30


@pytest.fixture
def first(alice: User) -> Message:
    """Create a chat of thirty messages, and return its first question."""
    chat, last = Conversation.objects.create(owner=alice), None
    for number in range(LENGTH):
        role = "assistant" if number % 2 else "user"
        last = chat.messages.create(role=role, text="x" * 100, parent=last)
    question = chat.messages.order_by("id").first()
    assert question
    return question


@pytest.fixture
def steps_of(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record how many messages each step of the writer deleted or restored."""
    steps: list[int] = []
    run = threads.writer.run
    deleted = Message.objects.exclude(deleted_at=None)

    async def counted(work: Any, *given: Any) -> Any:
        before = await deleted.acount()
        found = await run(work, *given)
        steps.append(abs(await deleted.acount() - before))
        return found

    monkeypatch.setattr(threads.writer, "run", counted)
    return steps


def deletion(question: Message) -> str:
    return f"/chat/{question.conversation_id}/messages/{question.pk}/deletion"


@pytest.mark.parametrize(
    ("most", "amount", "longest"), [("MARKED_ROWS", 7, 7), ("MARKED_BYTES", 450, 4)]
)
async def test_other_writes_run_between_the_steps_of_a_deletion(
    first: Message,
    alice_client: AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    steps_of: list[int],
    most: str,
    amount: int,
    longest: int,
) -> None:
    monkeypatch.setattr(batched, most, amount)
    deleted = Message.objects.exclude(deleted_at=None)
    assert (await alice_client.post(deletion(first))).status_code == 200
    assert await deleted.acount() == LENGTH
    assert (await alice_client.delete(deletion(first))).status_code == 200
    assert await deleted.acount() == 0
    assert sum(steps_of) == 2 * LENGTH
    assert max(steps_of) == longest


def test_a_remaining_message_never_follows_a_deleted_one(
    alice: User, first: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched, "MARKED_ROWS", 7)
    turn = turn_deletion.find_turn(alice.pk, first.conversation_id, first.pk)
    orphans = Message.objects.filter(deleted_at=None, parent__deleted_at__isnull=False)
    for _ in turn_deletion.delete_in_steps(alice.pk, first.conversation_id, turn):
        assert Message.objects.exclude(deleted_at=None).exists()
        assert not orphans.exists()
    assert not Message.objects.filter(deleted_at=None).exists()


def test_a_message_added_during_the_deletion_is_deleted_too(
    alice: User, first: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched, "MARKED_ROWS", 7)
    turn = turn_deletion.find_turn(alice.pk, first.conversation_id, first.pk)
    steps = turn_deletion.delete_in_steps(alice.pk, first.conversation_id, turn)
    next(steps)
    said = first.conversation.messages.create(role="assistant", text="late", parent=first)
    run_steps(steps)
    said.refresh_from_db()
    assert said.deleted_at is not None
    assert not Message.objects.filter(deleted_at=None).exists()


def test_a_partial_restoration_can_be_completed(
    alice: User, first: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched, "MARKED_ROWS", 7)
    Message.objects.update(deleted_at=timezone.now(), deleted_with=first.pk)
    given = alice.pk, first.conversation_id
    turn = turn_deletion.find_turn(*given, first.pk, is_deleted=True)
    next(turn_deletion.restore_in_steps(*given, turn))  # and then the process dies
    turn = turn_deletion.find_turn(*given, first.pk, is_deleted=True)
    run_steps(turn_deletion.restore_in_steps(*given, turn))
    assert not Message.objects.exclude(deleted_at=None).exists()


async def test_each_member_deletes_one_turn_at_a_time_and_few_wait(
    first: Message, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = asyncio.Event()
    order: list[str] = []

    async def work(name: str) -> None:
        order.append(f"{name} begins")
        await goes_on.wait()
        order.append(f"{name} ends")

    def begin(user_id: int, name: str) -> asyncio.Task[None]:
        return asyncio.create_task(bulk_writes.run_queued(user_id, lambda: work(name)))

    alice_id = (await Conversation.objects.aget()).owner_id
    tasks = [begin(alice_id, f"a{n}") for n in range(bulk_writes.MAX_EDITS)]
    tasks.append(begin(alice_id + 1, "b"))
    for _ in range(5):  # until all stand in their queues
        await asyncio.sleep(0)
    assert order == ["a0 begins", "b begins"]
    refused = await alice_client.post(deletion(first))
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    goes_on.set()
    await asyncio.gather(*tasks)
    assert order.index("a0 ends") < order.index("a1 begins")
    assert (await alice_client.post(deletion(first))).status_code == 200


async def test_a_deletion_continues_if_the_client_disconnects(
    alice: User, first: Message, stop_server_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched, "MARKED_ROWS", 7)
    turn = alice.pk, first.conversation_id, first.pk
    done = asyncio.Event()

    async def work() -> None:
        await turn_deletion.delete_turn(*turn)
        done.set()

    asked = asyncio.create_task(bulk_writes.run_queued(alice.pk, work))
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.wait_for(done.wait(), PATIENCE_SECONDS)
    assert not await Message.objects.filter(deleted_at=None).aexists()


async def test_deletions_are_rate_limited(
    first: Message, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "DELETIONS_PER_MINUTE", 2)
    assert (await alice_client.post(deletion(first))).status_code == 200
    assert (await alice_client.delete(deletion(first))).status_code == 200
    refused = await alice_client.post(deletion(first))
    assert refused.status_code == 429
    assert json.loads(refused.content)["error"]["code"] == "rate_limit_exceeded"
    assert not await Message.objects.exclude(deleted_at=None).aexists()


def test_recursive_queries_return_the_ids_of_the_tree(first: Message) -> None:
    ids = list(first.conversation.messages.order_by("id").values_list("pk", flat=True))
    other = first.conversation.messages.create(role="assistant", text="other", parent=first)
    assert paths.ids_to(ids[-1]) == ids
    assert paths.ids_to(other.pk) == [first.pk, other.pk]
    assert paths.ids_below(first.pk) == [*ids, other.pk]
    assert paths.ids_below(ids[-1]) == [ids[-1]]
    assert paths.ids_to(other.pk + 1) == []
