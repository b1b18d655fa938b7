"""Ask the provider for embeddings. Workers AI and OpenAI-compatible servers speak the same format.

The answer is one document, so there is nothing to relay while it arrives.
"""

import json
from dataclasses import dataclass

import msgspec

from chat.errors import UpstreamDisconnected
from chat.upstream.client import Upstream
from chat.upstream.documents.document_client import DocumentRequest, fetch_document

#: 2,048 vectors of 4,096 numbers would be longer, but no client waits for those.
MAX_ANSWER_BYTES = 64 * 1024 * 1024


class _Vector(msgspec.Struct):
    embedding: list[float]
    index: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    total_tokens: int = 0


class _Answer(msgspec.Struct):
    data: list[_Vector]
    usage: _Usage | None = None


_decoder = msgspec.json.Decoder(_Answer)


@dataclass(frozen=True, slots=True)
class Embeddings:
    """The vectors in the order of the texts; `prompt_tokens` is None if it was not reported."""

    vectors: list[list[float]]
    prompt_tokens: int | None


async def embed(
    upstream: Upstream, model_id: str, texts: list[str], principal_key: str
) -> Embeddings:
    """Return a vector for each text. Raise `UpstreamError`."""
    body = json.dumps({"model": model_id, "input": texts}, ensure_ascii=False).encode()
    url = upstream.endpoint.openai_url("embeddings")
    request = DocumentRequest(url, body, principal_key=principal_key)
    document = await fetch_document(upstream, request, MAX_ANSWER_BYTES)
    try:
        answer = _decoder.decode(document)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise UpstreamDisconnected(detail="no embeddings") from None
    if len(answer.data) != len(texts):
        raise UpstreamDisconnected(detail="fewer embeddings than texts")
    found = sorted(enumerate(answer.data), key=lambda each: _place(*each))
    usage = answer.usage
    counted = usage.prompt_tokens or usage.total_tokens if usage else 0
    return Embeddings([each.embedding for _place_given, each in found], counted or None)


def _place(position: int, vector: _Vector) -> int:
    return position if vector.index is None else vector.index
