"""Read a chat completion request as OpenAI's clients send it.

Names that are unknown are ignored, because clients add their own. What is known, would change the
answer and is not supported is refused by name.
"""

from collections.abc import Collection
from typing import Annotated, Any, Literal, NamedTuple

from django.conf import settings
from msgspec import Meta, Raw

from chat.conversations.images.relayed_images import readable, with_tool_images_after
from chat.conversations.prompt import PromptMessage
from chat.errors import BadRequest
from chat.lib.catalogue import Model
from chat.personas.parameters import RANGES
from chat.upstream import factory
from chat.upstream.chunks import NOTHING
from chat.upstream.model_parameters import nearest_effort
from chat.upstream.request import ONLY_WORKERS_AI, CompletionRequest
from chat.web.api.chat_messages import ApiMessage, prompt_messages
from chat.web.api.request_tools import HONOURED as TOOL_PARAMETERS
from chat.web.api.request_tools import OfferedTools, offered_tools, tool_parameters
from chat.web.http.json_body import UnsupportedParameter, decode_body
from chat.web.streams.request_parameters import (
    KnownParameters,
    require_supported,
    response_format_of,
)

#: What only some providers know: sent to those that speak OpenAI's protocol, else without effect.
FORWARDED = (
    "chat_template_kwargs", "thinking", "reasoning", "verbosity", "min_p", "top_a", "typical_p",
    "enable_thinking", "guided_json", "guided_regex", "guided_choice", "guided_grammar",
)  # fmt: skip
#: Answers to one request. They run at the same time.
MAX_CHOICES = 8
#: A search that nobody here runs is left out like the tool of that name.
LEFT_OUT = frozenset({"web_search_options"})

Efforts = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
_StopSequence = Annotated[str, Meta(max_length=1000)]


class ApiParameters(KnownParameters, kw_only=True):
    """The parameters of an answer. Ranges are OpenAI's; values beyond the model's are moved."""

    model: str | None = None
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Meta(ge=1)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    top_k: float | None = None  # type: ignore[assignment]
    repetition_penalty: float | None = None
    seed: int | None = None
    stop: _StopSequence | Annotated[list[_StopSequence], Meta(max_length=4)] | None = None
    reasoning_effort: Efforts | None = None  # type: ignore[assignment]
    min_p: Raw = NOTHING
    top_a: Raw = NOTHING
    typical_p: Raw = NOTHING
    enable_thinking: Raw = NOTHING
    guided_regex: Raw = NOTHING
    guided_choice: Raw = NOTHING
    guided_grammar: Raw = NOTHING

    @property
    def numbers(self) -> dict[str, float | int]:
        numbers = KnownParameters.numbers.fget(self)  # type: ignore[attr-defined]
        if numbers.get("top_k", 1) < 1:
            del numbers["top_k"]  # to some programs, that is all tokens
        return {name: _within(name, number) for name, number in numbers.items()}

    @property
    def forwarded(self) -> dict[str, Any]:
        """Return what is sent to providers that speak OpenAI's protocol, as it is."""
        own = {name: getattr(self, name) for name in ONLY_WORKERS_AI}
        raw = {name: getattr(self, name) for name in FORWARDED}
        return {name: each for name, each in own.items() if each is not None} | {
            name: each for name, each in raw.items() if isinstance(each, Raw) and _is_set(each)
        }

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
    n: Annotated[int, Meta(ge=1, le=MAX_CHOICES)] | None = None  # type: ignore[assignment]
    logprobs: bool | None = None  # type: ignore[assignment]
    top_logprobs: Annotated[int, Meta(ge=0, le=20)] | None = None  # type: ignore[assignment]

    @property
    def choices(self) -> int:
        return self.n or 1

    @property
    def forwarded(self) -> dict[str, Any]:
        forwarded = super().forwarded
        if self.logprobs:
            forwarded |= {"logprobs": True, "top_logprobs": self.top_logprobs or 0}
        return forwarded


class ReadChat(NamedTuple):
    """A request, its messages as a model reads them, and its tools."""

    request: ChatRequest
    messages: list[PromptMessage]
    tools: OfferedTools


async def read_chat_request(body: bytes) -> ReadChat:
    """Parse the body. Raise `BadRequest`, which names the field that is wrong."""
    return await decode_body(body, ChatRequest, _read)


def _read(request: ChatRequest) -> ReadChat:
    require_usable(request, {"n", "logprobs", "top_logprobs"})
    if request.stream and request.choices > 1:
        raise UnsupportedParameter("n: a stream has one answer. Leave out n or stream.").at("n")
    return ReadChat(request, prompt_messages(request.messages), offered_tools(request))


def require_usable(parameters: ApiParameters, honoured: Collection[str] = ()) -> None:
    """Raise `BadRequest` for a request without a model, or with what is not supported.

    `honoured` are parameters that this format has in addition.
    """
    require_supported(parameters, {*TOOL_PARAMETERS, *FORWARDED, *LEFT_OUT, *honoured})
    if not parameters.model:
        raise BadRequest("model: name the model.").at("model")


def completion_request(
    parameters: ApiParameters,
    messages: list[PromptMessage],
    model: Model,
    principal_key: str,
    tools: OfferedTools | None = None,
) -> CompletionRequest:
    """Build the request to the provider, which is sent as it is: see `is_exact`.

    `tools` are those of the request if they are read already.
    """
    try:
        wanted_format = response_format_of(parameters)
    except BadRequest as error:
        raise error.at(error.public.partition(":")[0]) from None
    is_workers_ai = factory.endpoint(model.provider).is_workers_ai
    if is_workers_ai and parameters.forwarded.get("logprobs"):
        raise UnsupportedParameter("logprobs: the provider of this model has none.").at("logprobs")
    if is_workers_ai:
        messages = [each.without_extensions() for each in messages]
    calls = tool_parameters(parameters, model, tools, keeps_strict=not is_workers_ai)
    seen = with_tool_images_after(messages, reads_images=model.vision)
    return CompletionRequest(
        messages=readable(seen, reads_images=model.vision),
        model=model.id,
        max_tokens=_most_tokens(parameters, model, has_tools=bool(calls)),
        parameters={**parameters.numbers, **calls},
        forwarded={} if is_workers_ai else parameters.forwarded,
        stop=parameters.stop_sequences,
        response_format=wanted_format,
        reasoning_effort=nearest_effort(model, parameters.reasoning_effort),
        metadata={"principal": principal_key},
        is_exact=True,
    )


def _most_tokens(parameters: ApiParameters, model: Model, *, has_tools: bool) -> int:
    """Return the length limit.

    Agents send none and write whole files in the arguments of a tool, so theirs is what the model
    can write: half a file would be worse than a long answer.
    """
    longest = model.max_answer_tokens(settings.MAX_TOKENS_LIMIT)
    usual = longest if has_tools else settings.MAX_TOKENS
    return min(parameters.most_tokens or usual, settings.MAX_TOKENS_LIMIT)


def _is_set(raw: Raw) -> bool:
    return bool(raw) and bytes(raw) != b"null"


def _within(name: str, number: float) -> float | int:
    """Return the number moved into the range that models accept."""
    least, most, is_whole = RANGES[name]
    moved = min(max(number, least), most)
    return int(moved) if is_whole else moved
