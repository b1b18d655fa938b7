"""What a member may store is bounded, shown to them, and no way around it costs others anything."""

import io
import json
import uuid
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from asgiref.sync import sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import AsyncClient
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations import branches, redaction
from chat.conversations.conversation_errors import StorageFull
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes import storage
from chat.conversations.sizes.row_batches import text_bytes
from chat.conversations.sizes.size_triggers import MESSAGE_BYTES, recount
from chat.conversations.sizes.storage import CONVERSATION_BYTES, used_bytes
from chat.database import bulk_writes, threads
from chat.errors import BadRequest
from chat.generations.deletion import purge
from chat.generations.deletion import turn_deletion as branching
from chat.generations.deletion.soft_delete import delete
from chat.generations.models import Generation
from chat.import_export import reading, storing
from tests.import_export.trees import exported, imported, talk
from tests.support.sending import send
from tests.support.site import site_with
from tests.support.steps import run_steps
from tests.support.streams import read_stream
from tests.support.visiting import Visiting, make_site, visit
from tests.support.widget_visiting import SAYS_AYE

FULL = (413, "storage_full")


def told(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def real_sizes() -> dict[uuid.UUID, int]:
    rows = Message.objects.annotate(size=text_bytes()).values_list("conversation", "size")
    sizes = dict.fromkeys(Conversation.all_objects.values_list("pk", flat=True), 0)
    for conversation, size in rows:
        sizes[conversation] += size + MESSAGE_BYTES
    return sizes


def kept_sizes() -> dict[uuid.UUID, int]:
    return dict(Conversation.all_objects.values_list("pk", "stored_bytes"))


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
STEPS = st.lists(
    st.tuples(st.sampled_from(["say", "edit", "hide", "delete", "copy", "take"]), TEXTS)
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_the_sizes_that_are_kept_are_those_there_are(
    alice: User, steps: list[tuple[str, str]]
) -> None:
    chat = Conversation.objects.create(owner=alice, title="Rivers")
    for step, text in steps:
        said = Message.objects.filter(conversation__owner=alice).order_by("id")
        match step:
            case "say":
                Message.objects.bulk_create(
                    [Message(conversation=chat, role="user", text=text, reasoning=text[:3])] * 2
                )
            case "edit":
                said[:1] and Message.objects.filter(pk=said[0].pk).update(text=text)
            case "hide" if said:
                redaction.hide(said[len(said) // 2])
            case "delete" if said:
                said[len(said) - 1].delete()
            case "copy" if chat.messages.exists():
                run_steps(branching.branch_off(alice.pk, chat.pk, chat.messages.last().pk))
            case "take":
                with patch.object(storing, "_size_beside", return_value=0):  # no trigger knows it
                    imported(alice, exported(talk(alice)))
    assert kept_sizes() == real_sizes()
    before = kept_sizes()
    with connection.cursor() as cursor:
        recount(cursor, connection.vendor)
    assert kept_sizes() == before
    Conversation.all_objects.all().delete()


async def test_who_has_stored_enough_sends_no_more_and_is_told_what_to_do(
    alices: AsyncClient, settings: Settings
) -> None:
    settings.MAX_MEMBER_BYTES = 3000
    async with site_with(SAYS_AYE):
        first = await send(alices, text="x" * 500)
        await read_stream(first)
        chat = first["X-Conversation-Id"]
        refused = await send(alices, chat, text="y" * 2000)
        assert told(refused) == FULL
        assert "Delete chats you no longer need" in refused.json()["error"]["message"]
        await read_stream(await send(alices, chat, text="y" * 100))
        settings.MAX_MEMBER_BYTES = 100
        again = await send(alices, chat, retry=int(first["X-Message-Id"]))
        assert told(again) == FULL
    assert await Message.objects.acount() == 4
    for kind in ("export.json", "export.md"):
        assert (await alices.get(f"/chat/{chat}/{kind}")).status_code == 200
    assert (await alices.get("/settings/export.zip")).status_code == 200


async def test_what_is_deleted_makes_room_once_it_is_removed(
    alice: User, alices: AsyncClient, settings: Settings
) -> None:
    settings.UNDO_SECONDS = 0
    async with site_with(SAYS_AYE):
        await read_stream(await send(alices, text="x" * 2000))
        settings.MAX_MEMBER_BYTES = 3000
        assert told(await send(alices, text="y" * 1000)) == FULL
        chat = await Conversation.objects.aget()
        await sync_to_async(delete)(chat)
        assert told(await send(alices, text="y" * 1000)) == FULL
        await sync_to_async(lambda: list(purge.steps()))()
        assert (await read_stream(await send(alices, text="y" * 1000))).done


async def test_a_branch_counts_before_anything_is_copied(
    alice: User, alices: AsyncClient, settings: Settings
) -> None:
    async with site_with(SAYS_AYE):
        sent = await send(alices, text="x" * 5000)
        await read_stream(sent)
    chat, message = sent["X-Conversation-Id"], sent["X-Message-Id"]
    settings.MAX_MEMBER_BYTES = 10_000
    refused = await alices.post(f"/chat/{chat}/messages/{message}/branch")
    assert told(refused) == FULL
    assert await Conversation.all_objects.acount() == 1
    settings.MAX_MEMBER_BYTES = 20_000
    made = await alices.post(f"/chat/{chat}/messages/{message}/branch")
    assert made.status_code == 201
    assert await sync_to_async(storage.used_bytes)(alice.pk) > 12_000


async def test_an_import_is_bounded_by_the_room_there_is(
    alice: User, alices: AsyncClient, settings: Settings
) -> None:
    file = await sync_to_async(lambda: exported(talk(alice, "x" * 100)))()
    await Conversation.all_objects.all().adelete()
    settings.MAX_MEMBER_BYTES = 1000
    response = await alices.post("/settings/import/", {"file": SimpleUploadedFile("x.json", file)})
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
        (big("assistant", 900, reasoning="y" * 101), "Message 2: It is longer"),
    ],
)
def test_each_limit_of_sending_holds_for_importing(
    data: bytes, words: str, settings: Settings
) -> None:
    settings.MAX_MESSAGE_CHARS, settings.MAX_ANSWER_CHARS = 500, 1000
    with pytest.raises(BadRequest) as refused:
        reading.check(io.BytesIO(data))
    assert words in refused.value.public
    reading.check(io.BytesIO(big("user", 500)))
    settings.MAX_CONVERSATION_MESSAGES = 1
    with pytest.raises(BadRequest) as refused:
        reading.check(io.BytesIO(big("user", 5)))
    assert "more messages than a chat can hold" in refused.value.public


async def test_one_copy_at_a_time_of_each_member(
    alice: User, alices: AsyncClient, bobs: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site_with(SAYS_AYE):
        sent = await send(alices, text="Hello")
        await read_stream(sent)
        theirs = await send(bobs, text="Hello")
        await read_stream(theirs)

    def branch(client: AsyncClient, of: Any) -> Any:
        chat, message = of["X-Conversation-Id"], of["X-Message-Id"]
        return client.post(f"/chat/{chat}/messages/{message}/branch")

    monkeypatch.setitem(bulk_writes._running, alice.pk, None)
    assert told(await branch(alices, sent)) == (409, "bulk_write_running")
    file = SimpleUploadedFile("x.json", big("user", 5))
    assert (await alices.post("/settings/import/", {"file": file})).status_code == 422
    assert (await branch(bobs, theirs)).status_code == 201
    monkeypatch.undo()
    assert (await branch(alices, sent)).status_code == 201


async def test_a_copy_leaves_the_writer_to_others_after_each_small_step(
    alice: User, alices: AsyncClient, monkeypatch: pytest.MonkeyPatch
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
    made = await alices.post(f"/chat/{chat.pk}/messages/{last.pk}/branch")
    monkeypatch.undo()
    assert made.status_code == 201
    copy = await Conversation.objects.aget(pk=made.json()["conversation"])
    assert [m.text async for m in copy.messages.all()] == texts
    assert sum(steps) == len(texts)
    assert max(steps) <= 33  # of 900 bytes, 30 KB


def test_a_copy_that_breaks_off_is_removed(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = talk(alice)
    steps = branching.branch_off(alice.pk, chat.pk, chat.messages.last().pk)
    next(steps), next(steps)
    steps.close()
    assert Conversation.objects.filter(owner=alice).count() == 1
    Conversation.all_objects.exclude(purge_after=None).update(purge_after="2020-01-01T00:00:00Z")
    list(purge.steps())
    assert Conversation.all_objects.filter(owner=alice).count() == 1
    assert branches.COPY_GIVEN_UP_AFTER.total_seconds() >= 600


class TestVisitors:
    @pytest.fixture
    async def vera(self, alice: User, life_ends: None) -> Visiting:
        return await visit(await sync_to_async(make_site)(alice))

    async def test_one_may_store_so_much(self, vera: Visiting, settings: Settings) -> None:
        settings.MAX_VISITOR_BYTES = 3000
        async with site_with(SAYS_AYE):
            await read_stream(await vera.send("x" * 1000))
            assert told(await vera.send("y" * 2000)) == FULL
            assert (await read_stream(await (await visit(vera.site)).send("y" * 2000))).done

    async def test_all_of_a_website_may_store_so_much(
        self, vera: Visiting, settings: Settings
    ) -> None:
        storage._used_by_site.cache_clear()
        settings.MAX_SITE_BYTES = 1000
        async with site_with(SAYS_AYE):
            await read_stream(await vera.send("x" * 1000))
            storage._used_by_site.cache_clear()
            other = await visit(vera.site)
            assert told(await other.send("Hello")) == FULL


def test_what_the_staff_holds_of_deleted_chats_does_not_count(alice: User) -> None:
    chat = talk(alice)
    assert storage.used_bytes(alice.pk) > 0
    Conversation.all_objects.update(
        purge_after="2020-01-01T00:00:00Z", held_at="2020-01-01T00:00:00Z"
    )
    assert storage.used_bytes(alice.pk) == 0
    with pytest.raises(StorageFull):
        storage.require_storage(alice.pk, 10**12)
    assert chat.pk


def test_what_is_not_text_counts_too(alice: User) -> None:
    file = json.loads(exported(talk(alice)))
    answer = next(each for each in file["messages"] if each["role"] == "assistant")
    answer["attempts"] = answer["attempts"][:1] * 100
    before = used_bytes(alice.pk)
    imported(alice, json.dumps(file).encode())
    assert used_bytes(alice.pk) - before > 99 * storing.ATTEMPT_BYTES


def test_a_chat_without_messages_is_not_free(alice: User) -> None:
    Conversation.objects.bulk_create([Conversation(owner=alice) for _ in range(20)])
    assert used_bytes(alice.pk) == 20 * CONVERSATION_BYTES


def test_who_has_the_staff_keep_their_chats_fills_their_own_room(
    alice: User, settings: Settings
) -> None:
    settings.MAX_MEMBER_BYTES = 100_000
    for _ in range(3):
        chat = Conversation.objects.create(
            owner=alice, purge_after=timezone.now() + timedelta(days=9), held_at=timezone.now()
        )
        chat.messages.create(role="user", text="x" * 20_000)
    kept = 3 * (20_000 + CONVERSATION_BYTES + MESSAGE_BYTES)
    assert used_bytes(alice.pk) == kept - 10_000


def test_a_visitors_room_is_their_own_measure(alice: User) -> None:
    chat = Conversation.objects.create(
        owner=alice, purge_after=timezone.now(), held_at=timezone.now()
    )
    chat.messages.create(role="user", text="x" * 20_000)
    kept = 20_000 + CONVERSATION_BYTES + MESSAGE_BYTES
    assert used_bytes(alice.pk, most_bytes=50_000) == kept - 5_000


def test_an_import_of_many_attempts_is_removed_in_steps(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge, "GENERATIONS_AT_ONCE", 2)
    file = json.loads(exported(talk(alice)))
    answer = next(each for each in file["messages"] if each["role"] == "assistant")
    answer["attempts"] = answer["attempts"][:1] * 7
    imported(alice, json.dumps(file).encode())
    Conversation.all_objects.update(purge_after=timezone.now() - timedelta(days=1))
    taken = [batch for batch in purge.steps() if batch]
    assert len(taken) > 7 // 2
    assert not Conversation.all_objects.exists()
    assert not Generation.objects.exists()
