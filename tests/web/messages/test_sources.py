"""Each reader of an answer sees what it cites: links for those who may open the documents."""

import json
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.sources.models import MessageSources
from chat.indexing import documents
from chat.knowledge.models import Collection, Document
from chat.sharing.models import SharedLink
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.knowledge.collections import add_document, new_collection
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.widget.visitor_client import Visiting, make_site

pytestmark = pytest.mark.usefixtures("no_network_jobs")

SECRET = "The vault opens with 4711."
ANSWER = b'data: {"response":"It opens [2]."}\n\n'


@pytest.fixture
async def vault(alice: User, stop_server_process: None) -> Collection:
    collection = await new_collection(alice, "Vault")
    await add_document(collection, alice, "a-plan.txt", "Nothing of interest.")
    await add_document(collection, alice, "secret.txt", SECRET)
    return collection


async def answered(client: AsyncClient, vault: Collection) -> str:
    """Return the path of a chat with an answer that cites secret.txt."""
    async with site_with(always(stream_of(ANSWER, DONE))):
        response = await send(client, text="How?", collections=[str(vault.pk)])
        await read_stream(response)
    return f"/chat/{response['X-Conversation-Id']}/"


async def sources(client: AsyncClient, path: str) -> list[dict[str, Any]]:
    response = await client.get(path, headers={"Accept": "application/json"})
    found: list[dict[str, Any]] = response.json()["turns"][-1]["sources"]
    return found


async def test_the_owner_gets_links_to_all_of_them(
    alice_client: AsyncClient, vault: Collection
) -> None:
    path = await answered(alice_client, vault)
    plan, secret = await sources(alice_client, path)
    document = await Document.objects.aget(name="secret.txt")
    assert secret == {
        "number": 2,
        "name": "secret.txt",
        "document": str(document.pk),
        "passage": f"0-{len(SECRET)}",
        "is_cited": True,
    }
    assert "is_cited" not in plan
    page = (await alice_client.get(path)).content.decode()
    assert f"/collections/documents/{document.pk}/?passage=0-{len(SECRET)}#passage" in page
    button = page.partition('popovertarget="collection-menu"')[2].partition("</button>")[0]
    assert button.startswith(">")  # its name is its text, with the names that it shows
    assert ">Documents for this chat</span>" in button
    assert "Vault" in button
    assert SECRET not in page


async def test_a_removed_document_is_named_without_a_link(
    alice_client: AsyncClient, vault: Collection
) -> None:
    path = await answered(alice_client, vault)
    await sync_to_async(documents.remove)(await Document.objects.aget(name="secret.txt"))
    _plan, secret = await sources(alice_client, path)
    assert secret == {"number": 2, "name": "secret.txt", "is_cited": True}


async def test_readers_of_a_shared_link_see_the_names_that_are_cited(
    alice_client: AsyncClient, vault: Collection
) -> None:
    path = await answered(alice_client, vault)
    answer = await Message.objects.aget(role="assistant")
    await alice_client.post(f"{path}sharing/", {"last": answer.pk})
    link = await SharedLink.objects.aget()
    assert link.turns[-1]["sources"] == [{"number": 2, "name": "secret.txt", "page": 0}]
    page = (await AsyncClient().get(f"/s/{link.token}/")).content.decode()
    assert "secret.txt" in page
    assert "a-plan.txt" not in page
    assert "/collections/" not in page
    assert SECRET not in page


async def test_visitors_see_the_names_that_are_cited(alice: User, vault: Collection) -> None:
    site = await sync_to_async(make_site)(alice)
    await vault.sites.aadd(site)
    vera = Visiting(site)
    await vera.begin()
    async with site_with(always(stream_of(ANSWER, DONE))):
        response = await vera.send(text="How?")
        stream = await read_stream(response)
    assert stream.key("sources") == [{"number": 2, "name": "secret.txt"}]
    shown = await vera.get(f"conversations/{response['X-Conversation-Id']}")
    (source,) = shown.json()["turns"][-1]["sources"]
    assert source == {"number": 2, "name": "secret.txt", "is_cited": True}
    assert SECRET not in json.dumps(shown.json())


async def test_a_copy_of_a_chat_has_its_sources(
    alice_client: AsyncClient, vault: Collection
) -> None:
    path = await answered(alice_client, vault)
    answer = await Message.objects.aget(role="assistant")
    response = await alice_client.post(f"{path}messages/{answer.pk}/branch")
    copy = re.search(r"[0-9a-f-]{36}", response.content.decode())
    assert copy
    assert [each["name"] for each in await sources(alice_client, f"/chat/{copy[0]}/")] == [
        "a-plan.txt",
        "secret.txt",
    ]


async def test_a_hidden_answer_has_none(
    alice: User, rita: User, alice_client: AsyncClient, vault: Collection
) -> None:
    path = await answered(alice_client, vault)
    await Message.objects.filter(role="assistant").aupdate(hidden_at="2026-11-01T00:00Z")
    response = await alice_client.get(path, headers={"Accept": "application/json"})
    assert "sources" not in response.json()["turns"][-1]


async def test_they_count_towards_the_storage(alice_client: AsyncClient, vault: Collection) -> None:
    await answered(alice_client, vault)
    texts = sum([len(each.text) async for each in Message.objects.all()])
    sources_bytes = len(json.dumps((await MessageSources.objects.aget()).passages)) * 0.9
    assert (await Conversation.objects.aget()).stored_bytes > texts + sources_bytes


async def test_they_are_deleted_with_the_chat(alice_client: AsyncClient, vault: Collection) -> None:
    await answered(alice_client, vault)
    await sync_to_async(Conversation.objects.all().delete)()
    assert not await MessageSources.objects.aexists()
