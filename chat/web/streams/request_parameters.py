"""Define the parameters of a request besides its messages: honoured, ignored or refused.

A parameter that would change an answer but is not supported is refused by name, in every API alike:
the table is in docs/front_ends.md. Names that no protocol defines are a page's own (`useChat` sends
some), so only APIs that implement a protocol refuse them: see `forbid_unknown_fields` there.
"""

from collections.abc import Collection
from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from msgspec import Meta, Raw, Struct

from chat.errors import BadRequest
from chat.lib.catalogue import ReasoningEffort
from chat.personas.parameters import MAX_TOKENS, RANGES
from chat.upstream.chunks import NOTHING, value_of
from chat.web.http.json_body import UnsupportedParameter, decode_part

MAX_SCHEMA_BYTES = 64 * 1024
StopSequence = Annotated[str, Meta(min_length=1, max_length=200)]
Tokens = Annotated[int, Meta(ge=1, le=int(MAX_TOKENS.most))]


class ResponseFormat(Struct):
    """OpenAI's response format; `json_schema` may also be the bare schema, as in Workers AI."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: Raw = NOTHING


class StreamOptions(Struct):
    include_usage: bool | None = None


class AnswerParameters(Struct, kw_only=True):
    """Parameters that are honoured. Ranges are those of Workers AI's schema."""

    max_tokens: Tokens | None = None
    max_completion_tokens: Tokens | None = None  # OpenAI's newer name, which takes precedence
    temperature: Annotated[float, Meta(ge=0, le=5)] | None = None
    top_p: Annotated[float, Meta(ge=0.001, le=1)] | None = None
    top_k: Annotated[int, Meta(ge=1, le=50)] | None = None
    seed: Annotated[int, Meta(ge=1, le=9_999_999_999)] | None = None
    repetition_penalty: Annotated[float, Meta(ge=0, le=2)] | None = None
    frequency_penalty: Annotated[float, Meta(ge=-2, le=2)] | None = None
    presence_penalty: Annotated[float, Meta(ge=-2, le=2)] | None = None
    stop: StopSequence | Annotated[list[StopSequence], Meta(max_length=4)] | None = None
    response_format: ResponseFormat | None = None
    reasoning_effort: ReasoningEffort | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None

    @property
    def numbers(self) -> dict[str, float | int]:
        """The submitted parameters that a persona can also set."""
        numbers = {name: getattr(self, name) for name in RANGES}
        return {name: number for name, number in numbers.items() if number is not None}

    @property
    def most_tokens(self) -> int | None:
        return self.max_completion_tokens or self.max_tokens

    @property
    def stop_sequences(self) -> tuple[str, ...]:
        if isinstance(self.stop, str):
            return (self.stop,)
        return tuple(self.stop or ())


class KnownParameters(AnswerParameters, kw_only=True):
    """All parameters of OpenAI's chat completions, Workers AI and their clients.

    First those without an effect here, then those that are refused if they would change the answer
    (`HARMLESS_VALUES`).
    """

    user: Raw = NOTHING
    store: Raw = NOTHING
    metadata: Raw = NOTHING
    service_tier: Raw = NOTHING
    prompt_cache_key: Raw = NOTHING
    prompt_cache_retention: Raw = NOTHING
    safety_identifier: Raw = NOTHING
    prediction: Raw = NOTHING
    parallel_tool_calls: Raw = NOTHING

    tools: Raw = NOTHING
    tool_choice: Raw = NOTHING
    functions: Raw = NOTHING
    function_call: Raw = NOTHING
    n: Raw = NOTHING
    best_of: Raw = NOTHING
    logprobs: Raw = NOTHING
    top_logprobs: Raw = NOTHING
    logit_bias: Raw = NOTHING
    modalities: Raw = NOTHING
    audio: Raw = NOTHING
    web_search_options: Raw = NOTHING
    verbosity: Raw = NOTHING
    chat_template_kwargs: Raw = NOTHING
    thinking: Raw = NOTHING
    reasoning: Raw = NOTHING
    instructions: Raw = NOTHING
    system: Raw = NOTHING
    echo: Raw = NOTHING
    suffix: Raw = NOTHING
    raw: Raw = NOTHING
    lora: Raw = NOTHING
    image: Raw = NOTHING
    guided_json: Raw = NOTHING


_OFF = (None, False)
_CHOICES_WITHOUT_TOOLS = (None, "none", "auto")
#: Values of refused parameters that ask for the default behaviour, as decoded JSON.
HARMLESS_VALUES: dict[str, tuple[Any, ...]] = {
    "tools": (None, [], {}),
    "tool_choice": _CHOICES_WITHOUT_TOOLS,
    "functions": (None, []),
    "function_call": _CHOICES_WITHOUT_TOOLS,
    "n": (None, 1),
    "best_of": (None, 1),
    "logprobs": _OFF,
    "top_logprobs": (None, 0),
    "logit_bias": (None, {}),
    "modalities": (None, ["text"]),
    "audio": (None,),
    "web_search_options": (None,),
    "verbosity": (None, "medium"),
    "chat_template_kwargs": (None, {}),
    "thinking": (None,),
    "reasoning": (None,),
    "instructions": (None, ""),
    "system": (None, ""),
    "echo": _OFF,
    "suffix": (None, ""),
    "raw": _OFF,
    "lora": (None,),
    "image": (None,),
    "guided_json": (None,),
}


def require_supported(parameters: KnownParameters, honoured: Collection[str] = ()) -> None:
    """Raise `UnsupportedParameter` for the first parameter that would have an effect.

    `honoured` are parameters that this API supports, unlike others.
    """
    for name, harmless in HARMLESS_VALUES.items():
        if name in honoured:
            continue
        raw: Raw = getattr(parameters, name)
        if raw and not _is_one_of(raw, harmless):
            raise unsupported(name)


def require_stream(parameters: AnswerParameters) -> None:
    """Raise `UnsupportedParameter` if the request turns streaming off."""
    if parameters.stream is False:
        raise UnsupportedParameter(_("stream: this address only streams answers."))


def unsupported(name: str) -> UnsupportedParameter:
    text = _("{name}: not supported by this chat.").format(name=name)
    return UnsupportedParameter(text).at(name)


def _is_one_of(raw: Raw, harmless: tuple[Any, ...]) -> bool:
    if bytes(raw) == b"null":
        return True
    value = value_of(raw, max_bytes=40)
    # `true == 1` in Python but not in JSON
    return value is not None and any(value == e and type(value) is type(e) for e in harmless)


def response_format_of(parameters: AnswerParameters) -> dict[str, Any] | None:
    """Return the format as OpenAI's clients write it; None for text. Raise `BadRequest`."""
    wanted = parameters.response_format
    if wanted is None or wanted.type == "text":
        return None
    if wanted.type == "json_object":
        return {"type": "json_object"}
    raw = wanted.json_schema
    is_usable = raw and len(raw) <= MAX_SCHEMA_BYTES
    value = decode_part(raw, Any, "response_format.json_schema") if is_usable else None
    if not isinstance(value, dict) or not value:
        raise BadRequest(_("response_format.json_schema: expected a JSON schema."))
    schema = value.get("schema", value)
    if not isinstance(schema, dict):
        raise BadRequest(_("response_format.json_schema: expected a JSON schema."))
    named = {"name": "answer", "schema": schema}
    named |= {key: value[key] for key in ("name", "strict") if value is not schema and key in value}
    return {"type": "json_schema", "json_schema": named}
