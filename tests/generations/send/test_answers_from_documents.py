"""Answers are based on the documents of the chat's collections, and cite them."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.sources.models import MessageSources
from chat.knowledge.models import Collection
from chat.personas.models import Persona
from chat.projects.models import Project
from tests.support.generations.send import send
from tests.support.generations.stream_reader import SAME_ORIGIN, Stream, read_stream
from tests.support.knowledge.collections import QUESTION, TRIPS, new_handbook
from tests.support.widget.visitor_client import Visiting, make_site

pytestmark = pytest.mark.usefixtures("no_network_jobs")


@pytest.fixture
async def handbook(alice: User, stop_server_process: None) -> Collection:
    return await new_handbook(alice)


async def ask(
    client: AsyncClient, collection: Collection, text: str = QUESTION, **more: Any
) -> Stream:
    return await read_stream(
        await send(client, text=text, collections=[str(collection.pk)], **more)
    )


async def test_the_emulator_answers_from_a_document_and_cites_it(
    alice_client: AsyncClient, handbook: Collection
) -> None:
    stream = await ask(alice_client, handbook)
    sources = stream.key("sources")
    (source,) = [each for each in sources if each["name"] == "travel.txt"]
    assert f"“{TRIPS}” [{source['number']}]" in stream.text
    assert source["passage"] == f"0-{len(TRIPS)}"
    (known,) = (await MessageSources.objects.aget()).passages[1:]
    assert known == {
        "number": source["number"],
        "document": source["document"],
        "name": "travel.txt",
        "page": 0,
        "start": 0,
        "end": len(TRIPS),
    }


async def test_later_questions_are_answered_from_the_same_collections(
    alice_client: AsyncClient, handbook: Collection
) -> None:
    first = await send(alice_client, text="Hello", collections=[str(handbook.pk)])
    await read_stream(first)
    stream = await read_stream(await send(alice_client, first["X-Conversation-Id"], text=QUESTION))
    assert TRIPS in stream.text
    last = await send(alice_client, first["X-Conversation-Id"], text=QUESTION, collections=[])
    assert (await read_stream(last)).key("sources") is None


async def test_a_persona_and_a_project_bring_their_collections(
    alice: User, alice_client: AsyncClient, handbook: Collection
) -> None:
    persona = await Persona.objects.acreate(owner=alice, name="Guide")
    project = await Project.objects.acreate(owner=alice, name="Trips")
    await handbook.personas.aadd(persona)
    await handbook.projects.aadd(project)
    for options in ({"persona": str(persona.pk)}, {"project": str(project.pk)}):
        stream = await read_stream(await send(alice_client, text=QUESTION, **options))
        assert TRIPS in stream.text
    assert (await read_stream(await send(alice_client, text=QUESTION))).key("sources") is None


async def test_nobody_searches_what_they_may_not_use(
    alice: User, bob: User, bob_client: AsyncClient, handbook: Collection
) -> None:
    refused = await send(bob_client, text=QUESTION, collections=[str(handbook.pk)])
    assert refused.status_code == 404
    assert not await Conversation.objects.aexists()
    shared = await Persona.objects.acreate(owner=None, name="Guide", for_everybody=True)
    await handbook.personas.aadd(shared)
    stream = await read_stream(await send(bob_client, text=QUESTION, persona=str(shared.pk)))
    assert stream.key("sources") is None
    assert TRIPS not in stream.text


async def test_a_collection_that_is_no_longer_shared_is_not_searched(
    alice: User, bob_client: AsyncClient, handbook: Collection
) -> None:
    await Collection.objects.filter(pk=handbook.pk).aupdate(owner=None, for_everybody=True)
    first = await send(bob_client, text=QUESTION, collections=[str(handbook.pk)])
    assert TRIPS in (await read_stream(first)).text
    await Collection.objects.filter(pk=handbook.pk).aupdate(for_everybody=False)
    again = await send(bob_client, first["X-Conversation-Id"], text=QUESTION)
    stream = await read_stream(again)
    assert stream.key("sources") is None


async def test_visitors_get_answers_from_what_was_chosen_for_their_website(
    alice: User, handbook: Collection
) -> None:
    site = await sync_to_async(make_site)(alice)
    vera = Visiting(site)
    await vera.begin()
    assert (await read_stream(await vera.send(text=QUESTION))).key("sources") is None
    await handbook.sites.aadd(site)
    stream = await read_stream(await vera.send(text=QUESTION))
    assert TRIPS in stream.text
    assert stream.key("sources") == [{"number": 2, "name": "travel.txt"}]


async def test_temporary_chats_are_answered_from_documents(
    alice: User, bob_client: AsyncClient, alice_client: AsyncClient, handbook: Collection
) -> None:
    body = {"messages": [{"role": "user", "content": QUESTION}], "collections": [str(handbook.pk)]}
    response = await alice_client.post(
        "/chat/stream", body, "application/json", headers=SAME_ORIGIN
    )
    stream = await read_stream(response)
    assert f"“{TRIPS}” [2]" in stream.text
    assert [each["name"] for each in stream.key("sources")] == ["food.txt", "travel.txt"]
    response = await bob_client.post("/chat/stream", body, "application/json", headers=SAME_ORIGIN)
    assert response.status_code == 404
