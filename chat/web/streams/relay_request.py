"""Parse the body of `POST /chat/stream` into a completion request."""

import uuid
from typing import Annotated, Literal

from django.conf import settings
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, Struct, UnsetType

from chat.conversations.generation_settings import system_messages
from chat.conversations.prompt import PromptMessage
from chat.conversations.sizes.size_limits import require_capacity, require_length
from chat.errors import BadRequest
from chat.lib.catalogue import Model
from chat.personas.persona_settings import GenerationSettings
from chat.upstream import factory
from chat.upstream.model_parameters import effort_of
from chat.upstream.request import ONLY_WORKERS_AI, CompletionRequest
from chat.web.http.json_body import decode_body
from chat.web.streams.request_parameters import (
    KnownParameters,
    require_supported,
    response_format_of,
    unsupported,
)


class ContentPart(Struct):
    """A part of a text in OpenAI's list format."""

    text: str
    type: Literal["text"] = "text"


class RequestTurn(Struct):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[ContentPart] | None = None


class RelayRequest(KnownParameters, kw_only=True, forbid_unknown_fields=True):
    """The body of a relay request."""

    messages: Annotated[list[RequestTurn], Meta(min_length=1)] | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    model: str | None = None
    persona: uuid.UUID | None = None


async def read_relay_request(body: bytes) -> RelayRequest:
    """Parse `body`. Raise `BadRequest` with a readable message if it is invalid."""
    return await decode_body(body, RelayRequest, checked)


def checked(request: RelayRequest) -> RelayRequest:
    """Return `request` if it can be answered; else raise `BadRequest` or `MessageTooLong`."""
    require_supported(request)
    if (request.messages is UNSET) == (request.prompt is UNSET):
        raise BadRequest(_("Send either messages or a prompt."))
    if isinstance(request.messages, list):
        require_capacity(len(request.messages))  # checked before a turn is built for each message
    messages = messages_of(request)
    questions = [each.content for each in messages if each.role == "user"]
    if not any(question.strip() for question in questions):
        raise BadRequest(_("There's no message to answer. Write one first."))
    require_length(questions[-1])
    if request.persona and any(each.role == "system" for each in messages):
        raise BadRequest(_("Send either a persona or a system message, not both."))
    return request


def messages_of(request: RelayRequest) -> list[PromptMessage]:
    if isinstance(request.prompt, str):
        return [PromptMessage("user", request.prompt)]
    turns = request.messages if isinstance(request.messages, list) else []
    return [PromptMessage(_role(turn), _text(turn.content)) for turn in turns]


def question_of(
    request: RelayRequest,
    name: str,
    model: Model,
    generation_settings: GenerationSettings,
    metadata: dict[str, str],
    instructions: str = "",
) -> CompletionRequest:
    """Build the completion request; the persona's settings fill in what the request omits.

    `name` is the client's name for `model`. The member's `instructions` come first, unless the
    request has a system message of its own. Raise `UnsupportedParameter` for parameters that the
    connected service or the model does not support.
    """
    foreign = ONLY_WORKERS_AI & request.numbers.keys()
    if foreign and not factory.endpoint(model.provider).is_workers_ai:
        raise unsupported(min(foreign))
    said = messages_of(request)
    has_own = any(each.role == "system" for each in said)
    said_first = system_messages(generation_settings, "" if has_own else instructions)
    return CompletionRequest(
        messages=[*said_first, *said],
        model=name,
        max_tokens=request.most_tokens or generation_settings.max_tokens or settings.MAX_TOKENS,
        parameters={**generation_settings.parameters, **request.numbers},
        stop=request.stop_sequences,
        response_format=response_format_of(request),
        reasoning_effort=effort_of(
            model, request.reasoning_effort, generation_settings.reasoning_effort
        ),
        cache_seconds=generation_settings.cache_seconds,
        metadata=metadata,
    )


def _role(turn: RequestTurn) -> str:
    return "system" if turn.role == "developer" else turn.role


def _text(content: str | list[ContentPart] | None) -> str:
    if isinstance(content, list):
        return "".join(part.text for part in content)
    return content or ""
