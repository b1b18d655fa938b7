"""Export a conversation as Markdown or JSON, or everything as a zip file."""

import io
import json
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.models import Conversation
from chat.import_export import export_archive, export_writer
from chat.import_export.file_names import file_name
from chat.import_export.markdown import closed, conversation_markdown, quoted
from chat.personas.models import Persona, Prompt
from chat.sharing import links
from tests.import_export.trees import exported, new_conversation
from tests.support.api.api_client import new_api_client
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.exports import body


async def get(client: AsyncClient, conversation: Conversation, kind: str, **headers: str) -> Any:
    return await client.get(f"/chat/{conversation.pk}/export.{kind}", headers=headers)


@pytest.fixture
def conversation(alice: User) -> Conversation:
    return new_conversation(alice)


async def test_markdown_contains_the_shown_branch_with_its_authors(
    alice_client: AsyncClient, conversation: Conversation
) -> None:
    response = await get(alice_client, conversation, "md")
    assert response["Content-Type"] == "text/markdown; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="Rivers.md"'
    text = (await body(response)).decode()
    assert text.startswith("# Rivers\n\n")
    assert "**You**, Mar 29, 2026, 12:30 PM\n\n> Why do rivers bend?\n> # Not a heading\n" in text
    assert "**Llama 3.3 70B**, Mar 29, 2026, 12:32 PM\n\nSecond." in text
    assert "Second.\n```python\nprint()\n```\n" in text  # the open code block is closed
    assert "First." not in text


async def test_markdown_uses_the_readers_language_and_time_zone(
    alice_client: AsyncClient, conversation: Conversation
) -> None:
    alice_client.cookies["time_zone"] = "Asia/Tokyo"
    response = await get(alice_client, conversation, "md", **{"Accept-Language": "de"})
    assert "29. März 2026 um 21:30" in (await body(response)).decode()


async def test_json_contains_the_whole_tree(
    alice_client: AsyncClient, conversation: Conversation
) -> None:
    response = await get(alice_client, conversation, "json")
    assert response["Content-Type"] == "application/json"
    assert response["Content-Disposition"] == 'attachment; filename="Rivers.json"'
    data = await body(response)
    found = json.loads(data)
    assert list(found)[:3] == ["format", "version", "kind"]
    assert [said["id"] for said in found["messages"]] == [1, 2, 3]
    assert [said["parent"] for said in found["messages"]] == [None, 1, 1]
    assert found["messages"][2]["attempts"][0]["usage"]["total_tokens"] == 16
    assert found["messages"][2]["rating"]["comment"] == "Good."
    assert len(data.splitlines()) == 5  # a message to a line


async def test_the_emulators_answers_can_be_exported(
    alice_client: AsyncClient, alice: User
) -> None:
    response = await send(alice_client, text="Hello")
    stream = await read_stream(response)
    conversation = await Conversation.objects.aget()
    found = json.loads(await body(await get(alice_client, conversation, "json")))
    answer = found["messages"][1]
    assert answer["text"] == stream.text
    assert answer["attempts"][0]["state"] == "complete"
    assert answer["attempts"][0]["length"] == len(stream.text)
    assert answer["attempts"][0]["usage"]["total_tokens"] == stream.key("usage")["total_tokens"]


async def test_hostile_text_stays_text(alice_client: AsyncClient, alice: User) -> None:
    title = 'a"; filename="evil.exe\r\nX-Evil: 1 <script>../..\u202egpj.exe'
    conversation = await Conversation.objects.acreate(owner=alice, title=title)
    await conversation.messages.acreate(role="user", text="<script>\r## **You**\u2028---")
    for kind in ("md", "json"):
        response = await get(alice_client, conversation, kind)
        assert response["X-Content-Type-Options"] == "nosniff"
        disposition = response["Content-Disposition"]
        assert disposition.startswith("attachment; ")
        assert "X-Evil" not in response
        assert not set('<>:"/\\|?*\r\n') & set(disposition.partition("=")[2].strip('"'))
        text = (await body(response)).decode()
        assert "<script>" in text
        if kind == "md":
            assert "\n## " not in text.replace("\r", "\n")


async def test_other_formats_answer_404(
    alice_client: AsyncClient, conversation: Conversation
) -> None:
    for kind in ("pdf", "html", "JSON", "md.exe"):
        assert (await get(alice_client, conversation, kind)).status_code == 404


async def test_titles_in_any_script_become_file_names(
    alice_client: AsyncClient, alice: User
) -> None:
    conversation = await Conversation.objects.acreate(owner=alice, title="Flüsse – 川")
    response = await get(alice_client, conversation, "md")
    assert response["Content-Disposition"] == (
        "attachment; filename*=utf-8''Fl%C3%BCsse%20%E2%80%93%20%E5%B7%9D.md"
    )


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Rivers", "Rivers"),
        ("", "chat"),
        ("...", "chat"),
        ("CON", "chat"),
        ("nul.txt", "chat"),
        ("com1", "chat"),
        ("COM", "COM"),
        ("console", "console"),
        ('a/b\\c:d*e?f"g<h>i|j', "a b c d e f g h i j"),
        ("-rf ~", "rf"),
        (".hidden", "hidden"),
        ("ends with a dot. ", "ends with a dot"),
        ("line\nbreak\ttab\0nul\x7f", "line break tab nul"),
        ("\u202egnp.exe", "gnp.exe"),
        ("e\u0301", "é"),
        ("x" * 300, "x" * 60),
    ],
)
def test_file_names_are_valid_on_every_system(title: str, name: str) -> None:
    assert file_name(title, "chat") == name


