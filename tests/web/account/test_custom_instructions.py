"""A member's custom instructions come first in the system message of all their chats."""

import io
import json
import zipfile
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.custom_instructions import MAX_INSTRUCTIONS, instructions_text
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.models import Conversation
from chat.generations.deletion.soft_delete import delete_account
from chat.personas.models import Persona
from chat.quotas.models import Charge
from tests.support.api.api_client import new_api_client
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import RawUpstream, always, stream_of
from tests.support.upstream.upstream_override import ask, site_with

PAGE = "/settings/personalization/"
AYE = stream_of(b'data: {"response":"Aye"}\n\n', b"data: [DONE]\n\n")
ABOUT = {
    "uses_instructions": "on",
    "preferred_name": "Captain",
    "instructions": "Answer in one sentence.",
}
FIRST = (
    "The user wants to be called Captain.\n\n"
    "The user's instructions for all chats:\nAnswer in one sentence."
)


@pytest.fixture
def pirate(alice: User) -> Persona:
    return Persona.objects.create(owner=alice, name="Pirate", system_prompt="Talk like a pirate.")


def said(raw: RawUpstream) -> list[tuple[str, str]]:
    body: dict[str, Any] = json.loads(raw.requests[-1].partition(b"\r\n\r\n")[2])
    return [(each["role"], each["content"]) for each in body["messages"]]


async def test_they_come_first_in_a_stored_chat_and_its_later_answers(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    assert (await alice_client.post(PAGE, ABOUT)).status_code == 302
    async with site_with(always(AYE)) as raw:
        first = await send(alice_client, text="One")
        await read_stream(first)
        assert said(raw) == [("system", FIRST), ("user", "One")]
        await read_stream(
            await send(alice_client, first["X-Conversation-Id"], retry=int(first["X-Message-Id"]))
        )
        assert said(raw) == [("system", FIRST), ("user", "One")]
        await read_stream(await send(alice_client, text="Two", persona=str(pirate.pk)))
        assert said(raw) == [("system", f"{FIRST}\n\nTalk like a pirate."), ("user", "Two")]


async def test_they_come_first_in_a_temporary_chat(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    await alice_client.post(PAGE, ABOUT)
    turns = [{"role": "user", "content": "One"}]
    async with site_with(always(AYE)) as raw:
        await read_stream(await ask(alice_client, {"messages": turns}))
        assert said(raw) == [("system", FIRST), ("user", "One")]
        await read_stream(await ask(alice_client, {"messages": turns, "persona": str(pirate.pk)}))
        assert said(raw) == [("system", f"{FIRST}\n\nTalk like a pirate."), ("user", "One")]


async def test_a_request_with_its_own_system_message_is_sent_without_them(
    alice_client: AsyncClient,
) -> None:
    await alice_client.post(PAGE, ABOUT)
    for role in ("system", "developer"):
        turns = [{"role": role, "content": "Be brief."}, {"role": "user", "content": "One"}]
        async with site_with(always(AYE)) as raw:
            await read_stream(await ask(alice_client, {"messages": turns}))
            assert said(raw) == [("system", "Be brief."), ("user", "One")]


async def test_nobody_elses_chats_and_no_programs_get_them(
    alice_client: AsyncClient, bob_client: AsyncClient, alice: User
) -> None:
    await alice_client.post(PAGE, ABOUT)
    program = await new_api_client(alice)
    async with site_with(always(AYE)) as raw:
        await read_stream(await send(bob_client, text="One"))
        assert said(raw) == [("user", "One")]
        await program.complete("Two")
        assert said(raw) == [("user", "Two")]
    assert "Captain" not in (await bob_client.get(PAGE)).content.decode()


async def test_turned_off_they_are_kept_but_not_sent(alice_client: AsyncClient) -> None:
    await alice_client.post(PAGE, {**ABOUT, "uses_instructions": ""})
    async with site_with(always(AYE)) as raw:
        await read_stream(await send(alice_client, text="One"))
        assert said(raw) == [("user", "One")]
    page = (await alice_client.get(PAGE)).content.decode()
    assert "Answer in one sentence." in page
    assert 'value="Captain"' in page


async def test_they_are_not_stored_with_the_chat(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    await alice_client.post(PAGE, ABOUT)
    async with site_with(always(AYE)):
        await read_stream(await send(alice_client, text="One", persona=str(pirate.pk)))
    chat = await Conversation.objects.aget()
    assert "Captain" not in json.dumps(chat.generation_settings)


async def test_they_count_in_the_estimate_of_the_prompt(alice_client: AsyncClient) -> None:
    async with site_with(always(AYE)):
        await read_stream(await send(alice_client, text="One"))
        await alice_client.post(PAGE, {**ABOUT, "instructions": "x" * MAX_INSTRUCTIONS})
        await read_stream(await send(alice_client, text="One"))
    without, within = [each async for each in Charge.objects.order_by("created_at")]
    assert within.prompt_tokens - without.prompt_tokens >= MAX_INSTRUCTIONS / 3


async def test_longer_ones_are_refused_and_what_was_written_stays_in_the_form(
    alice_client: AsyncClient, alice: User
) -> None:
    text = "y" * (MAX_INSTRUCTIONS + 1)
    response = await alice_client.post(PAGE, {**ABOUT, "instructions": text})
    assert response.status_code == 422
    assert text in response.content.decode()
    await alice.arefresh_from_db()
    assert instructions_text(Preferences.of(alice)) == ""


async def test_other_settings_and_they_do_not_replace_each_other(
    alice_client: AsyncClient, alice: User
) -> None:
    await alice_client.post(PAGE, ABOUT)
    await alice_client.post("/settings/", {"theme": "dark"})
    await alice_client.post(PAGE, {**ABOUT, "preferred_name": "Skipper"})
    await alice.arefresh_from_db()
    stored = Preferences.of(alice)
    assert (stored.theme, stored.preferred_name) == ("dark", "Skipper")
    assert stored.instructions == ABOUT["instructions"]


async def test_the_persons_export_has_them_and_the_closed_account_does_not(
    alice_client: AsyncClient, alice: User
) -> None:
    await alice_client.post(PAGE, ABOUT)
    response: Any = await alice_client.get("/settings/export.zip")
    archive = zipfile.ZipFile(io.BytesIO(b"".join([part async for part in response])))
    stored = json.loads(archive.read("account.json"))["preferences"]
    assert stored["instructions"] == ABOUT["instructions"]
    await alice.arefresh_from_db()
    await sync_to_async(delete_account)(alice)
    await alice.arefresh_from_db()
    assert alice.preferences == {}


@pytest.mark.parametrize(
    "old", [{"uses_instructions": "no"}, {"uses_instructions": 1}, {"instructions": 7}]
)
def test_stored_values_of_another_kind_are_ignored(old: dict[str, Any]) -> None:
    assert Preferences.read(old) == Preferences()
