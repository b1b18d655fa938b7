"""Images go with the last message that has them, stay in copies, and are hidden with messages."""

import json

from asgiref.sync import sync_to_async
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations import branches, redaction
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation, Message
from chat.generations.deletion.soft_delete import delete_account
from tests.support.generations.purge import sweep
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.attached_images import PLACE, VISION, ask_about, line, upload
from tests.support.widget.pictures import png


async def test_a_deleted_chat_takes_its_images_with_it(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.UNDO_SECONDS = 0
    digest = await upload(alice_client)
    first = await ask_about(alice_client, digest)
    await alice_client.post(f"/chat/{first['X-Conversation-Id']}/deletion/")
    assert (await alice_client.get(PLACE + digest)).status_code == 404
    await sync_to_async(sweep)()
    assert not await StoredImage.objects.aexists()


async def test_a_branch_keeps_the_image_when_the_original_goes(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.UNDO_SECONDS = 0
    digest = await upload(alice_client)
    first = await ask_about(alice_client, digest)
    place, answer = first["X-Conversation-Id"], first["X-Message-Id"]
    copied = await alice_client.post(f"/chat/{place}/messages/{answer}/branch")
    await alice_client.post(f"/chat/{place}/deletion/")
    await sync_to_async(sweep)()
    assert (await alice_client.get(PLACE + digest)).status_code == 200
    copy = json.loads(copied.content)["conversation"]
    await alice_client.post(f"/chat/{copy}/deletion/")
    await sync_to_async(sweep)()
    assert not await StoredImage.objects.aexists()


async def test_a_deleted_question_takes_its_image_unless_an_edit_has_it(
    alice_client: AsyncClient,
) -> None:
    kept = await upload(alice_client)
    first = await ask_about(alice_client, kept)
    place = first["X-Conversation-Id"]
    edited = await send(alice_client, place, text=f"Edited\n{line(kept)}", parent=0, model=VISION)
    await read_stream(edited)
    for question in (first["X-Question-Id"], edited["X-Question-Id"]):
        assert (await alice_client.get(PLACE + kept)).status_code == 200
        await alice_client.post(f"/chat/{place}/messages/{question}/deletion")
        await sync_to_async(lambda: list(iter(lambda: branches.remove_deleted(0), 0)))()
    assert not await StoredImage.objects.aexists()


async def test_a_held_chat_keeps_its_images(alice_client: AsyncClient, settings: Settings) -> None:
    settings.UNDO_SECONDS, settings.HOLD_MAX_DAYS = 0, 30
    first = await ask_about(alice_client, await upload(alice_client))
    found = Conversation.objects.filter(pk=first["X-Conversation-Id"])
    await found.aupdate(held_at="2026-01-01T00:00Z")
    await alice_client.post(f"/chat/{first['X-Conversation-Id']}/deletion/")
    await sync_to_async(sweep)()
    assert await StoredImage.objects.acount() == await MessageImage.objects.acount() == 1


async def test_a_closed_account_leaves_no_image(alice: User, alice_client: AsyncClient) -> None:
    await ask_about(alice_client, await upload(alice_client))
    await upload(alice_client, png(9, 9))  # not sent
    await sync_to_async(delete_account)(alice)
    await sync_to_async(sweep)()
    assert not await User.objects.filter(pk=alice.pk).aexists()
    assert not await StoredImage.objects.aexists()


async def test_an_image_of_a_message_that_staff_hid_is_hidden_too(
    alice_client: AsyncClient,
) -> None:
    digest = await upload(alice_client)
    first = await ask_about(alice_client, digest)
    question = await Message.objects.aget(pk=first["X-Question-Id"])
    await sync_to_async(redaction.redact)(question)
    assert (await alice_client.get(PLACE + digest)).status_code == 404
    refused = await send(alice_client, text=line(digest), model=VISION)
    assert refused.json()["error"]["code"] == "image_missing"
    await sync_to_async(redaction.unredact)(question)
    assert (await alice_client.get(PLACE + digest)).status_code == 200
