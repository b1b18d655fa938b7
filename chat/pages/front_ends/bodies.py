"""What front ends ask, in the shapes that their libraries send, read into one request.

A message has a `content` (ours, Workers AI's and OpenAI's) or `parts` (the AI SDK's). What a site's
owner has chosen (persona, model, parameters) a page cannot change.
"""

from typing import Annotated, Any

from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, Struct, UnsetType

from chat.conversations.sizes import require_room
from chat.errors import BadRequest
from chat.pages.json_body import decode_body
from chat.pages.relay_request import Part, RelayRequest, Turn, checked

ROLES = frozenset({"user", "assistant"})
SYSTEM_ROLES = frozenset({"system", "developer"})
MAX_CHAT_ID_CHARS = 200


class SystemMessageRefused(BadRequest):
    code = "system_message_refused"


class UnsupportedParameter(BadRequest):
    code = "unsupported_parameter"


class _UIPart(Struct):
    """A part of the AI SDK's message; of most kinds there is no text."""

    type: str
    text: str = ""


class _Turn(Struct):
    role: str
    content: str | list[Part] | None = None
    parts: list[_UIPart] | UnsetType = UNSET


class FrontEndRequest(Struct):
    """`id` is the AI SDK's name of a chat, by which it asks for the stream again."""

    messages: Annotated[list[_Turn], Meta(min_length=1)] | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    id: Annotated[str, Meta(max_length=MAX_CHAT_ID_CHARS)] | None = None


class _StreamOptions(Struct):
    include_usage: bool | None = None


class _ResponseFormat(Struct):
    type: str = "text"


class CompletionsRequest(FrontEndRequest):
    """OpenAI's; keys that would change what an answer is are refused, see `read_completions`."""

    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    n: int | None = None
    logprobs: bool | None = None
    tools: list[Any] | None = None
    functions: list[Any] | None = None
    audio: Any = None
    response_format: _ResponseFormat | None = None

    @property
    def unsupported(self) -> str:
        """The first parameter that cannot be honoured; empty if all can."""
        wanted = {
            "n": self.n not in {None, 1},
            "logprobs": self.logprobs,
            "tools": self.tools,
            "functions": self.functions,
            "audio": self.audio,
            "response_format": self.response_format and self.response_format.type != "text",
        }
        return next((name for name, is_wanted in wanted.items() if is_wanted), "")

    @property
    def include_usage(self) -> bool:
        return bool(self.stream_options and self.stream_options.include_usage)


async def read_body(body: bytes) -> FrontEndRequest:
    """`BadRequest` with a sentence where it is none."""
    return await decode_body(body, FrontEndRequest) if body.strip() else FrontEndRequest()


async def read_completions(body: bytes) -> CompletionsRequest:
    """The same for OpenAI's clients; `UnsupportedParameter` names what this site cannot do."""
    asked = await decode_body(body, CompletionsRequest)
    if name := asked.unsupported:
        raise UnsupportedParameter(_("{name}: this chat does not support it.").format(name=name))
    return asked


def relay_request(asked: FrontEndRequest, default_prompt: str, persona: str) -> RelayRequest:
    """What the relay is asked: an empty request asks what the site asks by default.

    `persona` is named to pages that try to say what the model is told.
    """
    if asked.messages is UNSET and asked.prompt is UNSET:
        return checked(RelayRequest(prompt=default_prompt))
    turns: list[Turn] | UnsetType = UNSET
    if isinstance(asked.messages, list):
        require_room(len(asked.messages))  # before anything is made of each of them
        turns = [_turn(turn, place, persona) for place, turn in enumerate(asked.messages)]
    return checked(RelayRequest(messages=turns, prompt=asked.prompt))


def _turn(turn: _Turn, place: int, persona: str) -> Turn:
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
                _("messages[{place}].parts: this chat reads text only.").format(place=place)
            )
        content = "".join(part.text for part in turn.parts if part.type == "text")
    role: Any = turn.role
    return Turn(role=role, content=content)


def _system_refusal(place: int, persona: str) -> str:
    if not persona:
        return _(
            "messages[{place}].role: a page cannot send system messages. The owner of this site "
            "can choose a persona, which tells the model how to answer."
        ).format(place=place)
    return _(
        "messages[{place}].role: a page cannot send system messages. The persona of this site, "
        "“{persona}”, tells the model how to answer."
    ).format(place=place, persona=persona)
