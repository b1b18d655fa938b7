"""Files in other programs' exports are in the imported chats, for their owner only."""

import io
from html import unescape
from typing import Any

from asgiref.sync import sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.attached_files import image_digests, original_digests
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes.storage import used_bytes
from chat.import_export import import_reader
from tests.import_export.chatgpt_zips import (
    LAKE,
    PAGES,
    PDF_ID,
    PNG_ID,
    attached,
    export,
    question,
    shown,
)
from tests.support.documents.samples import WORDS

PATH = "/settings/import/"
NAMED = attached(
    {"id": PDF_ID, "name": "plan.pdf"}, {"id": "file-aaaaaaaaaaaaaaaaaaaa", "name": "gone.xlsx"}
)
EXPORT = export(
    {f"{PDF_ID}.dat": PAGES, f"{PNG_ID}.dat": LAKE},
    question(shown(f"sediment://{PNG_ID}"), "Read it", **NAMED),
).getvalue()


async def import_through_page(client: AsyncClient) -> str:
    sent: dict[str, Any] = {"file": SimpleUploadedFile("export.zip", EXPORT)}
    response = await client.post(PATH, sent, follow=True)
    assert response.status_code == 200, response.content
    return unescape(response.content.decode())


async def test_files_are_stored_for_the_importing_member(
    alice: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    page = await import_through_page(alice_client)
    assert "1 file or image: Not in the export." in page
    asked = await Message.objects.aget()
    (image,), (original,) = image_digests(asked.text), original_digests(asked.text)
    shown_image = await alice_client.get(f"/chat/images/{image}")
    assert shown_image.content == LAKE
    saved = await alice_client.get(f"/chat/files/{original}")
    assert saved.content == PAGES
    assert saved["Content-Type"] == "application/octet-stream"
    for address in (f"/chat/images/{image}", f"/chat/files/{original}"):
        assert (await bob_client.get(address)).status_code == 404
    chat = await Conversation.objects.aget()
    page = unescape((await alice_client.get(f"/chat/{chat.pk}/")).content.decode())
    assert "plan.pdf" in page
    assert f"/chat/images/{image}" in page
    assert "[File not imported: gone.xlsx]" in page
    assert await MessageImage.objects.acount() == 2
    assert not await StoredImage.objects.filter(unsent_since__isnull=False).aexists()
    assert await sync_to_async(used_bytes)(alice.pk) > len(LAKE) + len(PAGES)


async def test_a_full_storage_costs_files_but_no_chat(
    alice: User, alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_MEMBER_BYTES = import_reader.check(io.BytesIO(EXPORT)).size_bytes + 300
    page = await import_through_page(alice_client)
    assert "1 file or image: Only the text was imported." in page
    asked = await Message.objects.aget()
    assert WORDS in asked.text
    assert not await StoredImage.objects.filter(kind="file").aexists()
    assert await sync_to_async(used_bytes)(alice.pk) <= settings.MAX_MEMBER_BYTES
