"""Translate the options of a request into parameters of chat completions.

Options that are missing here say how to load a model, or how Ollama samples, and are ignored.
"""

from typing import Annotated, Any

import msgspec
from django.conf import settings
from msgspec import Meta, Raw, Struct

from chat.errors import BadRequest
from chat.lib.catalogue import Model
from chat.upstream.chunks import NOTHING
from chat.web.api.chat_request import ApiParameters
from chat.web.http.json_body import UnsupportedParameter
from chat.web.streams.request_parameters import ResponseFormat

#: Of one request; templates of Ollama's own models have half as many.
MAX_STOPS = 16
LEVELS = frozenset({"low", "medium", "high", "max"})
JSON = "json"

StopSequence = Annotated[str, Meta(max_length=1000)]
Number = int | float | None


class Options(Struct):
    """What is honoured. Ollama takes whole numbers for fractions and the other way round."""

    num_predict: Number = None
    temperature: Number = None
    top_p: Number = None
    top_k: Number = None
    min_p: Number = None
    typical_p: Number = None
    seed: Number = None
    repeat_penalty: Number = None
    presence_penalty: Number = None
    frequency_penalty: Number = None
    stop: StopSequence | Annotated[list[StopSequence], Meta(max_length=MAX_STOPS)] | None = None


class AnswerSettings(Struct, kw_only=True):
    """What requests for a chat and for a single answer have in common."""

    model: str | None = None
    stream: bool | None = None
    format: str | dict[str, Any] | None = None
    options: Options | None = None
    think: bool | str | None = None
    keep_alive: float | str | None = None
    logprobs: bool | None = None

    @property
    def is_streamed(self) -> bool:
        return self.stream is not False

    @property
    def shows_thinking(self) -> bool:
        """Return whether the answer has the reasoning: Ollama shows it by default."""
        return self.think is not False

    @property
    def unloads(self) -> bool:
        """Return whether a request without a question asks to free the model's memory."""
        if isinstance(self.keep_alive, str):
            return self.keep_alive.strip().rstrip("smh") == "0"
        return self.keep_alive == 0


def require_usable(request: AnswerSettings) -> None:
    """Raise `BadRequest` for a request without a model, or with what is not supported."""
    if not request.model:
        raise BadRequest("model is required").at("model")
    if request.logprobs:
        raise UnsupportedParameter("logprobs: not supported here.").at("logprobs")
    if isinstance(request.think, str) and request.think not in LEVELS:
        words = 'think: expected true, false, "low", "medium" or "high".'
        raise BadRequest(words).at("think")
    if isinstance(request.format, str) and request.format not in ("", JSON):
        raise BadRequest('format: expected "json" or a JSON schema.').at("format")


def parameters_of(request: AnswerSettings, model: Model, tools: Raw = NOTHING) -> ApiParameters:
    """Return the parameters of a request that is usable."""
    options = request.options or Options()
    return ApiParameters(
        model=model.id,
        max_tokens=_most_tokens(options.num_predict, model),
        temperature=options.temperature,
        top_p=options.top_p,
        top_k=options.top_k,
        seed=_seed(options.seed),
        repetition_penalty=options.repeat_penalty,
        presence_penalty=options.presence_penalty,
        frequency_penalty=options.frequency_penalty,
        min_p=_raw(options.min_p),
        typical_p=_raw(options.typical_p),
        stop=options.stop,
        response_format=_response_format(request.format),
        reasoning_effort=_effort(request.think),  # type: ignore[arg-type]
        tools=tools,
    )


def _most_tokens(num_predict: Number, model: Model) -> int | None:
    """Return the length limit. Numbers below 1 mean that the model decides."""
    if num_predict is None:
        return None
    longest = model.max_answer_tokens(settings.MAX_TOKENS_LIMIT)
    return min(int(num_predict), longest) if num_predict >= 1 else longest


def _seed(seed: Number) -> int | None:
    """Return the seed; below 0, Ollama takes a random one."""
    return int(seed) if seed is not None and seed >= 0 else None


def _effort(think: bool | str | None) -> str | None:
    """Return the effort; None leaves it to the model, which thinks as it usually does."""
    if think is False:
        return "none"
    return think if isinstance(think, str) else None


def _response_format(wanted: str | dict[str, Any] | None) -> ResponseFormat | None:
    if not wanted:
        return None
    if isinstance(wanted, str):
        return ResponseFormat("json_object")
    schema = {"name": "answer", "schema": wanted}
    return ResponseFormat("json_schema", Raw(msgspec.json.encode(schema)))


def _raw(number: Number) -> Raw:
    return NOTHING if number is None else Raw(msgspec.json.encode(number))
