"""The original of a file in a question is kept for its owner, and goes with the question."""

import io
import json
import zipfile
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.attached_files import file_block
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.images.prompt_images import with_images
from chat.conversations.models import Conversation
from chat.conversations.prompt import PromptMessage
from chat.sharing.links import Choices, make
from tests.support.documents.samples import WORDS
from tests.support.generations.purge import sweep
from tests.support.generations.send import send
from tests.support.web.attached_images import VISION, line
from tests.support.web.attached_originals import FILE, FILES, ask_with, attach, block
from tests.support.web.exports import body
from tests.support.web.signed_in import signed_in
from tests.support.widget.pictures import png


async def test_its_owner_saves_the_file_as_it_was(alice_client: AsyncClient) -> None:
    digest = await attach(alice_client)
    await ask_with(alice_client, digest, "lake \r<b>.pdf")
    saved = await alice_client.get(FILES + digest)
    assert saved.content == FILE
    assert saved["Content-Type"] == "application/octet-stream"
    assert saved["Content-Disposition"] == 'attachment; filename="lake b.pdf"'
    assert saved["X-Content-Type-Options"] == "nosniff"
    assert saved["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert saved["Cache-Control"] == "no-store"


async def test_who_types_the_reference_of_somebody_elses_file_gets_nothing(
    alice_client: AsyncClient, bob_client: AsyncClient, rita_client: AsyncClient
) -> None:
    digest = await attach(alice_client)
    await ask_with(alice_client, digest)
    await ask_with(bob_client, digest)  # it is sent, as the text is in it
    for client in (bob_client, rita_client):
        assert (await client.get(FILES + digest)).status_code == 404
    assert await MessageImage.objects.acount() == 1


async def test_a_file_is_never_shown_as_an_image_nor_an_image_saved_as_a_file(
    alice_client: AsyncClient,
) -> None:
    digest = await attach(alice_client)
    assert (await alice_client.get(f"/chat/images/{digest}")).status_code == 404
    refused = await send(alice_client, text=line(digest), model=VISION)
    assert refused.json()["error"]["code"] == "image_missing"
    sent = await alice_client.post("/chat/images/", data=png(), content_type="image/png")
    assert (await alice_client.get(FILES + sent.json()["digest"])).status_code == 404


def test_the_model_reads_the_text_without_the_reference(alice: User) -> None:
    text = f"How is it?\n{block('0a' * 16)}"
    (read,) = with_images(alice.pk, [PromptMessage("user", text)])
    assert read.content == f"How is it?\n{file_block('lake.pdf', WORDS)}"


@pytest.mark.parametrize(
    ("keeps", "most_bytes", "told"),
    [(False, 0, {}), (True, 3000, {"storage_full": True})],
)
async def test_without_a_place_for_the_file_its_text_is_still_read(
    alice_client: AsyncClient,
    settings: Settings,
    keeps: bool,
    most_bytes: int,
    told: dict[str, Any],
) -> None:
    settings.KEEP_QUESTION_FILES, settings.MAX_MEMBER_BYTES = keeps, most_bytes
    place = "/chat/documents/?name=.txt&keep=1"
    content = b"Word " * 1000
    read = await alice_client.post(place, data=content, content_type="application/octet-stream")
    facts = read.json()
    assert facts.pop("text").startswith("Word Word")
    assert facts == {"pages": 0, "pages_read": 0, "is_cut": False, **told}
    assert not await StoredImage.objects.aexists()


async def test_a_file_goes_with_the_last_chat_that_has_it(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.UNDO_SECONDS = 0
    digest = await attach(alice_client)
    first = await ask_with(alice_client, digest)
    place, answer = first["X-Conversation-Id"], first["X-Message-Id"]
    copied = await alice_client.post(f"/chat/{place}/messages/{answer}/branch")
    await alice_client.post(f"/chat/{place}/deletion/")
    await sync_to_async(sweep)()
    assert (await alice_client.get(FILES + digest)).status_code == 200
    await alice_client.post(f"/chat/{copied.json()['conversation']}/deletion/")
    assert (await alice_client.get(FILES + digest)).status_code == 404
    await sync_to_async(sweep)()
    assert not await StoredImage.objects.aexists()


async def test_a_shared_link_has_the_text_only(alice_client: AsyncClient) -> None:
    first = await ask_with(alice_client, await attach(alice_client))
    conversation = await Conversation.objects.aget(pk=first["X-Conversation-Id"])
    link = await sync_to_async(make)(conversation, Choices())
    assert link.turns[0]["text"] == f"How is it?\n{file_block('lake.pdf', WORDS)}"
    assert not await link.images.aexists()


async def test_an_export_brings_the_file_to_another_account(
    bob: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    digest = await attach(alice_client)
    first = await ask_with(alice_client, digest)
    exported = await body(await alice_client.get(f"/chat/{first['X-Conversation-Id']}/export.json"))
    assert [len(each.get("files", [])) for each in json.loads(exported)["messages"]] == [1, 0]

    def bring() -> None:
        file = SimpleUploadedFile("chat.json", exported)
        signed_in(bob).post("/settings/import/", {"file": file}, follow=True)

    await sync_to_async(bring)()
    assert (await bob_client.get(FILES + digest)).content == FILE
    archive = await body(await bob_client.get("/settings/export.zip"))
    assert zipfile.ZipFile(io.BytesIO(archive)).read(f"files/{digest} lake.pdf") == FILE
