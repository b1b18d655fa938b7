"""Read a request of OpenAI's Responses API.

The site stores no answers, so the whole conversation is in `input`; what refers to stored ones is
refused.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from chat.conversations.prompt import EXTRA_CONTENT, PromptMessage
from chat.conversations.sizes.limits import require_capacity
from chat.errors import BadRequest
from chat.upstream.chunks import NOTHING
from chat.web.api.chat_request import (
    ApiParameters,
    ContentPiece,
    Efforts,
    require_usable,
    text_of,
)
from chat.web.http.json_body import UnsupportedParameter, decode_body
from chat.web.streams.request_parameters import ResponseFormat

OWN_PARAMETERS = frozenset({"instructions", "reasoning", "verbosity"})
#: Parameters that refer to stored responses or need them, and their harmless values.
STORED = {"previous_response_id": (), "conversation": (), "background": (False,), "prompt": ()}


class _Item(Struct):
    """An item of the input: a message, a tool call, its result, or reasoning."""

    type: str = "message"
    role: Literal["system", "developer", "user", "assistant"] = "user"
    content: str | list[ContentPiece] | None = None
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    output: str | list[ContentPiece] | None = None
    extra_content: dict[str, Any] | None = None


class _Format(Struct):
    type: Literal["text", "json_object", "json_schema"] = "text"
    name: str = "answer"
    schema: Raw = NOTHING
    strict: bool | None = None


class _TextOptions(Struct):
    format: _Format | None = None


class _Reasoning(Struct):
    effort: Efforts | None = None


class ResponsesRequest(ApiParameters, kw_only=True):
    input: str | Annotated[list[_Item], Meta(min_length=1)]
    instructions: str | None = None  # type: ignore[assignment]
    max_output_tokens: Annotated[int, Meta(ge=1)] | None = None
    text: _TextOptions | None = None
    reasoning: _Reasoning | None = None  # type: ignore[assignment]
    previous_response_id: Any = None
    conversation: Any = None
    background: Any = None
    prompt: Any = None

    @property
    def echoed(self) -> dict[str, Any]:
        """Return the parameters that a response repeats."""
        kind = self.response_format.type if self.response_format else "text"
        return {
            "model": self.model,
            "instructions": self.instructions,
            "max_output_tokens": self.max_output_tokens,
            "parallel_tool_calls": True,
            "previous_response_id": None,
            "reasoning": {"effort": self.reasoning_effort, "summary": None},
            "store": False,
            "temperature": self.temperature,
            "text": {"format": {"type": kind}},
            "tool_choice": _plain(self.tool_choice, "auto"),
            "tools": _plain(self.tools, []),
            "top_p": self.top_p,
            "truncation": "disabled",
            "metadata": {},
        }


async def read_responses_request(body: bytes) -> tuple[ResponsesRequest, list[PromptMessage]]:
    """Parse the body; return it with its input as messages.

    Raise `BadRequest`, which names the field that is wrong.
    """
    return await decode_body(body, ResponsesRequest, _read)


def _read(request: ResponsesRequest) -> tuple[ResponsesRequest, list[PromptMessage]]:
    for name, harmless in STORED.items():
        value = getattr(request, name)
        if value is not None and value not in harmless:
            words = "{name}: this site stores no answers. Send the whole conversation as input."
            raise UnsupportedParameter(words.format(name=name)).at(name)
    require_usable(request, OWN_PARAMETERS)
    request.max_tokens = request.max_output_tokens
    request.reasoning_effort = request.reasoning.effort if request.reasoning else None
    request.response_format = _response_format(request.text.format if request.text else None)
    return request, input_messages(request)


def input_messages(request: ResponsesRequest) -> list[PromptMessage]:
    """Return the input as messages. Raise `BadRequest` for items that are not supported."""
    instructions = [PromptMessage("system", request.instructions)] if request.instructions else []
    if isinstance(request.input, str):
        return [*instructions, PromptMessage("user", request.input)]
    require_capacity(len(request.input))
    calls: list[dict[str, Any]] = []
    for place, item in enumerate(request.input):
        where = f"input[{place}]"
        if item.type == "function_call":
            function = {"name": item.name, "arguments": item.arguments or "{}"}
            call = {"id": item.call_id, "type": "function", "function": function}
            calls.append(call | ({EXTRA_CONTENT: item.extra_content} if item.extra_content else {}))
            continue
        if item.type == "reasoning":
            continue
        if calls:  # calls made at once are one message
            instructions.append(PromptMessage("assistant", "", tuple(calls)))
            calls = []
        instructions.append(_message(item, where))
    if calls:
        instructions.append(PromptMessage("assistant", "", tuple(calls)))
    if all(each.role == "system" for each in instructions):
        raise BadRequest("input: there is no message to answer.").at("input")
    return instructions


def _message(item: _Item, where: str) -> PromptMessage:
    if item.type == "function_call_output":
        output = text_of(item.output, f"{where}.output")
        return PromptMessage("tool", output, tool_call_id=item.call_id)
    if item.type != "message":
        words = "{where}: items of the type {kind} are not supported."
        raise UnsupportedParameter(words.format(where=where, kind=item.type[:40])).at(where)
    if item.role == "assistant" and item.content is None:
        raise BadRequest(f"{where}: an answer needs content.").at(f"{where}.content")
    role = "system" if item.role == "developer" else item.role
    return PromptMessage(role, text_of(item.content, f"{where}.content"))


def _response_format(wanted: _Format | None) -> ResponseFormat | None:
    """Return the format in the form of chat completions."""
    if wanted is None or wanted.type == "text":
        return None
    if wanted.type == "json_object":
        return ResponseFormat(wanted.type)
    schema = {"name": wanted.name, "schema": wanted.schema or None, "strict": wanted.strict}
    return ResponseFormat(wanted.type, Raw(msgspec.json.encode(schema)))


def _plain(raw: Raw, otherwise: Any) -> Any:
    """Return a raw parameter as it was sent."""
    value = msgspec.json.decode(raw) if raw else None
    return otherwise if value is None else value
