"""A server with OpenAI's API, which lists three models and says hello."""

import json
from typing import Any

from tests.support.generations.send import DONE
from tests.support.upstream.raw_upstream import always, plain, stream_of

SAID = always(
    stream_of(
        b'data: {"choices":[{"index":0,"delta":{"content":"Hello <b>you</b>."}}]}\n\n',
        b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
        DONE,
    )
)
NAMES = ("text-embed-1", "llama-local", "qwen-local")


async def openai_server(request: bytes, writer: Any) -> None:
    if request.startswith(b"GET /v1/models "):
        listed = json.dumps({"data": [{"id": name} for name in NAMES]}).encode()
        await always(plain(200, listed))(request, writer)
    else:
        await SAID(request, writer)
