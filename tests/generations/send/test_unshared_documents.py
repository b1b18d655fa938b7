"""What a tool has found in documents is read again each time: only by those who may read them."""

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.tool_calls.models import StoredToolCall
from chat.knowledge.models import Collection, Document
from tests.support.attacks.obedient_model import in_rounds
from tests.support.generations.mcp_calls import MODEL, decide, resume
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.knowledge.collections import TRIPS, new_handbook
from tests.support.upstream.upstream_override import site_with

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

SEARCH = ("search_documents", {"query": "Who pays for trips to customers?"})
REMEMBER = ("remember", {"text": "I travel"})
SECRET = TRIPS[:30]


@pytest.fixture
async def handbook(alice: User, bob: User) -> Collection:
    """Return a collection of the site, made by alice, that bob's group may use."""
    collection = await new_handbook(alice)
    await Collection.objects.filter(pk=collection.pk).aupdate(owner=None)
    team = await Group.objects.acreate(name="Team")
    await bob.groups.aadd(team)
    await collection.groups.aadd(team)
    return collection


async def searched(client: AsyncClient, handbook: Collection) -> StoredToolCall:
    response = await send(
        client,
        text="Hello",
        site_tools=["search_documents", "remember"],
        collections=[str(handbook.pk)],
        model=MODEL,
    )
    await read_stream(response)
    return await StoredToolCall.objects.aget(tool="search_documents")


async def shown(client: AsyncClient, call: StoredToolCall) -> str:
    whole: dict[str, Any] = (await client.get(f"/chat/tool-calls/{call.pk}")).json()
    return str(whole["result"])


@pytest.mark.parametrize("change", ["unshared", "deleted"])
async def test_a_member_finds_no_text_in_a_call_that_they_may_no_longer_read(
    bob_client: AsyncClient, handbook: Collection, change: str
) -> None:
    async with site_with(in_rounds([SEARCH])) as model:
        call = await searched(bob_client, handbook)
    assert SECRET in str(model.requests[-1])
    assert SECRET not in call.result
    assert call.result_count
    assert SECRET in await shown(bob_client, call)
    if change == "unshared":
        await handbook.groups.aclear()
    else:
        await Document.objects.filter(collection=handbook).adelete()
    assert SECRET not in await shown(bob_client, call)
    assert "travel.txt" in await shown(bob_client, call)


@pytest.mark.parametrize("is_shared", [True, False])
async def test_an_answer_that_waited_goes_on_with_what_may_still_be_read(
    bob_client: AsyncClient, handbook: Collection, is_shared: bool
) -> None:
    async with site_with(in_rounds([SEARCH], [REMEMBER])) as model:
        await searched(bob_client, handbook)
        if not is_shared:
            await handbook.groups.aclear()
        waiting = await StoredToolCall.objects.select_related("message").aget(tool="remember")
        await decide(bob_client, waiting)
        before = len(model.requests)
        await resume(bob_client, waiting)
    assert len(model.requests) > before
    assert [SECRET in str(each) for each in model.requests[before:]] == [is_shared]
