"""A model calls tools while it answers, and answers with what they returned."""

import json
from typing import Any

import pytest
from django.test import AsyncClient
from msgspec import structs

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.models import Generation
from chat.generations.send.request import Send
from chat.generations.send.tool_rounds import MAX_ROUNDS
from chat.quotas.models import Charge
from tests.support.generations.send import send
from tests.support.generations.stream_reader import SAME_ORIGIN, Stream, read_stream
from tests.support.knowledge.collections import new_handbook

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODELS_WITH_TOOLS = {
    "native": "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
    "dual": "@cf/meta/llama-4-scout-17b-16e-instruct",
    "openai": "@cf/openai/gpt-oss-20b",
}
MODEL = MODELS_WITH_TOOLS["openai"]


async def ask(
    client: AsyncClient, text: str, *tools: str, model: str = MODEL, **more: Any
) -> Stream:
    return await read_stream(await send(client, text=text, site_tools=tools, model=model, **more))


def steps(stream: Stream) -> list[tuple[str, str]]:
    """Return the tools and states that a stream told, in its order."""
    told = [each["tool"] for each in stream.payloads if "tool" in each]
    return [(each["tool"], each["state"]) for each in told]


@pytest.mark.parametrize("model", MODELS_WITH_TOOLS.values(), ids=MODELS_WITH_TOOLS)
async def test_a_calculation_is_made_by_the_calculator(
    alice: User, alice_client: AsyncClient, model: str
) -> None:
    stream = await ask(alice_client, "What is 1234 * 5678?", "calculator", model=model)
    assert "1234 * 5678 = 7006652" in stream.text.replace("\\", "")
    assert steps(stream) == [("calculator", "running"), ("calculator", "done")]
    call = await StoredToolCall.objects.aget()
    assert json.loads(call.arguments) == {"expression": "1234 * 5678"}
    assert (call.state, call.result) == ("done", "1234 * 5678 = 7006652")
    assert (await Message.objects.aget(role="assistant")).text == stream.text


async def test_all_requests_are_one_answer_with_one_charge(
    alice: User, alice_client: AsyncClient
) -> None:
    stream = await ask(alice_client, "/tool-loop 3", "web_search")
    generation, charge = await Generation.objects.aget(), await Charge.objects.aget()
    assert [each["tool"]["state"] for each in stream.payloads if "tool" in each].count("done") == 3
    assert generation.total_tokens == charge.tokens == stream.key("usage")["total_tokens"]
    assert (generation.prompt_tokens or 0) > 4 * 100  # four requests with the tool's description
    assert charge.settled_at
    assert sum("model" in each for each in stream.payloads) == 1


async def test_a_web_search_is_cited(alice: User, alice_client: AsyncClient) -> None:
    stream = await ask(alice_client, "Search the web for the lighthouse of Lindholm", "web_search")
    first = stream.key("sources")[0]
    assert first["address"].startswith("https://lindholm.example/lighthouse")
    assert f"[{first['number']}]" in stream.text


async def test_a_page_that_the_person_names_is_read(alice: User, alice_client: AsyncClient) -> None:
    question = "How many steps has the lighthouse? https://lindholm.example/lighthouse"
    stream = await ask(alice_client, question, "web_search")
    assert ("fetch_page", "done") in steps(stream)
    assert "148 steps" in (await StoredToolCall.objects.aget()).result
    assert "[1]" in stream.text


async def test_documents_are_searched_again(alice: User, alice_client: AsyncClient) -> None:
    handbook = await new_handbook(alice)
    stream = await ask(
        alice_client,
        "Search the documents for travel expenses",
        "search_documents",
        collections=[str(handbook.pk)],
    )
    assert ("search_documents", "done") in steps(stream)
    numbers = [each["number"] for source in stream.payloads for each in source.get("sources", ())]
    assert len(numbers) == len(set(numbers))


async def test_earlier_chats_are_searched(
    alice: User, bob: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    await ask(bob_client, "My hedgehog is secretly called Bruno")
    await ask(alice_client, "My hedgehog is called Ada")
    await ask(alice_client, "Search my chats for hedgehog", "search_my_chats")
    result = (await StoredToolCall.objects.aget()).result
    assert "called Ada" in result
    assert "Bruno" not in result


async def test_a_model_that_calls_for_ever_has_to_answer(
    alice: User, alice_client: AsyncClient
) -> None:
    stream = await ask(alice_client, "/tool-loop", "web_search")
    assert await StoredToolCall.objects.acount() == MAX_ROUNDS
    assert stream.key("state") == "complete"
    assert stream.text.strip()


async def test_the_same_call_is_made_once(alice: User, alice_client: AsyncClient) -> None:
    await ask(alice_client, "/tool-loop UTC", "current_time")
    calls = [each async for each in StoredToolCall.objects.order_by("place")]
    assert [(each.state, each.problem) for each in calls] == [
        ("done", ""),
        ("failed", "repeated"),
        ("failed", "repeated"),
    ]


async def test_a_temporary_chat_calls_tools_and_stores_nothing(
    alice: User, alice_client: AsyncClient
) -> None:
    body = {
        "messages": [{"role": "user", "content": "What is 12 * 12?"}],
        "model": MODEL,
        "site_tools": ["calculator", "remember"],
    }
    response = await alice_client.post(
        "/chat/stream", body, content_type="application/json", headers=SAME_ORIGIN
    )
    assert "144" in (await read_stream(response)).text
    assert not await StoredToolCall.objects.aexists()


async def test_a_model_without_tools_answers_without_them(
    alice: User, alice_client: AsyncClient
) -> None:
    stream = await ask(
        alice_client, "What is 12 * 12?", "calculator", model="@cf/meta/llama-3.1-8b-instruct-fast"
    )
    assert steps(stream) == []
    assert stream.key("state") == "complete"


async def test_a_chat_keeps_its_tools(alice: User, alice_client: AsyncClient) -> None:
    first = await send(alice_client, text="Hello", site_tools=["calculator"], model=MODEL)
    await read_stream(first)
    again = await send(
        alice_client, first["X-Conversation-Id"], text="What is 12 * 12?", model=MODEL
    )
    assert ("calculator", "done") in steps(await read_stream(again))
    last = await send(
        alice_client, first["X-Conversation-Id"], text="What is 3 * 12?", model=MODEL, site_tools=[]
    )
    assert steps(await read_stream(last)) == []


def test_a_send_of_the_previous_release_is_recognised_when_it_is_repeated() -> None:
    before = "4bab71ef77fbf52dcd2ad334a151da0cb0f2509ea6c130894bf326349ff086e8"
    plain = Send(key="a-known-key", text="Hello", model="m")
    assert plain.digest(None) == before
    assert structs.replace(plain, site_tools=()).digest(None) != before


async def test_a_copy_counts_as_much_storage_as_its_original(
    alice: User, alice_client: AsyncClient
) -> None:
    await ask(alice_client, "Search the web for the lighthouse of Lindholm", "web_search")
    answer = await Message.objects.select_related("conversation").aget(role="assistant")
    place = f"/chat/{answer.conversation_id}/messages/{answer.pk}/branch"
    copied = (await alice_client.post(place)).json()["conversation"]
    copy = await Conversation.objects.aget(pk=copied)
    result = (await StoredToolCall.objects.afirst()).result
    texts = len(answer.text) + len("Search the web for the lighthouse of Lindholm")
    assert copy.stored_bytes >= texts + len(result)
