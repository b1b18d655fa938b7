"""A group withholds tools from its members: in the menu, in chats, and for their programs."""

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.generations import tool_permissions
from tests.support.api.api_client import new_api_client
from tests.support.api.responses_client import respond
from tests.support.generations.send import send
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream

pytestmark = pytest.mark.usefixtures("no_network_jobs")

MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
SEARCH = "Search the web for the lighthouse of Lindholm"


@pytest.fixture
async def pupils(alice: User, stop_server_process: None) -> Group:
    """Make a group that may calculate only."""
    group = await Group.objects.acreate(name="Pupils")
    await sync_to_async(tool_permissions.set_for)(group, ["calculator"])
    await alice.groups.aadd(group)
    return group


async def test_a_member_is_offered_the_rest(
    alice_client: AsyncClient, bob_client: AsyncClient, pupils: Group
) -> None:
    page = (await alice_client.get("/chat/tools/")).content.decode()
    assert page.count('name="site_tools"') == 1
    assert "web_search" in (await bob_client.get("/chat/tools/")).content.decode()


@pytest.mark.parametrize("tools", [["web_search"], ["fetch_page"], ["web_search", "fetch_page"]])
async def test_no_request_brings_them_back(
    alice_client: AsyncClient, pupils: Group, tools: list[str]
) -> None:
    text = f"{SEARCH} https://lindholm.example/lighthouse"
    stream = await read_stream(await send(alice_client, text=text, site_tools=tools, model=MODEL))
    assert stream.key("tool") is None
    body = {"messages": [{"role": "user", "content": text}], "model": MODEL, "site_tools": tools}
    response = await alice_client.post(
        "/chat/stream", body, content_type="application/json", headers=SAME_ORIGIN
    )
    assert (await read_stream(response)).key("tool") is None


async def test_programs_have_what_their_owner_has(alice: User, pupils: Group) -> None:
    program = await new_api_client(alice)
    response = await respond(program, SEARCH, model=MODEL, tools=[{"type": "web_search"}])
    assert [each["type"] for each in response.json()["output"]] == ["message"]


async def test_personalization_and_personas_offer_the_rest(
    alice_client: AsyncClient, pupils: Group
) -> None:
    for path in ("/settings/personalization/", "/personas/new/"):
        page = (await alice_client.get(path)).content.decode()
        assert 'value="calculator"' in page
        assert 'value="web_search"' not in page


async def test_of_several_groups_each_one_withholds(
    alice: User, alice_client: AsyncClient, pupils: Group
) -> None:
    choir = await Group.objects.acreate(name="Choir")
    await sync_to_async(tool_permissions.set_for)(choir, ["web_search"])
    await alice.groups.aadd(choir)
    page = (await alice_client.get("/chat/")).content.decode()
    assert 'id="tool-menu"' not in page
