"""Importing the files of other programs through the page."""

import io
import json
import zipfile
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient, Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.database import bulk_writes
from chat.lib.sse import SseDecoder
from tests.import_export.chatgpt_files import chat, encoded, node, rollback
from tests.support.web.signed_in import signed_in

PATH = "/settings/import/"


def sent(data: bytes, name: str = "conversations.json") -> dict[str, Any]:
    return {"file": SimpleUploadedFile(name, data)}


async def events(client: AsyncClient, data: bytes) -> list[dict[str, Any]]:
    """Import like the page's script, and return what it hears."""
    response = await client.post(PATH, sent(data), headers={"Accept": "text/event-stream"})
    assert response["Content-Type"] == "text/event-stream"
    decoder = SseDecoder()
    heard = [each async for part in response.streaming_content for each in decoder.feed(part)]
    return [json.loads(each.data) for each in heard]


def question(title: str) -> dict[str, Any]:
    return chat(node("q", "root", "user", "Why?", seconds=1), title=title)


def test_a_zip_file_with_much_else_in_it_is_imported(alice: User, browser: Client) -> None:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("conversations.json", encoded(rollback()))
        archive.writestr("user.json", b'{"id":"user-x","email":"alice@example.org"}')
        archive.writestr("shared_conversations.json", b'[{"id":"x","conversation_id":"y"}]')
        archive.writestr("message_feedback.json", b"[]")
        archive.writestr("chat.html", b"<html>" + b"x" * 100_000)
        archive.writestr("file-x.png", b"\x89PNG")
    response = browser.post(PATH, sent(sink.getvalue(), "export.zip"), follow=True)
    page = unescape(response.content.decode())
    assert "1 chat was imported." in page
    kinds = "1 file or image: Not in the export."
    assert f"Left out of the imported chats: {kinds}" in page
    found = Conversation.objects.get(owner=alice)
    page = browser.get(f"/chat/{found.pk}/").content.decode()
    assert "helm rollback staging" in page
    assert "And if that fails?" in page
    assert "Wait." not in page  # on the other branch


def several(*contents: bytes) -> dict[str, Any]:
    return {"file": [SimpleUploadedFile(f"{at}.json", data) for at, data in enumerate(contents)]}


def test_several_files_are_one_import(alice: User, browser: Client) -> None:
    one, two = encoded(question("One")), encoded(question("Two"))
    browser.post(PATH, several(one, b'{"id":"user-x"}', two))
    titles = Conversation.objects.filter(owner=alice).values_list("title", flat=True)
    assert sorted(titles) == ["One", "Two"]
    response = browser.post(PATH, several(one, two[:-9]))
    assert "This file is damaged or incomplete." in response.content.decode()
    assert Conversation.all_objects.count() == 2


def test_the_files_of_an_import_count_together(browser: Client, settings: Settings) -> None:
    settings.MAX_IMPORT_BYTES = 2000
    data = encoded(question("x"))
    assert browser.post(PATH, several(data)).status_code == 302
    response = browser.post(PATH, several(*[data] * 4))
    assert response.status_code == 422
    assert "too large to import" in response.content.decode()
    assert 'data-most-bytes="2000"' in response.content.decode()


def test_nobody_else_sees_what_was_imported(alice: User, bob: User, browser: Client) -> None:
    browser.post(PATH, sent(encoded(rollback())))
    found = Conversation.objects.get()
    assert found.owner_id == alice.pk
    assert set(Message.objects.values_list("is_imported", flat=True)) == {True}
    theirs = signed_in(bob)
    assert theirs.get(f"/chat/{found.pk}/").status_code == 404
    assert "Roll back" not in theirs.get("/chat/").content.decode()


def test_a_chat_that_can_not_be_imported_is_named(browser: Client) -> None:
    damaged = {"title": "Corrupted", "create_time": 1.5}
    response = browser.post(PATH, sent(encoded(question("Good"), damaged)), follow=True)
    page = unescape(response.content.decode())
    assert "1 chat was imported." in page
    assert "1 chat couldn't be imported." in page
    assert "Corrupted: It's damaged or has an unknown format." in page


def test_a_file_without_any_chat_that_can_be_imported_is_refused(browser: Client) -> None:
    response = browser.post(PATH, sent(encoded(chat(), chat())))
    assert response.status_code == 422
    assert "No chat in this file can be imported. It has no messages." in response.content.decode()
    assert not Conversation.all_objects.exists()


async def test_progress_and_result_are_streamed(
    alice: User, alice_client: AsyncClient, settings: Settings
) -> None:
    chats = [question(f"Chat {number}") for number in range(70)]
    heard = await events(alice_client, encoded(*chats, chat(title="<b>Empty</b>")))
    *steps, last = heard
    assert steps[0] == {"words": "0 of 70 chats imported", "done": 0, "total": 70}
    assert [step["done"] for step in steps] == sorted(step["done"] for step in steps)
    result = last["result"]
    assert result["words"] == "70 chats were imported."
    assert len(result["chats"]) == 51
    assert result["chats"][0]["words"] == "Chat 0"
    assert result["chats"][-1] == {"words": "20 more"}
    assert result["refused"] == [{"words": "<b>Empty</b>: It has no messages."}]
    assert result["left_out"] == []
    opened = await alice_client.get(result["chats"][0]["url"])
    assert opened.status_code == 200


async def test_progress_is_in_the_readers_language(alice_client: AsyncClient) -> None:
    alice_client.cookies["django_language"] = "de"
    heard = await events(alice_client, encoded(question("Eins"), chat()))
    assert heard[-1]["result"]["chats"][0]["words"] == "Eins"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[]", "isn't an export from Runnel, ChatGPT"),
        (b"", "The submitted file is empty."),
    ],
)
async def test_a_script_is_told_why_a_file_is_refused(
    data: bytes, words: str, alice_client: AsyncClient
) -> None:
    response = await alice_client.post(PATH, sent(data), headers={"Accept": "text/event-stream"})
    assert response.status_code == 422
    assert words in response.json()["problem"]


async def test_the_storage_quota_applies(alice_client: AsyncClient, settings: Settings) -> None:
    settings.MAX_MEMBER_BYTES = 1000
    response = await alice_client.post(
        PATH, sent(encoded(rollback())), headers={"Accept": "text/event-stream"}
    )
    assert response.status_code == 422
    assert "storage" in response.json()["problem"]
    assert not await Conversation.all_objects.aexists()


async def test_an_import_goes_on_without_its_reader(alice: User, alice_client: AsyncClient) -> None:
    data = sent(encoded(*(question(f"Chat {number}") for number in range(5))))
    response = await alice_client.post(PATH, data, headers={"Accept": "text/event-stream"})
    stream = response.streaming_content
    await anext(stream)
    task = bulk_writes._running.get(alice.pk)
    await stream.aclose()
    if task:
        await task
    assert await Conversation.objects.filter(owner=alice).acount() == 5
