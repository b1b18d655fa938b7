"""Call the Messages API as Anthropic's clients do, and check answers against the SDK's types."""

import json
from typing import TYPE_CHECKING, Any

from tests.support.api.api_client import MODEL, ApiClient
from tests.support.api.sdk_types import require_conforming
from tests.support.imported_later import imported_later

if TYPE_CHECKING:
    from anthropic import types
else:
    types = imported_later("anthropic.types")

VERSION = {"anthropic-version": "2023-06-01"}
QUESTION: dict[str, Any] = {"role": "user", "content": "Hello"}
ASK: dict[str, Any] = {"model": MODEL, "max_tokens": 1000, "messages": [QUESTION]}
WEATHER: dict[str, Any] = {
    "name": "look_up",
    "description": "Looks something up.",
    "input_schema": {"type": "object", "properties": {"query": {"type": "string"}}},
}


async def create(program: ApiClient, content: Any = "Hello", **options: Any) -> Any:
    """Send a message, and options in addition."""
    messages = [{"role": "user", "content": content}]
    return await program.post("/v1/messages", {**ASK, "messages": messages, **options}, **VERSION)


async def events_of(response: Any) -> list[dict[str, Any]]:
    """Return the events of a stream; each conforms to the SDK's types."""
    assert response.status_code == 200, response.content
    sent = b"".join([chunk async for chunk in response.streaming_content]).decode()
    events = []
    for block in sent.removesuffix("\n\n").split("\n\n"):
        name, data = block.split("\n")
        event = json.loads(data.removeprefix("data: "))
        assert name == f"event: {event['type']}"
        if event["type"] not in {"ping", "error"}:
            require_conforming(types.RawMessageStreamEvent, event)
        events.append(event)
    return events


def collected(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put the blocks of a stream together, as the SDK does, and check their order."""
    blocks: list[dict[str, Any]] = []
    is_open = False
    for event in events:
        kind = event["type"]
        if kind == "content_block_start":
            assert not is_open
            assert event["index"] == len(blocks)
            blocks.append({**event["content_block"], "pieces": []})
            is_open = True
        elif kind in {"content_block_delta", "content_block_stop"}:
            assert is_open
            assert event["index"] == len(blocks) - 1
            if kind == "content_block_stop":
                is_open = False
            else:
                blocks[-1]["pieces"].append(event["delta"])
    assert not is_open
    return [_whole(each) for each in blocks]


def _whole(block: dict[str, Any]) -> dict[str, Any]:
    pieces = block.pop("pieces")

    def joined(kind: str, key: str) -> str:
        return "".join(each[key] for each in pieces if each["type"] == kind)

    if block["type"] == "tool_use":
        return {**block, "input": json.loads(joined("input_json_delta", "partial_json") or "{}")}
    if block["type"] == "text":
        return {**block, "text": joined("text_delta", "text")}
    signature = joined("signature_delta", "signature")
    return {**block, "thinking": joined("thinking_delta", "thinking"), "signature": signature}
