"""Read a request for embeddings, and write the answer as numbers or base64."""

import sys
from array import array
from collections.abc import Callable, Iterable
from itertools import starmap
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from chat.errors import BadRequest
from chat.lib.worker_thread import off_loop
from chat.upstream.embeddings.client import Embeddings, Vector
from chat.web.http.json_body import UnsupportedParameter, decode_body

MAX_TEXTS = 2048
#: Encoded in one go; other calls have their turn in between.
VECTORS_AT_ONCE = 50


class EmbeddingsRequest(Struct):
    model: str | None = None
    input: str | list[Any] | None = None  # texts or, in OpenAI's API, tokens
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: int | None = None

    @property
    def texts(self) -> list[str]:
        """Return the texts of a checked request."""
        value = self.input
        return [value] if isinstance(value, str) else [str(each) for each in value or ()]


async def read_embeddings_request(body: bytes) -> EmbeddingsRequest:
    """Parse the body. Raise `BadRequest`, which names the field that is wrong."""
    return await decode_body(body, EmbeddingsRequest, checked_embeddings)


def checked_embeddings(request: EmbeddingsRequest, name: str = "input") -> EmbeddingsRequest:
    """Return the request if it is valid. Raise `BadRequest`. `name` is that of its `input`."""
    if not request.model:
        raise BadRequest("model: name the model.").at("model")
    if request.dimensions is not None:
        words = "dimensions: the models here have a fixed number of dimensions."
        raise UnsupportedParameter(words).at("dimensions")
    value = request.input
    if isinstance(value, list) and any(not isinstance(each, str) for each in value):
        words = "send text, not tokens. In LangChain, set check_embedding_ctx_length=False."
        raise UnsupportedParameter(f"{name}: {words}").at(name)
    if not request.texts or not all(request.texts):
        raise BadRequest(f"{name}: there is no text, or an empty one.").at(name)
    if len(request.texts) > MAX_TEXTS:
        raise BadRequest(f"{name}: at most {MAX_TEXTS} texts are possible.").at(name)
    return request


async def embeddings_object(request: EmbeddingsRequest, embeddings: Embeddings) -> dict[str, Any]:
    """Return the answer in OpenAI's format, with the vectors encoded already."""
    write = _base64_item if request.encoding_format == "base64" else _item
    usage = {"prompt_tokens": embeddings.prompt_tokens, "total_tokens": embeddings.prompt_tokens}
    data = await _encoded(embeddings.vectors, write)
    return {"object": "list", "data": data, "model": request.model, "usage": usage}


async def vectors_object(embeddings: Embeddings) -> dict[str, Any]:
    """Return the answer in Cloudflare's format, with the vectors encoded already."""
    shape = [len(embeddings.vectors), len(embeddings.vectors[0])]
    return {"shape": shape, "data": await plain_vectors(embeddings)}


async def plain_vectors(embeddings: Embeddings) -> Raw:
    """Return the list of vectors, encoded already."""
    return await _encoded(embeddings.vectors, _plain_item)


async def _encoded(vectors: list[Vector], write: Callable[[int, Vector], bytes]) -> Raw:
    """Return a JSON list. Two million numbers take a second, so they are encoded in steps."""
    parts: list[bytes] = []
    for start in range(0, len(vectors), VECTORS_AT_ONCE):
        some = vectors[start : start + VECTORS_AT_ONCE]
        parts.append(await off_loop(_joined, enumerate(some, start), write))
    return Raw(b"[" + b",".join(parts) + b"]")


def _joined(vectors: Iterable[tuple[int, Vector]], write: Callable[[int, Vector], bytes]) -> bytes:
    return b",".join(starmap(write, vectors))


def _item(index: int, vector: Vector) -> bytes:
    item = {"object": "embedding", "index": index, "embedding": vector.tolist()}
    return msgspec.json.encode(item)


def _base64_item(index: int, vector: Vector) -> bytes:
    """Return the numbers as little-endian 32-bit floats, which SDKs ask for by default."""
    numbers = array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    item = {"object": "embedding", "index": index, "embedding": numbers.tobytes()}
    return msgspec.json.encode(item)  # bytes in base64


def _plain_item(_index: int, vector: Vector) -> bytes:
    return msgspec.json.encode(vector.tolist())
