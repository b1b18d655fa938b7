"""Read a request of OpenAI's Responses API."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from chat.conversations.prompt import PromptMessage
from chat.lib.worker_thread import off_loop
from chat.upstream.chunks import NOTHING
from chat.web.api.chat_request import ApiParameters, Efforts, require_usable
from chat.web.api.request_tools import OfferedTools, offered_tools
from chat.web.api.responses.echoed_parameters import echoed_choice, echoed_tools
from chat.web.api.responses.input_items import declared_tools, input_messages, text_item
from chat.web.api.responses.kept_responses import with_kept_items
from chat.web.http.json_body import INLINE_BYTES, UnsupportedParameter, decode_body, decode_part
from chat.web.streams.request_parameters import ResponseFormat

OWN_PARAMETERS = frozenset({"instructions", "reasoning", "verbosity"})
#: Parameters that this site can't honour, and their harmless values.
REFUSED = {"conversation": (), "background": (False,), "prompt": ()}


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
    input: str | Annotated[list[Raw], Meta(min_length=1)]
    instructions: str | None = None  # type: ignore[assignment]
    max_output_tokens: Annotated[int, Meta(ge=1)] | None = None
    text: _TextOptions | None = None
    reasoning: _Reasoning | None = None  # type: ignore[assignment]
    previous_response_id: str | None = None
    conversation: Any = None
    background: Any = None
    prompt: Any = None

    @property
    def is_kept(self) -> bool:
        """Return whether later requests may refer to the response, as at OpenAI by default."""
        return bytes(self.store) != b"false"

    @property
    def items(self) -> list[Raw]:
        return [text_item(self.input)] if isinstance(self.input, str) else self.input

    @property
    def echoed(self) -> dict[str, Any]:
        """Return the parameters that a response repeats."""
        return {
            "model": self.model,
            "instructions": self.instructions,
            "max_output_tokens": self.max_output_tokens,
            "parallel_tool_calls": self._echoed("parallel_tool_calls") is not False,
            "previous_response_id": self.previous_response_id,
            "reasoning": {"effort": self.reasoning_effort, "summary": None},
            "store": self.is_kept,
            "temperature": self.temperature,
            "text": {"format": _echoed_format(self.text)},
            "tool_choice": echoed_choice(self._echoed("tool_choice")),
            "tools": echoed_tools(self._echoed("tools")),
            "top_p": self.top_p,
            "truncation": "disabled",
            "metadata": {},
        }

    def _echoed(self, name: str) -> Any:
        """Return a raw parameter as it was sent; None without it. Raise `BadRequest`."""
        raw = getattr(self, name)
        return decode_part(raw, Any, name) if raw else None


@dataclass(frozen=True, slots=True)
class ReadResponse:
    """A request, its input as messages, and its tools. `items` have no references any more.

    `echoed` are the parameters that the response repeats.
    """

    request: ResponsesRequest
    echoed: dict[str, Any]
    items: list[Raw]
    messages: list[PromptMessage]
    tools: OfferedTools


async def read_responses_request(body: bytes, key_id: int) -> ReadResponse:
    """Parse the body, and look up what it refers to.

    Raise `BadRequest`, which names the field that is wrong.
    """
    request = await decode_body(body, ResponsesRequest, _checked)
    items = await with_kept_items(key_id, request.items, request.previous_response_id)

    def read() -> ReadResponse:
        tools = offered_tools(request, declared_tools(items))
        messages = input_messages(request.instructions or "", items, tools)
        return ReadResponse(request, request.echoed, items, messages, tools)

    is_long = len(body) > INLINE_BYTES or len(items) > len(request.items)
    return await off_loop(read) if is_long else read()


def _checked(request: ResponsesRequest) -> ResponsesRequest:
    for name, harmless in REFUSED.items():
        value = getattr(request, name)
        if value is not None and value not in harmless:
            words = "{name}: this site stores no conversations. Send the whole one as input."
            raise UnsupportedParameter(words.format(name=name)).at(name)
    require_usable(request, OWN_PARAMETERS)
    request.max_tokens = request.max_output_tokens
    request.reasoning_effort = request.reasoning.effort if request.reasoning else None
    request.response_format = _response_format(request.text.format if request.text else None)
    return request


def _response_format(wanted: _Format | None) -> ResponseFormat | None:
    """Return the format in the form of chat completions."""
    if wanted is None or wanted.type == "text":
        return None
    if wanted.type == "json_object":
        return ResponseFormat(wanted.type)
    schema = {"name": wanted.name, "schema": wanted.schema or None, "strict": wanted.strict}
    return ResponseFormat(wanted.type, Raw(msgspec.json.encode(schema)))


def _echoed_format(text: _TextOptions | None) -> dict[str, Any]:
    wanted = text.format if text and text.format else _Format()
    if wanted.type != "json_schema":
        return {"type": wanted.type}
    schema = decode_part(wanted.schema, dict[str, Any], "text.format.schema")
    return {"type": wanted.type, "name": wanted.name, "schema": schema, "strict": wanted.strict}
