"""Read a request as Cloudflare's clients send it: a prompt or messages."""

from typing import Annotated

from msgspec import Meta, Struct

from chat.conversations.prompt import PromptMessage
from chat.errors import BadRequest
from chat.web.api.chat_request import (
    ApiMessage,
    ApiParameters,
    prompt_messages,
    require_usable,
)
from chat.web.http.json_body import decode_body


class RunRequest(ApiParameters, kw_only=True):
    prompt: str | None = None
    messages: list[ApiMessage] | None = None


class RunByBodyRequest(Struct):
    """A request that names the model in the body."""

    model: Annotated[str, Meta(min_length=1)]
    input: RunRequest


async def read_run_request(body: bytes, model_id: str = "") -> RunRequest:
    """Parse the body; without a `model_id`, the body names the model. Raise `BadRequest`."""
    if model_id:
        asked = await decode_body(body, RunRequest)
    else:
        by_body = await decode_body(body, RunByBodyRequest)
        asked, model_id = by_body.input, by_body.model
    asked.model = model_id
    require_usable(asked)
    return asked


def messages_to_run(asked: RunRequest) -> list[PromptMessage]:
    """Return the messages for the model. Raise `BadRequest` unless there is a prompt or some."""
    if (asked.prompt is None) == (asked.messages is None):
        raise BadRequest("Send either messages or a prompt.").at("messages")
    if asked.prompt is not None:
        if not asked.prompt.strip():
            raise BadRequest("There's no message to answer. Write one first.").at("prompt")
        return [PromptMessage("user", asked.prompt)]
    return prompt_messages(asked.messages or [])
