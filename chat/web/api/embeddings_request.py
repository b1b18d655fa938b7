"""Read a request for embeddings, and write the answer as numbers or base64."""

import base64
import struct
from typing import Any, Literal

from msgspec import Struct

from chat.errors import BadRequest
from chat.upstream.embeddings.embedding_client import Embeddings
from chat.web.http.json_body import UnsupportedParameter, decode_body

MAX_TEXTS = 2048


class EmbeddingsRequest(Struct):
    model: str | None = None
    input: str | list[Any] | None = None  # texts or, in OpenAI's API, tokens
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: int | None = None

    @property
    def texts(self) -> list[str]:
        """Return the texts of a checked request."""
        given = self.input
        return [given] if isinstance(given, str) else [str(each) for each in given or ()]


async def read_embeddings_request(body: bytes) -> EmbeddingsRequest:
    """Parse the body. Raise `BadRequest`, which names the field that is wrong."""
    return await decode_body(body, EmbeddingsRequest, checked_embeddings)


def checked_embeddings(asked: EmbeddingsRequest, name: str = "input") -> EmbeddingsRequest:
    """Return the request if it is valid. Raise `BadRequest`. `name` is that of its `input`."""
    if not asked.model:
        raise BadRequest("model: name the model.").at("model")
    if asked.dimensions is not None:
        words = "dimensions: the models here have a fixed number of dimensions."
        raise UnsupportedParameter(words).at("dimensions")
    given = asked.input
    if isinstance(given, list) and any(not isinstance(each, str) for each in given):
        words = "send text, not tokens. In LangChain, set check_embedding_ctx_length=False."
        raise UnsupportedParameter(f"{name}: {words}").at(name)
    if not asked.texts or not all(asked.texts):
        raise BadRequest(f"{name}: there is no text, or an empty one.").at(name)
    if len(asked.texts) > MAX_TEXTS:
        raise BadRequest(f"{name}: at most {MAX_TEXTS} texts are possible.").at(name)
    return asked


def embeddings_object(asked: EmbeddingsRequest, found: Embeddings) -> dict[str, Any]:
    encode = _base64 if asked.encoding_format == "base64" else list
    data = [
        {"object": "embedding", "index": index, "embedding": encode(vector)}
        for index, vector in enumerate(found.vectors)
    ]
    usage = {"prompt_tokens": found.prompt_tokens, "total_tokens": found.prompt_tokens}
    return {"object": "list", "data": data, "model": asked.model, "usage": usage}


def _base64(vector: list[float]) -> str:
    """Return the numbers as little-endian 32-bit floats, which SDKs ask for by default."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
