"""What front ends ask, in the shapes that their libraries send, read into one request.

A message has a `content` (ours, Workers AI's and OpenAI's) or `parts` (the AI SDK's). What a site's
owner has chosen (persona, model, parameters) a page cannot change; what is left open it may say.
"""

from typing import Annotated, Any, TypeVar

from django.conf import settings
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from chat.conversations.sizes.size_limits import require_room
from chat.errors import BadRequest
from chat.personas.persona_settings import GenerationSettings
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


class SystemMessageRefused(BadRequest):
    code = "system_message_refused"


class _UIPart(Struct):
    """A part of the AI SDK's message; of most kinds there is no text."""

    type: str
    text: str = ""


class _Turn(Struct):
    role: str
    content: str | list[ContentPart] | None = None
    parts: list[_UIPart] | UnsetType = UNSET


class FrontEndRequest(KnownParameters, kw_only=True):
    """What pages send, with names of their own: `trigger`, `messageId`, and whatever they like.

    `id` is the AI SDK's name of a chat, by which it asks for the stream again.
    """

    messages: Annotated[list[_Turn], Meta(min_length=1)] | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    id: Annotated[str, Meta(max_length=MAX_CHAT_ID_CHARS)] | None = None
    model: Raw = NOTHING  # the site's to choose; OpenAI's clients have to name one

    persona: Raw = NOTHING

    @property
    def include_usage(self) -> bool:
        return bool(self.stream_options and self.stream_options.include_usage)


class CompletionsRequest(FrontEndRequest, kw_only=True, forbid_unknown_fields=True):
    """OpenAI's, which refuses names that it does not know, as OpenAI does."""


async def read_body(body: bytes) -> FrontEndRequest:
    """Read what a page asks. `BadRequest` with a sentence where it cannot be done."""
    if not body.strip():
        return FrontEndRequest()
    return await decode_body(body, FrontEndRequest, _usable)


async def read_completions(body: bytes) -> CompletionsRequest:
    """The same for OpenAI's clients."""
    return await decode_body(body, CompletionsRequest, _usable)


def _usable(asked: R) -> R:
    """Return `asked`; `UnsupportedParameter` names what this site cannot do."""
    require_supported(asked)
    if asked.persona and bytes(asked.persona) != b"null":
        raise unsupported("persona")
    return asked


def require_owners_choice(asked: FrontEndRequest, generation_settings: GenerationSettings) -> None:
    """Raise `UnsupportedParameter` where the request wants what the site's persona has otherwise.

    It may want a shorter answer, never a longer one: see `relay_request`.
    """
    chosen: dict[str, Any] = {**generation_settings.parameters}
    if generation_settings.reasoning_effort:
        chosen["reasoning_effort"] = generation_settings.reasoning_effort
    wanted: dict[str, Any] = {**asked.numbers}
    if asked.reasoning_effort:
        wanted["reasoning_effort"] = asked.reasoning_effort
    for name, value in wanted.items():
        if chosen.get(name, value) != value:
            text = _("{name}: the site owner has set a different value.")
            raise UnsupportedParameter(text.format(name=name))


def relay_request(
    asked: FrontEndRequest, default_prompt: str, generation_settings: GenerationSettings
) -> RelayRequest:
    """What the relay is asked: an empty request asks what the site asks by default.

    Its persona is named to pages that try to say what the model is told.
    """
    require_owners_choice(asked, generation_settings)
    given: dict[str, Any] = {name: getattr(asked, name) for name in HONOURED}
    if asked.most_tokens:
        given["max_completion_tokens"] = None
        owners = generation_settings.max_tokens or settings.MAX_TOKENS
        given["max_tokens"] = min(asked.most_tokens, owners)
    if asked.messages is UNSET and asked.prompt is UNSET:
        return checked(RelayRequest(prompt=default_prompt, **given))
    turns: list[RequestTurn] | UnsetType = UNSET
    if isinstance(asked.messages, list):
        require_room(len(asked.messages))  # before anything is made of each of them
        turns = [
            _turn(turn, place, generation_settings.name)
            for place, turn in enumerate(asked.messages)
        ]
    return checked(RelayRequest(messages=turns, prompt=asked.prompt, **given))


def _turn(turn: _Turn, place: int, persona: str) -> RequestTurn:
    if turn.role in SYSTEM_ROLES:
        raise SystemMessageRefused(_system_refusal(place, persona))
    if turn.role not in ROLES:
        raise BadRequest(
            _("messages[{place}].role: must be user or assistant.").format(place=place)
        )
    content = turn.content
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
            "messages[{place}].role: pages can't send system messages. The site owner "
            "can choose a persona, which instructs the model."
        ).format(place=place)
    return _(
        "messages[{place}].role: pages can't send system messages. The site's persona, "
        "“{persona}”, instructs the model."
    ).format(place=place, persona=persona)
