"""Call the Responses API as OpenAI's clients do, and check its events against the SDK's types."""

import json
from functools import cache
from typing import Annotated, Any

from pydantic import Field

from tests.support.api.api_client import MODEL, ApiClient
from tests.support.api.sdk_types import require_conforming

PATH = "/v1/responses"


@cache
def event_type() -> Any:
    from openai.types.responses import ResponseStreamEvent

    return Annotated[ResponseStreamEvent, Field(discriminator="type")]


async def respond(program: ApiClient, given: Any = "Hello", **options: Any) -> Any:
    return await program.post(PATH, {"model": MODEL, "input": given, **options})


async def streamed(program: ApiClient, given: Any = "Hello", **options: Any) -> list[Any]:
    """Return the events of a stream. Their names are checked, their numbers and all fields."""
    response = await respond(program, given, stream=True, **options)
    assert response.status_code == 200, response.content
    sent = b"".join([chunk async for chunk in response.streaming_content]).decode()
    events = []
    for block in sent.split("\n\n"):
        if block and not block.startswith(":"):
            name, data = block.split("\n")
            event = json.loads(data.removeprefix("data: "))
            assert name == f"event: {event['type']}"
            require_conforming(event_type(), event)
            events.append(event)
    assert [each["sequence_number"] for each in events] == list(range(len(events)))
    return events
