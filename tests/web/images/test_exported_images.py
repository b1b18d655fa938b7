"""An export has the images, and an import brings them back."""

import io
import json
import zipfile
from base64 import b64encode
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient, Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.attached_images import VISION, ask_about, line, upload
from tests.support.web.exports import body
from tests.support.web.signed_in import signed_in
from tests.support.widget.pictures import jpeg, png


async def export_of(client: AsyncClient, conversation_id: str) -> bytes:
    return await body(await client.get(f"/chat/{conversation_id}/export.json"))


@sync_to_async
def bring(user: User, data: bytes) -> str:
    file = SimpleUploadedFile("chat.json", data)
    response = signed_in(user).post("/settings/import/", {"file": file}, follow=True)
    return str(response.content.decode())


async def test_a_chat_and_its_images_go_to_another_account(
    bob: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    digest = await upload(alice_client, jpeg(30, 20))
    first = await ask_about(alice_client, digest)
    exported = await export_of(alice_client, first["X-Conversation-Id"])
    assert "1 chat was imported." in await bring(bob, exported)
    assert (await bob_client.get(f"/chat/images/{digest}")).status_code == 200
    theirs = await StoredImage.objects.aget(owner=bob)
    assert theirs.unsent_since is None
    assert await MessageImage.objects.filter(image=theirs).acount() == 1
    copy = await Conversation.objects.aget(owner=bob)
    assert await export_of(bob_client, str(copy.pk)) == exported


async def test_a_chat_as_markdown_names_its_images(alice_client: AsyncClient) -> None:
    first = await ask_about(alice_client, await upload(alice_client))
    path = f"/chat/{first['X-Conversation-Id']}/export.md"
    text = (await body(await alice_client.get(path))).decode()
    assert "> What is it?\n> [image: river.png]\n" in text


async def test_an_image_of_several_versions_is_exported_once(alice_client: AsyncClient) -> None:
    digest = await upload(alice_client)
    first = await ask_about(alice_client, digest)
    place = first["X-Conversation-Id"]
    edited = await send(alice_client, place, text=f"Edit\n{line(digest)}", parent=0, model=VISION)
    await read_stream(edited)
    messages = json.loads(await export_of(alice_client, place))["messages"]
    assert [len(each.get("images", [])) for each in messages] == [1, 0, 0, 0]


async def test_the_archive_of_an_account_has_each_image_as_a_file(
    alice_client: AsyncClient,
) -> None:
    digest = await upload(alice_client)
    await ask_about(alice_client, digest)
    archive = zipfile.ZipFile(
        io.BytesIO(await body(await alice_client.get("/settings/export.zip")))
    )
    assert archive.read(f"images/{digest}.png") == (await StoredImage.objects.aget()).content


def file_with(images: list[Any], role: str = "user") -> bytes:
    said: dict[str, Any] = {"created_at": "2026-03-29T12:30:15Z", "text": "Hello"}
    messages = [{"id": 1, "parent": None, "role": "user", **said}]
    if role == "assistant":
        messages.append({"id": 2, "parent": 1, "role": role, **said})
    messages[-1]["images"] = images
    when = {"created_at": said["created_at"], "updated_at": said["created_at"]}
    head = {"format": "runnel", "version": 1, "kind": "conversation", "title": "A"}
    return json.dumps({**head, "place": "listed", **when, "messages": messages}).encode()


@pytest.mark.parametrize(
    ("images", "role", "words"),
    [
        (["no base64!"], "user", "One of its images can&#x27;t be read"),
        ([b64encode(b"<svg/>").decode()], "user", "One of its images can&#x27;t be read"),
        ([b64encode(png()).decode()] * 21, "user", "This file can&#x27;t be imported"),
        ([b64encode(png()).decode()], "assistant", "an answer with images"),
    ],
)
def test_a_file_with_invalid_images_is_refused(
    alice: User, images: list[Any], role: str, words: str
) -> None:
    file = SimpleUploadedFile("chat.json", file_with(images, role))
    browser: Client = signed_in(alice)
    assert words in browser.post("/settings/import/", {"file": file}, follow=True).content.decode()
    assert not StoredImage.objects.exists()


def test_images_in_an_import_need_storage(alice: User, settings: Settings) -> None:
    settings.MAX_MEMBER_BYTES = 3000
    large = jpeg(2, 2)[:-2] + b"\0" * 4000 + b"\xff\xd9"
    file = SimpleUploadedFile("chat.json", file_with([b64encode(large).decode()]))
    page = signed_in(alice).post("/settings/import/", {"file": file}, follow=True)
    assert "is full" in page.content.decode()
    assert not StoredImage.objects.exists()
