"""What a model reads of its calls: in every round, and when an answer is continued later."""

import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.tool_calls.models import StoredToolCall
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import RawUpstream, in_turn, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.web.asked_models import body

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/openai/gpt-oss-20b"
DONE = b"data: [DONE]\n\n"


def delta(reason: str | None = None, **values: Any) -> bytes:
    choice = {"index": 0, "delta": values, "finish_reason": reason}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


def calling(name: str, arguments: dict[str, Any], **before: str) -> bytes:
    """Return an answer that calls a tool, after what is `before`."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": "theirs", "type": "function", "function": function}
    told = [delta(**{key: text}) for key, text in before.items()]
    return stream_of(*told, delta("tool_calls", tool_calls=[call]), DONE)


def saying(text: str) -> bytes:
    return stream_of(delta("stop", content=text), DONE)


def read_by(raw: RawUpstream, request: int) -> list[dict[str, Any]]:
    """Return what the model read in a request, after the question."""
    messages = body(raw, request)["messages"]
    return messages[next(n for n, each in enumerate(messages) if each["role"] == "user") + 1 :]


async def test_each_round_reads_the_ones_before_with_their_reasoning(
    alice: User, alice_client: AsyncClient
) -> None:
    answers = in_turn(
        calling(
            "calculator", {"expression": "6*7"}, reasoning_content="Hm.", content="Let me see."
        ),
        calling("calculator", {"expression": "42+1"}, reasoning_content="More."),
        saying("It is 43."),
    )
    async with site_with(answers) as raw:
        response = await send(alice_client, text="So?", site_tools=["calculator"], model=MODEL)
        stream = await read_stream(response)
        asked, result, again, second = read_by(raw, 2)
    assert (asked["content"], asked["reasoning"]) == ("Let me see.", "Hm.")
    assert asked["tool_calls"][0]["function"]["arguments"] == '{"expression": "6*7"}'
    assert result == {"role": "tool", "content": "6*7 = 42", "tool_call_id": "call00000"}
    assert (again["content"], again["reasoning"]) == ("", "More.")
    assert second["tool_call_id"] == "call00001"
    assert stream.text == "Let me see.\n\nIt is 43."
    assert stream.reasoning == "Hm.\n\nMore."


async def test_an_answer_that_is_continued_reads_its_calls_again(
    alice: User, alice_client: AsyncClient
) -> None:
    first = in_turn(calling("remember", {"text": "I ski"}, content="I'll note that."))
    async with site_with(first):
        response = await send(alice_client, text="So?", site_tools=["remember"], model=MODEL)
        await read_stream(response)
    call = await StoredToolCall.objects.select_related("message").aget()
    path = f"/chat/tool-calls/{call.pk}/decision"
    await alice_client.post(path, {"is_allowed": True}, content_type="application/json")
    async with site_with(in_turn(saying("Done."))) as raw:
        chat = call.message.conversation_id
        stream = await read_stream(await send(alice_client, chat, resume=call.message_id))
        asked, result = read_by(raw, 0)
    assert asked["content"] == "I'll note that."
    assert asked["tool_calls"][0]["function"]["name"] == "remember"
    assert result["content"] == "Kept for later chats."
    await call.message.arefresh_from_db()
    assert call.message.text == "I'll note that.\n\nDone."
    assert stream.key("length") == len(call.message.text)


async def test_later_questions_read_the_answer_without_its_calls(
    alice: User, alice_client: AsyncClient
) -> None:
    answers = in_turn(calling("calculator", {"expression": "6*7"}), saying("42."), saying("Yes."))
    async with site_with(answers) as raw:
        response = await send(alice_client, text="So?", site_tools=["calculator"], model=MODEL)
        await read_stream(response)
        chat = response["X-Conversation-Id"]
        await read_stream(await send(alice_client, chat, text="Sure?", model=MODEL))
        later = read_by(raw, 2)
    assert [(each["role"], each["content"]) for each in later] == [
        ("assistant", "42."),
        ("user", "Sure?"),
    ]


async def test_calls_that_the_length_limit_cut_are_not_made(
    alice: User, alice_client: AsyncClient
) -> None:
    function = {"name": "remember", "arguments": '{"text": "I sk'}
    call = {"index": 0, "id": "a", "type": "function", "function": function}
    cut = stream_of(delta("length", tool_calls=[call]), DONE)
    async with site_with(in_turn(cut)):
        response = await send(alice_client, text="So?", site_tools=["remember"], model=MODEL)
        await read_stream(response)
    assert not await StoredToolCall.objects.aexists()
