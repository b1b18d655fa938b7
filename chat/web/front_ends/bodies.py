"""Parse the request formats of front-end libraries into one request type.

A message has a `content` (ours, Workers AI's and OpenAI's) or `parts` (the AI SDK's). Requests
cannot override what the site's owner has set (persona, model, parameters); they may set what the
owner left open.
"""

from typing import Annotated, Any, TypeVar

from django.conf import settings
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from chat.conversations.sizes.limits import require_capacity
from chat.errors import BadRequest
from chat.personas.settings import GenerationSettings
from chat.upstream.chunks import NOTHING
from chat.web.http.json_body import UnsupportedParameter, decode_body
from chat.web.streams.relay_request import ContentPart, RelayRequest, RequestTurn, checked
from chat.web.streams.request_parameters import (
    AnswerParameters,
    KnownParameters,
    require_supported,
    unsupported,
)

ROLES = frozenset({"user", "assistant"})
SYSTEM_ROLES = frozenset({"system", "developer"})
MAX_CHAT_ID_CHARS = 200
HONOURED = AnswerParameters.__struct_fields__

R = TypeVar("R", bound="FrontEndRequest")


class SystemMessageNotAllowed(BadRequest):
    code = "system_message_not_allowed"


class _UIPart(Struct):
    """A part of an AI SDK message; most kinds have no text."""

    type: str
    text: str = ""


class _Turn(Struct):
    role: str
    content: str | list[ContentPart] | None = None
    parts: list[_UIPart] | UnsetType = UNSET


class FrontEndRequest(KnownParameters, kw_only=True):
    """A request that may have extra fields, such as `trigger`, `messageId` or custom ones.

    `id` is the AI SDK's chat ID, which is used to resume the stream.
    """

    messages: Annotated[list[_Turn], Meta(min_length=1)] | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    id: Annotated[str, Meta(max_length=MAX_CHAT_ID_CHARS)] | None = None
    model: Raw = NOTHING  # the site chooses the model, but OpenAI's clients always send one

    persona: Raw = NOTHING

    @property
    def include_usage(self) -> bool:
        return bool(self.stream_options and self.stream_options.include_usage)


class CompletionsRequest(FrontEndRequest, kw_only=True, forbid_unknown_fields=True):
    """A request in OpenAI's format, which rejects unknown fields, as OpenAI does."""


async def read_body(body: bytes) -> FrontEndRequest:
    """Parse the request body; an empty body is an empty request.

    Raise `BadRequest` if it is invalid.
    """
    if not body.strip():
        return FrontEndRequest()
    return await decode_body(body, FrontEndRequest, _usable)


async def read_completions(body: bytes) -> CompletionsRequest:
    """Parse the request body of an OpenAI client. Raise `BadRequest` if it is invalid."""
    return await decode_body(body, CompletionsRequest, _usable)


def _usable(body: R) -> R:
    """Return `body`. Raise `UnsupportedParameter` for what this site does not support."""
    require_supported(body)
    if body.persona and bytes(body.persona) != b"null":
        raise unsupported("persona")
    return body


def require_persona_settings(
    body: FrontEndRequest, generation_settings: GenerationSettings
) -> None:
    """Raise `UnsupportedParameter` if the request contradicts the settings of the site's persona.

    A shorter answer may be requested but not a longer one: see `relay_request`.
    """
    chosen: dict[str, Any] = {**generation_settings.parameters}
    if generation_settings.reasoning_effort:
        chosen["reasoning_effort"] = generation_settings.reasoning_effort
    wanted: dict[str, Any] = {**body.numbers}
    if body.reasoning_effort:
        wanted["reasoning_effort"] = body.reasoning_effort
    for name, value in wanted.items():
        if chosen.get(name, value) != value:
            text = _("{name}: the website's owner has set a different value.")
            raise UnsupportedParameter(text.format(name=name))


def relay_request(
    body: FrontEndRequest, default_prompt: str, generation_settings: GenerationSettings
) -> RelayRequest:
    """Build the relay request; an empty request sends the site's default prompt.

    Refusals of system messages name the persona.
    """
    require_persona_settings(body, generation_settings)
    fields: dict[str, Any] = {name: getattr(body, name) for name in HONOURED}
    if body.most_tokens:
        fields["max_completion_tokens"] = None
        owners = generation_settings.max_tokens or settings.MAX_TOKENS
        fields["max_tokens"] = min(body.most_tokens, owners)
    if body.messages is UNSET and body.prompt is UNSET:
        return checked(RelayRequest(prompt=default_prompt, **fields))
    turns: list[RequestTurn] | UnsetType = UNSET
    if isinstance(body.messages, list):
        require_capacity(len(body.messages))  # checked before a turn is built for each message
        turns = [
            _turn(turn, place, generation_settings.name) for place, turn in enumerate(body.messages)
        ]
    return checked(RelayRequest(messages=turns, prompt=body.prompt, **fields))


def _turn(turn: _Turn, place: int, persona: str) -> RequestTurn:
    if turn.role in SYSTEM_ROLES:
        raise SystemMessageNotAllowed(_system_refusal(place, persona))
    if turn.role not in ROLES:
        raise BadRequest(
            _("messages[{place}].role: must be user or assistant.").format(place=place)
        )
    content = turn.content
    if isinstance(content, list):
        content = "".join(part.text for part in content)
    if isinstance(turn.parts, list):
        if any(part.type == "file" for part in turn.parts):
            raise BadRequest(
                _("messages[{place}].parts: this chat accepts text only.").format(place=place)
            )
        content = "".join(part.text for part in turn.parts if part.type == "text")
    role: Any = turn.role
    return RequestTurn(role=role, content=content)


def _system_refusal(place: int, persona: str) -> str:
    if not persona:
        return _(
            "messages[{place}].role: pages can't send system messages. The website's owner sets the"
            " instructions by choosing a persona."
        ).format(place=place)
    return _(
        "messages[{place}].role: pages can't send system messages. The instructions come from the "
        "website's persona, “{persona}”."
    ).format(place=place, persona=persona)
