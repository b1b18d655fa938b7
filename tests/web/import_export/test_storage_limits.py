"""Imports, branches and copies respect the storage quota, and do not block other writes."""

import io
import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations import drafts
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes import storage
from chat.database import bulk_writes, threads
from chat.errors import BadRequest
from chat.generations.deletion import purge
from chat.generations.deletion import turn_deletion as branching
from chat.generations.models import Generation
from chat.import_export import import_reader
from tests.import_export.trees import exported, imported, new_conversation
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.quotas.storage_errors import FULL, told
from tests.support.upstream.upstream_override import site_with
from tests.support.widget.canned_answer import SAYS_AYE


async def test_a_branch_without_room_is_refused_before_it_is_copied(
    alice: User, alice_client: AsyncClient, settings: Settings
) -> None:
    async with site_with(SAYS_AYE):
        sent = await send(alice_client, text="x" * 5000)
        await read_stream(sent)
    chat, message = sent["X-Conversation-Id"], sent["X-Message-Id"]
    settings.MAX_MEMBER_BYTES = 10_000
    refused = await alice_client.post(f"/chat/{chat}/messages/{message}/branch")
    assert told(refused) == FULL
    assert await Conversation.all_objects.acount() == 1
    settings.MAX_MEMBER_BYTES = 20_000
    made = await alice_client.post(f"/chat/{chat}/messages/{message}/branch")
    assert made.status_code == 201
    assert await sync_to_async(storage.used_bytes)(alice.pk) > 12_000


async def test_an_import_is_limited_to_the_free_storage(
    alice: User, alice_client: AsyncClient, settings: Settings
) -> None:
    file = await sync_to_async(lambda: exported(new_conversation(alice, "x" * 100)))()
    await Conversation.all_objects.all().adelete()
    settings.MAX_MEMBER_BYTES = 1000
    response = await alice_client.post(
        "/settings/import/", {"file": SimpleUploadedFile("x.json", file)}
    )
    assert response.status_code == 422
    assert "storage" in response.content.decode()
    assert not await Conversation.all_objects.aexists()


def big(role: str, length: int, **more: Any) -> bytes:
    question = {"id": 1, "parent": None, "role": "user", "created_at": "2026-01-01T00:00:00Z"}
    answer = {**question, "id": 2, "parent": 1, "role": "assistant"}
    said = {"user": question, "assistant": answer}
    said[role] |= {"text": "x" * length, **more}
    head = {
        "format": "runnel", "version": 1, "kind": "conversation", "title": "Rivers",
        "place": "listed", "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    return json.dumps({**head, "messages": list(said.values())}).encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (big("user", 501), "Message 1: It's longer than this site allows."),
        (big("assistant", 1001), "Message 2: It's longer than this site allows."),
        (big("assistant", 900, reasoning="y" * 101), "Message 2: It's longer"),
    ],
)
def test_limits_for_sending_apply_to_imports(data: bytes, words: str, settings: Settings) -> None:
    settings.MAX_MESSAGE_CHARS, settings.MAX_ANSWER_CHARS = 500, 1000
    with pytest.raises(BadRequest) as refused:
        import_reader.check(io.BytesIO(data))
    assert words in refused.value.public
    import_reader.check(io.BytesIO(big("user", 500)))
    settings.MAX_CONVERSATION_MESSAGES = 1
    with pytest.raises(BadRequest) as refused:
        import_reader.check(io.BytesIO(big("user", 5)))
    assert "more messages than a chat can hold" in refused.value.public


async def test_each_member_makes_one_copy_at_a_time(
    alice: User, alice_client: AsyncClient, bob_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site_with(SAYS_AYE):
        sent = await send(alice_client, text="Hello")
        await read_stream(sent)
        theirs = await send(bob_client, text="Hello")
        await read_stream(theirs)

    def branch(client: AsyncClient, of: Any) -> Any:
        chat, message = of["X-Conversation-Id"], of["X-Message-Id"]
        return client.post(f"/chat/{chat}/messages/{message}/branch")

    monkeypatch.setitem(bulk_writes._running, alice.pk, None)
    assert told(await branch(alice_client, sent)) == (409, "bulk_write_running")
    file = SimpleUploadedFile("x.json", big("user", 5))
    assert (await alice_client.post("/settings/import/", {"file": file})).status_code == 422
    assert (await branch(bob_client, theirs)).status_code == 201
    monkeypatch.undo()
    assert (await branch(alice_client, sent)).status_code == 201


async def test_other_writes_run_between_the_steps_of_a_copy(
    alice: User, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step is one transaction of few messages and bytes."""
    chat = await Conversation.objects.acreate(owner=alice)
    texts = ["x" * 40_000, *["y" * 900] * 250]
    last = None
    for text in texts:
        last = await Message.objects.acreate(conversation=chat, role="user", text=text, parent=last)
    steps: list[int] = []
    run = threads.writer.run

    async def counted(work: Any, *given: Any) -> Any:
        count = await Message.objects.acount()
        found = await run(work, *given)
        steps.append(await Message.objects.acount() - count)
        return found

    monkeypatch.setattr(threads.writer, "run", counted)
    made = await alice_client.post(f"/chat/{chat.pk}/messages/{last.pk}/branch")
    monkeypatch.undo()
    assert made.status_code == 201
    copy = await Conversation.objects.aget(pk=made.json()["conversation"])
    assert [m.text async for m in copy.messages.all()] == texts
    assert sum(steps) == len(texts)
    assert max(steps) <= 33  # of 900 bytes, 30 KB


def test_an_unfinished_copy_is_removed(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = new_conversation(alice)
    steps = branching.branch_off(alice.pk, chat.pk, chat.messages.last().pk)
    next(steps), next(steps)
    steps.close()
    assert Conversation.objects.filter(owner=alice).count() == 1
    Conversation.all_objects.exclude(purge_after=None).update(purge_after="2020-01-01T00:00:00Z")
    list(purge.steps())
    assert Conversation.all_objects.filter(owner=alice).count() == 1
    assert drafts.GIVEN_UP_AFTER.total_seconds() >= 600


def test_a_failed_import_with_many_attempts_is_removed_in_steps(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge, "GENERATIONS_AT_ONCE", 2)
    file = json.loads(exported(new_conversation(alice)))
    answer = next(each for each in file["messages"] if each["role"] == "assistant")
    answer["attempts"] = answer["attempts"][:1] * 7
    imported(alice, json.dumps(file).encode())
    Conversation.all_objects.update(purge_after=timezone.now() - timedelta(days=1))
    taken = [batch for batch in purge.steps() if batch]
    assert len(taken) > 7 // 2
    assert not Conversation.all_objects.exists()
    assert not Generation.objects.exists()
