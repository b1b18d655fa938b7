"""Ask the provider for embeddings. Workers AI and OpenAI-compatible servers speak the same format.

The answer is one document, so there is nothing to relay while it arrives.
"""

from array import array
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from chat.errors import UpstreamDisconnected
from chat.lib.worker_thread import off_loop
from chat.upstream.client import Upstream
from chat.upstream.documents.client import DocumentRequest, fetch_document

#: 2,048 vectors of 4,096 numbers would be longer, but no client waits for those.
MAX_ANSWER_BYTES = 64 * 1024 * 1024


class _Vector(msgspec.Struct):
    embedding: msgspec.Raw  # decoded one at a time
    index: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    total_tokens: int = 0


class _Answer(msgspec.Struct):
    data: list[_Vector]
    usage: _Usage | None = None


_decoder = msgspec.json.Decoder(_Answer)
_numbers = msgspec.json.Decoder(list[float])
#: A list would take four times the memory.
Vector: TypeAlias = "array[float]"


@dataclass(frozen=True, slots=True)
class Embeddings:
    """The vectors in the order of the texts; `prompt_tokens` is None if it was not reported."""

    vectors: list[Vector]
    prompt_tokens: int | None


async def embed(
    upstream: Upstream, model_id: str, texts: list[str], principal_key: str
) -> Embeddings:
    """Return a vector for each text. Raise `UpstreamError`."""
    body = msgspec.json.encode({"model": model_id, "input": texts})
    url = upstream.endpoint.openai_url("embeddings")
    request = DocumentRequest(url, body, principal_key=principal_key)
    document = await fetch_document(upstream, request, MAX_ANSWER_BYTES)
    return await off_loop(_read, document, len(texts))


def _read(document: bytes, count: int) -> Embeddings:
    """Return the embeddings in a document, which are as many as there are texts."""
    try:
        answer = _decoder.decode(document)
        if len(answer.data) != count:
            raise UpstreamDisconnected(detail="fewer embeddings than texts")
        items = sorted(enumerate(answer.data), key=lambda each: _place(*each))
        vectors = [array("d", _numbers.decode(each.embedding)) for _position, each in items]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise UpstreamDisconnected(detail="no embeddings") from None
    usage = answer.usage
    counted = usage.prompt_tokens or usage.total_tokens if usage else 0
    return Embeddings(vectors, counted or None)


def _place(position: int, vector: _Vector) -> int:
    return position if vector.index is None else vector.index
