"""Chats in a project: what the model is asked, and what applies when the project changes."""

from urllib.parse import urlencode

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.errors import PersonaTooLong
from chat.personas.models import Persona
from chat.projects.models import Project
from chat.quotas.models import Charge
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always
from tests.support.upstream.upstream_override import site_with
from tests.support.web.asked_models import AYE, said
from tests.support.web.form_requests import FORM, HTML

RIVER, PIRATE = "Everything is about the Rhine.", "Talk like a pirate."


@pytest.fixture
def rhine(alice: User) -> Project:
    return Project.objects.create(owner=alice, name="Rhine", instructions=RIVER)


async def test_the_projects_instructions_come_before_the_personas(
    alice_client: AsyncClient, alice: User, rhine: Project
) -> None:
    pirate = await Persona.objects.acreate(owner=alice, name="Pirate", system_prompt=PIRATE)
    async with site_with(always(AYE)) as raw:
        both = {"persona": str(pirate.pk), "project": str(rhine.pk)}
        first = await send(alice_client, text="One", **both)
        await read_stream(first)
        assert said(raw) == [("system", f"{RIVER}\n\n{PIRATE}"), ("user", "One")]
        await read_stream(await send(alice_client, first["X-Conversation-Id"], text="Two"))
        assert said(raw)[0] == ("system", f"{RIVER}\n\n{PIRATE}")
    chat = await Conversation.objects.aget()
    assert chat.project_id == rhine.pk
    assert chat.generation_settings["project_instructions"] == RIVER


async def test_changed_instructions_apply_to_the_next_message(
    alice_client: AsyncClient, rhine: Project
) -> None:
    async with site_with(always(AYE)) as raw:
        first = await send(alice_client, text="One", project=str(rhine.pk))
        await read_stream(first)
        chat = first["X-Conversation-Id"]
        await Project.objects.aupdate(instructions="Only the Danube.")
        await read_stream(await send(alice_client, chat, text="Two"))
        assert said(raw)[0] == ("system", "Only the Danube.")
        await Conversation.objects.aupdate(project=None)
        await read_stream(await send(alice_client, chat, text="Three"))
        assert said(raw)[0] == ("user", "One")
    stored = await Conversation.objects.aget()
    assert stored.generation_settings["project_instructions"] == ""


async def test_a_deleted_project_keeps_its_chats_and_lends_them_nothing(
    alice_client: AsyncClient, rhine: Project
) -> None:
    async with site_with(always(AYE)) as raw:
        first = await send(alice_client, text="One", project=str(rhine.pk))
        await read_stream(first)
        await Project.objects.all().adelete()
        await read_stream(await send(alice_client, first["X-Conversation-Id"], text="Two"))
        assert said(raw)[0] == ("user", "One")
        late = await send(alice_client, text="Late", project=str(rhine.pk))
        assert late.status_code == 404
        assert late.json()["error"]["code"] == "project_unavailable"
    assert await Conversation.objects.acount() == 1


async def test_somebody_elses_project_is_not_found(bob_client: AsyncClient, rhine: Project) -> None:
    response = await send(bob_client, text="Hello", project=str(rhine.pk))
    assert response.status_code == 404
    assert await Conversation.objects.acount() == 0


async def test_a_project_is_set_with_the_first_message_only(
    alice_client: AsyncClient, rhine: Project
) -> None:
    first = await send(alice_client, text="One")
    await read_stream(first)
    late = await send(alice_client, first["X-Conversation-Id"], text="Two", project=str(rhine.pk))
    assert late.status_code == 400


async def test_a_branch_of_a_chat_is_in_its_project(
    alice_client: AsyncClient, rhine: Project
) -> None:
    first = await send(alice_client, text="One", project=str(rhine.pk))
    await read_stream(first)
    chat, message = first["X-Conversation-Id"], first["X-Message-Id"]
    response = await alice_client.post(f"/chat/{chat}/messages/{message}/branch")
    assert response.status_code == 201
    assert await Conversation.objects.filter(project=rhine).acount() == 2


async def test_the_instructions_count_in_the_prompt_and_its_cost(
    alice_client: AsyncClient, rhine: Project
) -> None:
    await read_stream(await send(alice_client, text="Hello"))
    await Project.objects.aupdate(instructions="water " * 3_000)
    await read_stream(await send(alice_client, text="Hello", project=str(rhine.pk)))
    plain, long = [each.tokens async for each in Charge.objects.order_by("created_at", "pk")]
    assert long > plain + 2_000
    await Project.objects.aupdate(instructions="water " * 200_000)  # as after a smaller limit
    refused = await send(alice_client, text="Hello", project=str(rhine.pk))
    assert refused.json()["error"]["code"] == PersonaTooLong.code


async def test_without_scripts_a_chat_starts_in_its_project(
    alice_client: AsyncClient, rhine: Project
) -> None:
    async with site_with(always(AYE)):
        form = urlencode({"key": "a-first-send", "message": "Hello", "project": str(rhine.pk)})
        response = await alice_client.post(
            "/chat/messages", data=form, content_type=FORM, headers=HTML
        )
    assert response.status_code == 303
    assert (await Conversation.objects.aget()).project_id == rhine.pk
