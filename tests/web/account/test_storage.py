"""Storage limits: shown to members, and not to be circumvented."""

import json
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.errors import StorageFull
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes import storage
from chat.conversations.sizes.counted import ATTEMPT_BYTES, MESSAGE_BYTES
from chat.conversations.sizes.storage import CONVERSATION_BYTES, used_bytes
from chat.generations.deletion import purge
from chat.generations.deletion.soft_delete import delete
from tests.import_export.trees import exported, imported, new_conversation
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.quotas.storage_errors import FULL, told
from tests.support.upstream.upstream_override import site_with
from tests.support.widget.canned_answer import SAYS_AYE
from tests.support.widget.visitor_client import Visiting, make_site, visit


async def test_with_full_storage_sending_is_refused_with_what_to_do(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_MEMBER_BYTES = 3000
    async with site_with(SAYS_AYE):
        first = await send(alice_client, text="x" * 500)
        await read_stream(first)
        chat = first["X-Conversation-Id"]
        refused = await send(alice_client, chat, text="y" * 2000)
        assert told(refused) == FULL
        assert "Delete chats you no longer need" in refused.json()["error"]["message"]
        await read_stream(await send(alice_client, chat, text="y" * 100))
        settings.MAX_MEMBER_BYTES = 100
        again = await send(alice_client, chat, retry=int(first["X-Message-Id"]))
        assert told(again) == FULL
    assert await Message.objects.acount() == 4
    for kind in ("export.json", "export.md"):
        assert (await alice_client.get(f"/chat/{chat}/{kind}")).status_code == 200
    assert (await alice_client.get("/settings/export.zip")).status_code == 200


async def test_purged_chats_free_storage(
    alice: User, alice_client: AsyncClient, settings: Settings
) -> None:
    settings.UNDO_SECONDS = 0
    async with site_with(SAYS_AYE):
        await read_stream(await send(alice_client, text="x" * 2000))
        settings.MAX_MEMBER_BYTES = 3000
        assert told(await send(alice_client, text="y" * 1000)) == FULL
        chat = await Conversation.objects.aget()
        await sync_to_async(delete)(chat)
        assert told(await send(alice_client, text="y" * 1000)) == FULL
        await sync_to_async(lambda: list(purge.steps()))()
        assert (await read_stream(await send(alice_client, text="y" * 1000))).done


class TestVisitors:
    @pytest.fixture
    async def vera(self, alice: User, stop_server_process: None) -> Visiting:
        return await visit(await sync_to_async(make_site)(alice))

    async def test_a_members_storage_is_limited(self, vera: Visiting, settings: Settings) -> None:
        settings.MAX_VISITOR_BYTES = 3000
        async with site_with(SAYS_AYE):
            await read_stream(await vera.send("x" * 1000))
            assert told(await vera.send("y" * 2000)) == FULL
            assert (await read_stream(await (await visit(vera.site)).send("y" * 2000))).done

    async def test_the_storage_of_all_visitors_of_a_website_is_limited(
        self, vera: Visiting, settings: Settings
    ) -> None:
        storage._used_by_site.cache_clear()
        settings.MAX_SITE_BYTES = 1000
        async with site_with(SAYS_AYE):
            await read_stream(await vera.send("x" * 1000))
            storage._used_by_site.cache_clear()
            other = await visit(vera.site)
            assert told(await other.send("Hello")) == FULL


def test_a_tenth_of_the_limit_is_free_for_held_deleted_chats(alice: User) -> None:
    chat = new_conversation(alice)
    assert storage.used_bytes(alice.pk) > 0
    Conversation.all_objects.update(
        purge_after="2020-01-01T00:00:00Z", held_at="2020-01-01T00:00:00Z"
    )
    assert storage.used_bytes(alice.pk) == 0
    with pytest.raises(StorageFull):
        storage.require_storage(alice.pk, 10**12)
    assert chat.pk


def test_attempts_count_as_well_as_text(alice: User) -> None:
    file = json.loads(exported(new_conversation(alice)))
    answer = next(each for each in file["messages"] if each["role"] == "assistant")
    answer["attempts"] = answer["attempts"][:1] * 100
    before = used_bytes(alice.pk)
    imported(alice, json.dumps(file).encode())
    assert used_bytes(alice.pk) - before > 99 * ATTEMPT_BYTES


def test_a_chat_without_messages_counts(alice: User) -> None:
    Conversation.objects.bulk_create([Conversation(owner=alice) for _ in range(20)])
    assert used_bytes(alice.pk) == 20 * CONVERSATION_BYTES


def test_held_deleted_chats_beyond_a_tenth_count(alice: User, settings: Settings) -> None:
    settings.MAX_MEMBER_BYTES = 100_000
    for _ in range(3):
        chat = Conversation.objects.create(
            owner=alice, purge_after=timezone.now() + timedelta(days=9), held_at=timezone.now()
        )
        chat.messages.create(role="user", text="x" * 20_000)
    kept = 3 * (20_000 + CONVERSATION_BYTES + MESSAGE_BYTES)
    assert used_bytes(alice.pk) == kept - 10_000


def test_a_visitors_free_share_follows_the_visitors_limit(alice: User) -> None:
    chat = Conversation.objects.create(
        owner=alice, purge_after=timezone.now(), held_at=timezone.now()
    )
    chat.messages.create(role="user", text="x" * 20_000)
    kept = 20_000 + CONVERSATION_BYTES + MESSAGE_BYTES
    assert used_bytes(alice.pk, most_bytes=50_000) == kept - 5_000
