"""What `POST /chat/stream` accepts, read into a question. Bad input is refused in plain words."""

import uuid
from typing import Annotated, Any, Literal

from django.conf import settings
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, Struct, UnsetType

from chat.conversations.manners import told_first
from chat.conversations.prompt import Message
from chat.conversations.sizes import require_length, require_room
from chat.errors import BadRequest
from chat.pages.json_body import decode_body
from chat.personas.manner import Manner
from chat.personas.parameters import RANGES
from chat.relay.question import Question


class Part(Struct):
    """OpenAI's way to write a text: a list of parts."""

    text: str
    type: Literal["text"] = "text"


class Turn(Struct):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[Part] | None = None


class RelayRequest(Struct):
    """The body. Ranges are those of Workers AI's schema; keys we do not know are left alone."""

    messages: Annotated[list[Turn], Meta(min_length=1)] | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    model: str | None = None
    persona: uuid.UUID | None = None
    max_tokens: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    temperature: Annotated[float, Meta(ge=0, le=5)] | None = None
    top_p: Annotated[float, Meta(ge=0.001, le=1)] | None = None
    top_k: Annotated[int, Meta(ge=1, le=50)] | None = None
    seed: Annotated[int, Meta(ge=1, le=9_999_999_999)] | None = None
    repetition_penalty: Annotated[float, Meta(ge=0, le=2)] | None = None
    frequency_penalty: Annotated[float, Meta(ge=-2, le=2)] | None = None
    presence_penalty: Annotated[float, Meta(ge=-2, le=2)] | None = None


async def read_relay_request(body: bytes) -> RelayRequest:
    """The request in `body`; `BadRequest` with a sentence for the person who made it."""
    return checked(await decode_body(body, RelayRequest))


def checked(request: RelayRequest) -> RelayRequest:
    """`request`, if it can be answered; `BadRequest` or `MessageTooLong` if not."""
    if (request.messages is UNSET) == (request.prompt is UNSET):
        raise BadRequest(_("Send either messages or a prompt."))
    if isinstance(request.messages, list):
        require_room(len(request.messages))  # before anything is made of each of them
    messages = messages_of(request)
    questions = [each.content for each in messages if each.role == "user"]
    if not any(question.strip() for question in questions):
        raise BadRequest(_("There is no message to answer. Write one first."))
    require_length(questions[-1])
    if request.persona and any(each.role == "system" for each in messages):
        raise BadRequest(_("Send either a persona or a system message: a persona has its own."))
    return request


def messages_of(request: RelayRequest) -> list[Message]:
    if isinstance(request.prompt, str):
        return [Message("user", request.prompt)]
    turns = request.messages if isinstance(request.messages, list) else []
    return [Message(_role(turn), _text(turn.content)) for turn in turns]


def question_of(
    request: RelayRequest, model_id: str, manner: Manner, metadata: dict[str, str]
) -> Question:
    """Where the request says nothing, as the persona's manner has it."""
    given: dict[str, Any] = {name: getattr(request, name) for name in RANGES}
    given = {name: number for name, number in given.items() if number is not None}
    return Question(
        messages=[*told_first(manner), *messages_of(request)],
        model=model_id,
        max_tokens=request.max_tokens or manner.max_tokens or settings.MAX_TOKENS,
        parameters={**manner.parameters, **given},
        cache_seconds=manner.cache_seconds,
        metadata=metadata,
    )


def _role(turn: Turn) -> str:
    return "system" if turn.role == "developer" else turn.role


def _text(content: str | list[Part] | None) -> str:
    if isinstance(content, list):
        return "".join(part.text for part in content)
    return content or ""
