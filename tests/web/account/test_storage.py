"""What a member may store is bounded, shown to them, and no way around it costs others anything."""

import json
import uuid
from datetime import timedelta
from unittest.mock import patch

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import AsyncClient
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations import redaction
from chat.conversations.conversation_errors import StorageFull
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes import storage
from chat.conversations.sizes.row_batches import text_bytes
from chat.conversations.sizes.size_triggers import MESSAGE_BYTES, recount
from chat.conversations.sizes.storage import CONVERSATION_BYTES, used_bytes
from chat.generations.deletion import purge
from chat.generations.deletion import turn_deletion as branching
from chat.generations.deletion.soft_delete import delete
from chat.import_export import storing
from tests.import_export.trees import exported, imported, talk
from tests.support.sending import send
from tests.support.site import site_with
from tests.support.steps import run_steps
from tests.support.storage import FULL, told
from tests.support.streams import read_stream
from tests.support.variants import examples
from tests.support.visiting import Visiting, make_site, visit
from tests.support.widget_visiting import SAYS_AYE


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
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
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
