"""A shared link shows the images of its questions, and nothing else; who continues it gets copies."""

from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations import redaction
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation, Message
from chat.sharing import redaction as shared_redaction
from chat.sharing.links import Choices, make, revoke
from chat.sharing.models import SharedLink
from tests.support.generations.purge import sweep
from tests.support.web.attached_images import PLACE, ask_about, upload
from tests.support.widget.pictures import png


async def shared(client: AsyncClient) -> tuple[SharedLink, str, Any]:
    digest = await upload(client)
    first = await ask_about(client, digest)
    conversation = await Conversation.objects.aget(pk=first["X-Conversation-Id"])
    return await sync_to_async(make)(conversation, Choices()), digest, first


async def test_anybody_with_the_link_sees_its_images(
    alice_client: AsyncClient, anonymous_client: AsyncClient
) -> None:
    link, digest, _first = await shared(alice_client)
    other = await upload(alice_client, png(9, 9))
    place = f"/s/{link.token}/images/"
    page = (await anonymous_client.get(f"/s/{link.token}/")).content.decode()
    assert f'<img src="{place}{digest}" alt="river.png"' in page
    assert "(image:" not in page
    image = await anonymous_client.get(place + digest)
    assert image["Content-Type"] == "image/png"
    assert image["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "no-store" in image["Cache-Control"]
    for path in (f"{place}{other}", f"/s/guess/images/{digest}"):
        assert (await anonymous_client.get(path)).status_code == 404
    assert (await anonymous_client.get(PLACE + digest)).status_code == 401


async def test_an_image_stays_as_long_as_the_link_that_shows_it(
    alice_client: AsyncClient, anonymous_client: AsyncClient, settings: Settings
) -> None:
    link, digest, first = await shared(alice_client)
    settings.UNDO_SECONDS = 0
    conversation = await Conversation.objects.aget(pk=first["X-Conversation-Id"])
    await MessageImage.objects.all().adelete()  # as if the question had been deleted
    path = f"/s/{link.token}/images/{digest}"
    assert (await anonymous_client.get(path)).status_code == 200
    await sync_to_async(revoke)(link)
    assert (await anonymous_client.get(path)).status_code == 404
    assert not await StoredImage.objects.aexists()
    assert conversation.pk


async def test_an_image_that_staff_hid_is_not_shared(
    alice_client: AsyncClient, anonymous_client: AsyncClient
) -> None:
    link, digest, first = await shared(alice_client)
    question = await Message.objects.aget(pk=first["X-Question-Id"])

    def hide() -> None:
        for message, words in redaction.redact(question):
            shared_redaction.redact(message, words)

    await sync_to_async(hide)()
    assert (await anonymous_client.get(f"/s/{link.token}/images/{digest}")).status_code == 404


async def test_who_continues_a_shared_chat_gets_images_of_their_own(
    bob: User, alice_client: AsyncClient, bob_client: AsyncClient, settings: Settings
) -> None:
    settings.UNDO_SECONDS = 0
    link, digest, first = await shared(alice_client)
    place = (await bob_client.post(f"/s/{link.token}/continuation/"))["Location"]
    await alice_client.post(f"/chat/{first['X-Conversation-Id']}/deletion/")
    await sync_to_async(sweep)()
    assert (await bob_client.get(PLACE + digest)).status_code == 200
    assert (await StoredImage.objects.aget()).owner_id == bob.pk
    await bob_client.post(f"{place}deletion/")
    await sync_to_async(sweep)()
    assert not await StoredImage.objects.aexists()


async def test_a_copy_of_images_needs_storage(
    alice_client: AsyncClient, bob_client: AsyncClient, settings: Settings
) -> None:
    link, _digest, _first = await shared(alice_client)
    text = sum([len(turn["text"]) + 500 for turn in link.turns])
    settings.MAX_MEMBER_BYTES = text + 1000
    image = await StoredImage.objects.aget()
    await StoredImage.objects.filter(pk=image.pk).aupdate(size_bytes=100_000)
    refused = await bob_client.post(f"/s/{link.token}/continuation/")
    assert refused.status_code == 413
    assert not await Conversation.objects.filter(owner__email="bob@example.org").aexists()
