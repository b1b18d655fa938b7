"""What models remember about a member: given in their chats, and theirs to change."""

import io
import json
import zipfile
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts import memories
from chat.accounts.memories import MAX_MEMORIES_CHARS, MemoryFull, MemoryOff
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from tests.support.api.api_client import GPT_OSS, new_api_client
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always
from tests.support.upstream.upstream_override import site_with
from tests.support.web.asked_models import AYE, body, said

PAGE = "/settings/personalization/"
FIRST = "What the user has asked you to remember:\nI ski\nI live in Oslo"


async def keep(client: AsyncClient, text: str = "I ski\nI live in Oslo", **more: Any) -> Any:
    return await client.post(PAGE, {"uses_memories": "on", "memories": text, **more})


async def test_models_read_it_first_in_each_chat(alice_client: AsyncClient) -> None:
    await keep(alice_client)
    async with site_with(always(AYE)) as raw:
        await read_stream(await send(alice_client, text="Hello"))
        assert said(raw) == [("system", FIRST), ("user", "Hello")]


async def test_nobody_elses_chats_and_no_programs_get_it(
    alice: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    await keep(alice_client)
    program = await new_api_client(alice)
    async with site_with(always(AYE)) as raw:
        await read_stream(await send(bob_client, text="One"))
        await program.complete("Two")
        assert said(raw, 0) == [("user", "One")]
        assert said(raw, 1) == [("user", "Two")]


async def test_switched_off_it_is_kept_but_not_sent(alice_client: AsyncClient) -> None:
    await keep(alice_client, uses_memories="")
    async with site_with(always(AYE)) as raw:
        await read_stream(await send(alice_client, text="Hello"))
        assert said(raw) == [("user", "Hello")]
    assert "I live in Oslo" in (await alice_client.get(PAGE)).content.decode()


@pytest.mark.parametrize("uses_memories", ["on", ""])
async def test_models_can_propose_to_remember_only_while_it_is_on(
    alice_client: AsyncClient, uses_memories: str
) -> None:
    await keep(alice_client, uses_memories=uses_memories)
    async with site_with(always(AYE)) as raw:
        response = await send(
            alice_client, text="Hello", site_tools=["remember", "calculator"], model=GPT_OSS
        )
        await read_stream(response)
        names = [each["function"]["name"] for each in body(raw)["tools"]]
    assert names == ["calculator", *(["remember"] if uses_memories else [])]


async def test_each_line_is_one_thing(alice: User, alice_client: AsyncClient) -> None:
    await keep(alice_client, "  I ski \r\n\r\n\u202eI row\u2066\n")
    await alice.arefresh_from_db()
    assert Preferences.of(alice).memories == "I ski\nI row"


async def test_it_is_part_of_the_export(alice_client: AsyncClient) -> None:
    await keep(alice_client)
    response = await alice_client.get("/settings/export.zip")
    content = b"".join([part async for part in response.streaming_content])
    account = json.loads(zipfile.ZipFile(io.BytesIO(content)).read("account.json"))
    assert account["preferences"]["memories"] == "I ski\nI live in Oslo"


@pytest.mark.django_db
def test_a_known_thing_is_not_kept_twice(alice: User) -> None:
    memories.remember(alice.pk, "I ski")
    memories.remember(alice.pk, " I  ski\n")
    alice.refresh_from_db()
    assert Preferences.of(alice).memories == "I ski"


@pytest.mark.django_db
def test_a_full_memory_and_one_that_is_off_take_nothing(alice: User) -> None:
    alice.preferences = {"memories": "a" * MAX_MEMORIES_CHARS}
    alice.save()
    with pytest.raises(MemoryFull):
        memories.remember(alice.pk, "I ski")
    alice.preferences = {"uses_memories": False}
    alice.save()
    with pytest.raises(MemoryOff):
        memories.remember(alice.pk, "I ski")


async def test_a_tool_that_needs_no_question_is_asked_about_again(
    alice: User, alice_client: AsyncClient
) -> None:
    alice.preferences = {"allowed_tools": "remember"}
    await sync_to_async(alice.save)()
    page = (await alice_client.get(PAGE)).content.decode()
    assert "Tools that needn&#x27;t ask you" in page
    await keep(alice_client)  # without the tick
    await alice.arefresh_from_db()
    assert Preferences.of(alice).allowed_tools == ""


async def test_what_a_chat_has_added_meanwhile_is_kept(
    alice: User, alice_client: AsyncClient
) -> None:
    await keep(alice_client, "I ski\nI row")
    shown = {"shown_memories": "I ski\r\nI row", "shown_allowed_tools": ""}
    alice.preferences = {"memories": "I ski\nI row\nI sail", "allowed_tools": "remember"}
    await sync_to_async(alice.save)()
    await keep(alice_client, "I row\nI swim", **shown)
    await alice.arefresh_from_db()
    preferences = Preferences.of(alice)
    assert preferences.memories.split("\n") == ["I row", "I swim", "I sail"]
    assert preferences.allowed_tools == "remember"
    page = (await alice_client.get(PAGE)).content.decode()
    assert 'name="shown_allowed_tools" value="remember"' in page
    assert "I sail" in page.partition('name="shown_memories" value="')[2].partition('"')[0]
