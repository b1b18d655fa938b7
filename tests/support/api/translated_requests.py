"""Translate requests in OpenAI's formats without starting anything."""

import base64
import json
from typing import Any

from chat.lib.catalogue import Model
from chat.upstream.request import CompletionRequest
from chat.web.api.chat_request import completion_request, read_chat_request
from chat.web.api.responses.responses_request import ReadResponse, read_responses_request
from tests.support.widget.pictures import png

BLIND = Model(id="m", context_window=100_000, tools=True)
SEEING = Model(id="m", context_window=100_000, tools=True, vision=True)
PNG = f"data:image/png;base64,{base64.b64encode(png(8, 8)).decode()}"


async def read_response(given: Any = "Hi", **options: Any) -> ReadResponse:
    """Return what a request of the Responses API says."""
    body = {"model": "m", "input": given, **options}
    return await read_responses_request(json.dumps(body).encode(), key_id=1)


async def response_question(
    given: Any = "Hi", model: Model = BLIND, /, **options: Any
) -> CompletionRequest:
    """Return what the provider is asked for a request of the Responses API."""
    read = await read_response(given, **options)
    return completion_request(read.request, read.messages, model, "api_key:1", read.tools)


async def chat_question(
    messages: Any = "Hi", model: Model = BLIND, /, **options: Any
) -> CompletionRequest:
    """Return what the provider is asked for a chat completion; a text is a single question."""
    asked = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
    body = {"model": "m", "messages": asked, **options}
    request, read, tools = await read_chat_request(json.dumps(body).encode())
    return completion_request(request, read, model, "api_key:1", tools)
