"""Read a request as Cloudflare's clients send it: a prompt or messages."""

from typing import Annotated

from msgspec import Meta, Struct

from chat.conversations.prompt import PromptMessage
from chat.errors import BadRequest
from chat.web.api.chat_messages import ApiMessage, prompt_messages
from chat.web.api.chat_request import ApiParameters, require_usable
from chat.web.http.json_body import decode_body


class RunRequest(ApiParameters, kw_only=True):
    prompt: str | None = None
    messages: list[ApiMessage] | None = None


class RunByBodyRequest(Struct):
    """A request that names the model in the body."""

    model: Annotated[str, Meta(min_length=1)]
    input: RunRequest


async def read_run_request(
    body: bytes, model_id: str = ""
) -> tuple[RunRequest, list[PromptMessage]]:
    """Parse the body; return it with its messages. Raise `BadRequest`.

    Without a `model_id`, the body names the model.
    """
    if model_id:
        return await decode_body(body, RunRequest, lambda request: _read(request, model_id))
    return await decode_body(
        body, RunByBodyRequest, lambda request: _read(request.input, request.model)
    )


def _read(request: RunRequest, model_id: str) -> tuple[RunRequest, list[PromptMessage]]:
    request.model = model_id
    require_usable(request)
    return request, messages_to_run(request)


def messages_to_run(request: RunRequest) -> list[PromptMessage]:
    """Return the messages for the model. Raise `BadRequest` unless there is a prompt or some."""
    if (request.prompt is None) == (request.messages is None):
        raise BadRequest("Send either messages or a prompt.").at("messages")
    if request.prompt is not None:
        if not request.prompt.strip():
            raise BadRequest("There's no message to answer. Write one first.").at("prompt")
        return [PromptMessage("user", request.prompt)]
    return prompt_messages(request.messages or [])