def test_a_quotation_contains_every_line() -> None:
    assert quoted("a\r\nb\rc\n\nd") == "> a\n> b\n> c\n>\n> d"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("plain", ""),
        ("```\ncode", "\n```"),
        ("```\ncode\n```", ""),
        ("~~~~ python\n```\n~~~", "\n~~~~"),
        ("````\n```\n```", "\n````"),
        ("```\na\n```\n```", "\n```"),
        ("    ```\nindented", ""),
    ],
)
def test_an_open_code_block_is_closed(text: str, end: str) -> None:
    assert closed(text) == text + end


async def files_in(client: AsyncClient) -> dict[str, bytes]:
    response = await client.get("/settings/export.zip")
    assert response["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(await body(response))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


async def test_api_keys_are_exported_without_the_keys(
    alice: User, bob: User, alice_client: AsyncClient
) -> None:
    program = await new_api_client(alice)
    await new_api_client(bob, name="Bobs")
    account = (await files_in(alice_client))["account.json"].decode()
    (key,) = json.loads(account)["api_keys"]
    assert (key["name"], key["prefix"]) == ("Editor", program.key.prefix)
    assert program.text not in account
    assert program.key.digest not in account


async def test_everything_is_exported_as_one_zip_file(
    alice: User, bob: User, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_archive, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(export_writer, "MESSAGES_AT_ONCE", 2)
    made = await make_chats(alice, bob)
    await read_stream(await send(alice_client, text="This costs something."))
    found = await files_in(alice_client)
    account = json.loads(found["account.json"])
    assert account["email"] == "alice@example.org"
    assert account["preferences"]["theme"] == "dark"
    costs = json.loads(found["costs.json"])["costs"]
    assert [set(cost) for cost in costs] == [
        {"at", "model", "is_temporary", "tokens", "neurons", "dollars"}
    ]
    (persona,) = json.loads(found["personas.json"])["personas"]
    assert (persona["name"], persona["system_prompt"]) == ("Guide", "Be brief.")
    assert [each["text"] for each in json.loads(found["prompts.json"])["prompts"]] == ["Sum it up."]
    (link,) = json.loads(found["links.json"])["links"]
    assert link["title"] == "Four"
    names = [name for name in found if name.startswith("conversations/")]
    assert names[:4] == [
        "conversations/00001 One.json",
        "conversations/00001 One.md",
        "conversations/00002 Two.json",
        "conversations/00002 Two.md",
    ]
    assert len(names) == 12
    assert found["conversations/00002 Two.json"] == made["Two"]
    assert not any(b"bob" in data for data in found.values())
    assert b"alice@example.org" not in b"".join(found[name] for name in names)


async def make_chats(alice: User, bob: User) -> dict[str, bytes]:
    def make() -> dict[str, bytes]:
        Preferences(theme="dark").save(alice)
        made = {}
        for number, title in enumerate(("One", "Two", "Three", "Four", "Four")):
            conversation = new_conversation(alice, title)
            conversation.created_at = timezone.now() - timedelta(days=9 - number)
            conversation.save()
            made[title] = exported(conversation)
        for owner, text in ((alice, "Be brief."), (bob, "bob's rules")):
            Persona.objects.create(owner=owner, name="Guide", system_prompt=text)
        Prompt.objects.create(owner=alice, name="Sum", text="Sum it up.")
        links.make(conversation, links.Choices())
        new_conversation(bob, "bob's own")
        hidden = new_conversation(alice, "bob is deleted")
        hidden.purge_after = timezone.now() + timedelta(seconds=20)
        hidden.save()
        return made

    return await sync_to_async(make)()


async def test_a_disconnect_during_an_export_is_harmless(
    alice_client: AsyncClient, alice: User
) -> None:
    for _ in range(20):
        await sync_to_async(new_conversation)(alice)
    response = await alice_client.get("/settings/export.zip")
    reading = response.streaming_content
    assert await anext(reading)
    await reading.aclose()
    assert (await alice_client.get("/chat/")).status_code == 200


def test_exporting_a_long_conversation_takes_few_queries(
    alice: User, django_assert_max_num_queries: Callable[[int], AbstractContextManager[Any]]
) -> None:
    conversation, last = Conversation.objects.create(owner=alice), None
    for number in range(120):
        role = "assistant" if number % 2 else "user"
        last = conversation.messages.create(parent=last, role=role, text=f"turn {number}.")
    with django_assert_max_num_queries(31):  # two more for each batch: sources, and calls of tools
        read = b"".join(conversation_markdown(conversation))
        whole = exported(conversation)
    assert [f"turn {number}.".encode() in read for number in range(120)] == [True] * 120
    assert len(json.loads(whole)["messages"]) == 120
