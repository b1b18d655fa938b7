"""Read requests of Ollama's API for embeddings: many texts, or in the older form one."""

from msgspec import Struct

from chat.web.api.embeddings_request import EmbeddingsRequest, checked_embeddings
from chat.web.http.json_body import decode_body


class PromptRequest(Struct):
    model: str | None = None
    prompt: str | None = None


async def read_embed(body: bytes) -> EmbeddingsRequest:
    """Parse the body. Raise `BadRequest`, which names the field that is wrong."""
    return await decode_body(body, EmbeddingsRequest, _checked)


async def read_prompt(body: bytes) -> EmbeddingsRequest:
    """Parse the body of the older form. Raise `BadRequest`, which names the wrong field."""
    return await decode_body(body, PromptRequest, _of_prompt)


def _of_prompt(request: PromptRequest) -> EmbeddingsRequest:
    return _checked(EmbeddingsRequest(request.model, request.prompt), "prompt")


def _checked(request: EmbeddingsRequest, name: str = "input") -> EmbeddingsRequest:
    """Return the request if it is valid; without a text, it only loads the model."""
    if request.model and not request.input:
        return request
    return checked_embeddings(request, name)
