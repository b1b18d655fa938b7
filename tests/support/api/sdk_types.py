"""Check answers of the API against the types of OpenAI's and Anthropic's packages, field by field.

The packages' types are generated from the published specifications. They read leniently, so what
they leave open is checked here.
"""

import json
from functools import cache
from typing import Any

import openai
from openai.types import CompletionChoice, Model, audio, chat, responses, shared
from openai.types.chat import chat_completion, chat_completion_chunk
from pydantic import BaseModel, TypeAdapter

#: What the site sends in addition, by type.
ADDITIONS: dict[type[BaseModel], set[str]] = {
    chat.ChatCompletionMessage: {"reasoning_content"},
    chat_completion_chunk.ChoiceDelta: {"reasoning_content"},
    # OpenRouter's, which clients read
    Model: {"name", "context_length", "pricing"},
    # some clients read the error in it, others its fields beside the event's type
    responses.ResponseErrorEvent: {"error"},
    # in the published specification
    responses.ResponseFunctionCallArgumentsDoneEvent: {"name"},
    # OpenAI's API sends these too
    responses.Response: {"store"},
    responses.ResponseCustomToolCall: {"status"},
    audio.TranscriptionVerbose: {"task"},
}
#: Fields of OpenAI's that are required and may be null; to the types, they are optional.
REQUIRED: dict[type[BaseModel], set[str]] = {
    chat.ChatCompletionMessage: {"content", "refusal"},
    chat_completion.Choice: {"logprobs"},
    chat_completion_chunk.Choice: {"finish_reason"},
    chat_completion.ChoiceLogprobs: {"content", "refusal"},
    chat_completion_chunk.ChoiceLogprobs: {"content", "refusal"},
    chat.ChatCompletionTokenLogprob: {"bytes"},
    chat.chat_completion_token_logprob.TopLogprob: {"bytes"},
    responses.FunctionTool: {"parameters", "strict"},
    responses.Response: {
        "error",
        "incomplete_details",
        "instructions",
        "metadata",
        "temperature",
        "top_p",
    },
    responses.ResponseErrorEvent: {"code", "param"},
    responses.ResponseOutputText: {"logprobs"},
    shared.ErrorObject: {"code", "param"},
}
#: Other fields of OpenAI's that may be null; to the types, every optional field may.
NULLABLE: dict[type[BaseModel], set[str]] = {
    CompletionChoice: {"logprobs"},
    chat_completion_chunk.Choice: {"logprobs"},
    responses.FunctionTool: {"description"},
    responses.Response: {"max_output_tokens", "previous_response_id"},
    responses.ResponseFormatTextJSONSchemaConfig: {"strict"},
    shared.Reasoning: {"effort", "summary"},
}


def require_conforming(kind: Any, value: Any) -> Any:
    """Return the value in the SDK's type. All of its fields are known, and none is missing."""
    read = _adapter(kind).validate_json(json.dumps(value), strict=True)
    _require_strictly(read)
    return read


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _require_strictly(read: Any) -> None:
    if isinstance(read, BaseModel):
        kind = type(read)
        assert set(read.model_extra or ()) <= ADDITIONS.get(kind, set()), (kind, read.model_extra)
        sent = {name: getattr(read, name) for name in read.model_fields_set}
        if isinstance(read, openai.BaseModel):
            required = REQUIRED.get(kind, set())
            nulls = {name for name, value in sent.items() if value is None}
            assert required <= sent.keys(), (kind, required - sent.keys())
            assert nulls <= required | NULLABLE.get(kind, set()), (kind, nulls)
        for value in sent.values():
            _require_strictly(value)
    elif isinstance(read, list):
        for each in read:
            _require_strictly(each)
