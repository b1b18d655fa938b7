"""Translate requests of the Messages API without starting anything."""

import base64
import json
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from chat.lib.catalogue import Model
from chat.upstream.request import CompletionRequest
from chat.web.api.anthropic.messages_request import messages_question, read_messages_request
from tests.support.imported_later import imported_later
from tests.support.widget.pictures import png

if TYPE_CHECKING:
    from anthropic import types
else:
    types = imported_later("anthropic.types")

BLIND = Model(id="m", context_window=100_000, tools=True)
SEEING = Model(id="m", context_window=100_000, tools=True, vision=True)
PNG = base64.b64encode(png(8, 8)).decode()
IMAGE = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": PNG},
    "cache_control": {"type": "ephemeral"},
}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words, "cache_control": {"type": "ephemeral"}}


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def is_valid(request: dict[str, Any]) -> bool:
    """Return whether the SDK would send it; raise what pydantic finds."""
    TypeAdapter(types.MessageCreateParams).validate_python(request)
    return True


def read(question: CompletionRequest) -> list[dict[str, Any]]:
    """Return what a model reads of each message, without what is empty."""
    found = []
    for each in question.messages:
        calls = [dict(call) for call in each.tool_calls]
        for call in calls:
            call["function"]["arguments"] = json.loads(call["function"]["arguments"])
        value = {
            "role": each.role,
            "content": each.content,
            "tool_calls": calls,
            "tool_call_id": each.tool_call_id,
            "reasoning": each.reasoning,
        }
        found.append({name: part for name, part in value.items() if part})
    return found


async def translated(model: Model = BLIND, /, **request: Any) -> CompletionRequest:
    body = {"model": "m", "max_tokens": 100, "messages": [user(text("Hi"))], **request}
    request_, messages = await read_messages_request(json.dumps(body).encode())
    return messages_question(request_, messages, model, "api_key:1")
