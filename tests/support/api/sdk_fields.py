"""Where the site's answers differ from the types of OpenAI's package, field by field."""

from openai.types import CompletionChoice, Model, audio, chat, responses, shared
from openai.types.chat import chat_completion, chat_completion_chunk
from pydantic import BaseModel

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
