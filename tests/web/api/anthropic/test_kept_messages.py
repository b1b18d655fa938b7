"""Calls of the Messages API are kept as chats too, and continue them."""

from typing import Any

from chat.accounts.models import User
from chat.conversations.models import Conversation
from tests.support.api.api_client import new_api_client
from tests.support.api.messages_client import VERSION, WEATHER
from tests.support.api.messages_request import IMAGE, text, user
from tests.support.web.attached_images import VISION


async def test_a_loop_of_tools_with_an_image_is_one_chat(
    alice: User, stop_server_process: None
) -> None:
    program = await new_api_client(alice, keeps_chats=True)
    messages: list[Any] = [user(text("/tool the level"), IMAGE)]
    for _turn in range(2):
        request = {"model": VISION, "max_tokens": 500, "messages": messages, "tools": [WEATHER]}
        answer = (await program.post("/v1/messages", request, **VERSION)).json()
        messages.append({"role": "assistant", "content": answer["content"]})
        result = {"tool_use_id": answer["content"][0].get("id"), "content": "4.2 m"}
        messages.append(user({"type": "tool_result", **result}))
    chat = await Conversation.objects.aget()
    asked, called, found, said = [each.text async for each in chat.messages.order_by("pk")]
    assert asked == "/tool the level\n[image: image.png]"
    assert called.startswith("Call of `look_up`")
    assert found == "Result of look_up:\n4.2 m"
    assert "4.2 m" in said
