"""Read a chat completion request as OpenAI's clients send it.

Names that are unknown are ignored, because clients add their own. What is known, would change the
answer and is not supported is refused by name.
"""

from collections.abc import Collection
from typing import Annotated, Any, Literal

from django.conf import settings
from msgspec import Meta, Struct

from chat.conversations.prompt import EXTRA_CONTENT, PromptMessage
from chat.conversations.sizes.limits import require_capacity
from chat.errors import BadRequest
from chat.lib.catalogue import Model
from chat.personas.parameters import RANGES
from chat.upstream import factory
from chat.upstream.decoding.tool_calls import MAX_CALLS
from chat.upstream.model_parameters import effort_of
from chat.upstream.request import ONLY_WORKERS_AI, CompletionRequest
from chat.web.api.request_tools import HONOURED as TOOL_PARAMETERS
from chat.web.api.request_tools import tool_parameters
from chat.web.http.json_body import decode_body
from chat.web.streams.request_parameters import (
    KnownParameters,
    require_supported,
    response_format_of,
    unsupported,
)

Efforts = Literal["none", "minimal", "low", "medium", "high", "xhigh"]
#: Efforts that only some of OpenAI's models have, and the nearest one here.
NEAREST_EFFORTS = {"minimal": "low", "xhigh": "high"}
TEXT_PARTS = frozenset({"text", "input_text", "output_text", "refusal"})


_StopSequence = Annotated[str, Meta(max_length=1000)]


class ContentPiece(Struct):
    type: str = "text"
    text: str | None = None
    refusal: str | None = None


class _CalledFunction(Struct):
    name: str
    arguments: str | None = None


class _Call(Struct):
    function: _CalledFunction
    id: str | None = None
    extra_content: dict[str, Any] | None = None


class ApiMessage(Struct):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[ContentPiece] | None = None
    tool_calls: Annotated[list[_Call], Meta(max_length=MAX_CALLS)] | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    name: str | None = None


class ApiParameters(KnownParameters, kw_only=True):
    """The parameters of an answer. Ranges are OpenAI's; values beyond the model's are moved."""

    model: str | None = None
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Meta(ge=1)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    seed: int | None = None
    stop: _StopSequence | Annotated[list[_StopSequence], Meta(max_length=4)] | None = None
    reasoning_effort: Efforts | None = None  # type: ignore[assignment]

    @property
    def numbers(self) -> dict[str, float | int]:
        numbers = KnownParameters.numbers.fget(self)  # type: ignore[attr-defined]
        return {name: _within(name, number) for name, number in numbers.items()}

    @property
    def stop_sequences(self) -> tuple[str, ...]:
        sequences = (self.stop,) if isinstance(self.stop, str) else tuple(self.stop or ())
        return tuple(filter(None, sequences))

    @property
    def include_usage(self) -> bool:
        return bool(self.stream_options and self.stream_options.include_usage)

    @property
    def wants_json(self) -> bool:
        return self.response_format is not None and self.response_format.type != "text"


class ChatRequest(ApiParameters, kw_only=True):
    messages: Annotated[list[ApiMessage], Meta(min_length=1)]


async def read_chat_request(body: bytes) -> tuple[ChatRequest, list[PromptMessage]]:
    """Parse the body; return it with its messages as a model reads them.

    Raise `BadRequest`, which names the field that is wrong.
    """
    return await decode_body(body, ChatRequest, _read)


def _read(request: ChatRequest) -> tuple[ChatRequest, list[PromptMessage]]:
    require_usable(request)
    return request, messages_of(request)


def require_usable(parameters: ApiParameters, honoured: Collection[str] = ()) -> None:
    """Raise `BadRequest` for a request without a model, or with what is not supported.

    `honoured` are parameters that this format has in addition.
    """
    require_supported(parameters, TOOL_PARAMETERS | set(honoured))
    if not parameters.model:
        raise BadRequest("model: name the model.").at("model")


