"""Parse the body of `POST /chat/stream` into a completion request."""

import uuid
from typing import Annotated, Literal

from django.conf import settings
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, Struct, UnsetType

from chat.conversations.generation_settings import system_messages
from chat.conversations.images.relayed_images import readable, relayed_image, require_counts
from chat.conversations.prompt import PromptImage, PromptMessage
from chat.conversations.sizes.limits import require_capacity, require_length
from chat.errors import BadRequest
from chat.knowledge.models import MAX_COLLECTIONS
from chat.lib.catalogue import Model
from chat.personas.settings import GenerationSettings
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


class ImageUrl(Struct):
    url: str


class CheckedImage(ImageUrl):
    """An image that `checked` has read."""

    image: PromptImage


class RelayPart(Struct):
    """A part of a message in OpenAI's list format: text, or an image of a question."""

    type: Literal["text", "image_url"] = "text"
    text: str | None = None
    image_url: ImageUrl | None = None

    def __post_init__(self) -> None:
        if getattr(self, self.type) is None:
            raise ValueError(f"Object missing required field `{self.type}`")


class RequestTurn(Struct):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[RelayPart] | None = None

    @property
    def images(self) -> list[ImageUrl]:
        parts = self.content if isinstance(self.content, list) else []
        return [each.image_url for each in parts if each.type == "image_url" and each.image_url]


MAX_SITE_TOOLS = 50


class RelayRequest(KnownParameters, kw_only=True, forbid_unknown_fields=True):
    """The body of a relay request."""

    messages: Annotated[list[RequestTurn], Meta(min_length=1)] | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    model: str | None = None
    persona: uuid.UUID | None = None
    #: Searched for the answer, besides those of the persona.
    collections: Annotated[tuple[uuid.UUID, ...], Meta(max_length=MAX_COLLECTIONS)] = ()
    #: Names of tools of this site; `tools` are those of the caller.
    site_tools: Annotated[tuple[str, ...], Meta(max_length=MAX_SITE_TOOLS)] = ()


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
        _check_images(request.messages)
    messages = messages_of(request)
    questions = [each for each in messages if each.role == "user"]
    if not any(each.content.strip() or each.images for each in questions):
        raise BadRequest(_("There's no message to answer. Write one first."))
    require_length(questions[-1].content)
    if request.persona and any(each.role == "system" for each in messages):
        raise BadRequest(_("Send either a persona or a system message, not both."))
    return request


def messages_of(request: RelayRequest) -> list[PromptMessage]:
    if isinstance(request.prompt, str):
        return [PromptMessage("user", request.prompt)]
    turns = request.messages if isinstance(request.messages, list) else []
    return [PromptMessage(_role(turn), _text(turn.content), images=_images(turn)) for turn in turns]


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
    connected service or the model does not support, and `ImagesUnsupported`.
    """
    foreign = ONLY_WORKERS_AI & request.numbers.keys()
    if foreign and not factory.endpoint(model.provider).is_workers_ai:
        raise unsupported(min(foreign))
    messages = readable(messages_of(request), reads_images=model.vision)
    has_own = any(each.role == "system" for each in messages)
    instructions_first = system_messages(generation_settings, "" if has_own else instructions)
    return CompletionRequest(
        messages=[*instructions_first, *messages],
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


def _text(content: str | list[RelayPart] | None) -> str:
    if isinstance(content, list):
        return "".join(part.text or "" for part in content if part.type == "text")
    return content or ""


def _check_images(turns: list[RequestTurn]) -> None:
    """Replace the images by checked ones. Raise an error of images, or `BadRequest`.

    Long bodies are checked off the event loop: see `decode_body`.
    """
    require_counts([len(turn.images) for turn in turns])
    for turn in turns:
        if turn.images and turn.role != "user":
            raise BadRequest(_("Only questions can have images."))
        for part in turn.content if isinstance(turn.content, list) else []:
            if part.type == "image_url" and part.image_url:
                url = part.image_url.url
                part.image_url = CheckedImage("", relayed_image(url))


def _images(turn: RequestTurn) -> tuple[PromptImage, ...]:
    return tuple(each.image for each in turn.images if isinstance(each, CheckedImage))
