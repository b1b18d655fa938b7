"""Read a request of Anthropic's Messages API, and translate it into a completion request."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from chat.conversations.images.relayed_images import readable, with_tool_images_after
from chat.conversations.prompt import PromptMessage
from chat.errors import BadRequest
from chat.lib.catalogue import Model
from chat.upstream import factory
from chat.upstream.request import CompletionRequest
from chat.web.api.anthropic.content_blocks import Block, Message, prompt_messages
from chat.web.api.anthropic.thinking import OutputConfig, Thinking, wanted_effort
from chat.web.api.anthropic.tools import Tool, ToolChoice, written_tools
from chat.web.api.chat_request import ApiParameters, completion_request
from chat.web.http.json_body import UnsupportedParameter, decode_body
from chat.web.streams.request_parameters import ResponseFormat

StopSequence = Annotated[str, Meta(max_length=1000)]


class ThreadUnsupported(UnsupportedParameter):
    """The site stores no conversations of programs; the SDKs then send the whole one each time."""

    code = "thread_unsupported_request"


class MessagesRequest(Struct, kw_only=True):
    """What is honoured or refused. Everything else that Anthropic's API has is ignored."""

    model: str | None = None
    messages: Annotated[list[Message], Meta(min_length=1)]
    system: str | list[Block] | None = None
    max_tokens: Annotated[int, Meta(ge=0)] | None = None
    stream: bool | None = None
    stop_sequences: Annotated[list[StopSequence], Meta(max_length=4)] | None = None
    temperature: Annotated[float, Meta(ge=0)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    top_k: Annotated[int, Meta(ge=0)] | None = None
    tools: list[Tool] | None = None
    tool_choice: ToolChoice | None = None
    thinking: Thinking | None = None
    output_config: OutputConfig | None = None
    output_format: dict[str, Any] | None = None  # the beta's name of `output_config.format`
    thread: Any = None


async def read_messages_request(body: bytes) -> tuple[MessagesRequest, list[PromptMessage]]:
    """Parse the body; return it with its messages as a model reads them.

    Raise `BadRequest`, which names the field that is wrong.
    """
    return await decode_body(body, MessagesRequest, _read)


def _read(request: MessagesRequest) -> tuple[MessagesRequest, list[PromptMessage]]:
    if not request.model:
        raise BadRequest("model: name the model.").at("model")
    if request.thread is not None:
        words = "thread: this site stores no answers. Send the whole conversation as messages."
        raise ThreadUnsupported(words).at("thread")
    return request, prompt_messages(request.system, request.messages)


def messages_question(
    request: MessagesRequest, messages: list[PromptMessage], model: Model, principal_key: str
) -> CompletionRequest:
    """Build the request to the provider. Raise `BadRequest` for what the model can't do."""
    config = request.output_config or OutputConfig()
    tools = written_tools(request.tools or [], request.tool_choice)
    takes_top_k = factory.endpoint(model.provider).is_workers_ai
    parameters = ApiParameters(
        # Without tokens, it would only fill the cache of Anthropic's own models.
        max_tokens=None if request.max_tokens is None else max(1, request.max_tokens),
        stop=request.stop_sequences,
        temperature=request.temperature,
        top_p=request.top_p,
        top_k=(request.top_k or None) if takes_top_k else None,
        reasoning_effort=wanted_effort(request.thinking, config.effort),  # type: ignore[arg-type]
        response_format=_response_format(config.format or request.output_format),
        tools=tools.tools,
        tool_choice=tools.tool_choice,
        parallel_tool_calls=tools.parallel_tool_calls,
    )
    read = readable(
        with_tool_images_after(messages, reads_images=model.vision), reads_images=model.vision
    )
    return completion_request(parameters, read, model, principal_key)


def _response_format(wanted: dict[str, Any] | None) -> ResponseFormat | None:
    if not wanted or wanted.get("type") != "json_schema":
        return None
    schema = {"name": "answer", "schema": wanted.get("schema")}
    return ResponseFormat("json_schema", Raw(msgspec.json.encode(schema)))