def completion_request(
    parameters: ApiParameters, messages: list[PromptMessage], model: Model, principal_key: str
) -> CompletionRequest:
    """Build the request to the provider, which is sent as it is: see `is_exact`."""
    numbers = parameters.numbers
    foreign = ONLY_WORKERS_AI & numbers.keys()
    is_workers_ai = factory.endpoint(model.provider).is_workers_ai
    if foreign and not is_workers_ai:
        raise unsupported(min(foreign))
    if is_workers_ai:
        messages = [each.without_extensions() for each in messages]
    effort_name = parameters.reasoning_effort
    effort = NEAREST_EFFORTS.get(effort_name or "", effort_name)
    try:
        chosen_effort = effort_of(model, effort, "")
        wanted_format = response_format_of(parameters)
    except BadRequest as error:
        raise error.at(error.public.partition(":")[0]) from None
    return CompletionRequest(
        messages=messages,
        model=model.id,
        max_tokens=min(parameters.most_tokens or settings.MAX_TOKENS, settings.MAX_TOKENS_LIMIT),
        parameters={
            **numbers,
            **tool_parameters(parameters, model, keeps_strict=not is_workers_ai),
        },
        stop=parameters.stop_sequences,
        response_format=wanted_format,
        reasoning_effort=chosen_effort,
        metadata={"principal": principal_key},
        is_exact=True,
    )


def messages_of(request: ChatRequest) -> list[PromptMessage]:
    """Return the messages as a model reads them. Raise `BadRequest` for what is not text."""
    return prompt_messages(request.messages)


def prompt_messages(messages: list[ApiMessage]) -> list[PromptMessage]:
    """Return `messages` as a model reads them. Raise `BadRequest` for what is not text."""
    require_capacity(len(messages))
    prompt = [_message(each, place) for place, each in enumerate(messages)]
    if all(each.role == "system" for each in prompt):
        raise BadRequest("messages: there is no message to answer.").at("messages")
    return prompt


def _message(message: ApiMessage, place: int) -> PromptMessage:
    where = f"messages[{place}]"
    if message.role == "tool" and not message.tool_call_id:
        raise BadRequest(f"{where}: a tool's result needs a tool_call_id.").at(
            f"{where}.tool_call_id"
        )
    if message.role == "assistant" and message.content is None and not message.tool_calls:
        words = f"{where}: an answer needs content or tool_calls."
        raise BadRequest(words).at(f"{where}.content")
    return PromptMessage(
        role="system" if message.role == "developer" else message.role,
        content=text_of(message.content, f"{where}.content"),
        tool_calls=tuple(_call(each) for each in message.tool_calls or ()),
        tool_call_id=message.tool_call_id or "",
        reasoning=message.reasoning_content or message.reasoning or "",
        name=message.name or "",
    )


def _call(call: _Call) -> dict[str, Any]:
    function = {"name": call.function.name, "arguments": call.function.arguments or "{}"}
    written = {"id": call.id or "", "type": "function", "function": function}
    return written | ({EXTRA_CONTENT: call.extra_content} if call.extra_content else {})


def text_of(content: str | list[ContentPiece] | None, where: str) -> str:
    """Return the text of a message. Raise `BadRequest` for a picture, a file or a sound."""
    if not isinstance(content, list):
        return content or ""
    for place, part in enumerate(content):
        if part.type not in TEXT_PARTS:
            words = "{where}: this site's API accepts text only, not {kind}."
            at = f"{where}[{place}]"
            raise BadRequest(words.format(where=at, kind=part.type[:40])).at(at)
    return "".join(part.text or part.refusal or "" for part in content)


def _within(name: str, number: float) -> float | int:
    """Return the number moved into the range that models accept."""
    least, most, is_whole = RANGES[name]
    moved = min(max(number, least), most)
    return int(moved) if is_whole else moved
