"""Ask the provider to score texts by how well they answer a question.

Workers AI has its own format. Of other servers, those that rerank (vLLM, llama.cpp, LocalAI, Jina,
Cohere) have `/rerank` in common, with the answer's order by score and an index for each.
"""

from typing import Any

import msgspec
from msgspec import field

from chat.errors import UpstreamDisconnected
from chat.upstream.client import Upstream
from chat.upstream.documents.client import DocumentRequest, fetch_document
from chat.upstream.request import ProviderEndpoint

MAX_ANSWER_BYTES = 4 * 1024 * 1024  # some servers repeat the texts


class _Scored(msgspec.Struct):
    id: int
    score: float


class _Result(msgspec.Struct):
    response: list[_Scored]


class _Envelope(msgspec.Struct):
    result: _Result


class _OtherScored(msgspec.Struct):
    id: int = field(name="index")
    score: float = field(name="relevance_score")


class _OtherAnswer(msgspec.Struct):
    results: list[_OtherScored]


async def rerank(
    upstream: Upstream, model_id: str, query: str, texts: list[str], principal_key: str
) -> list[float]:
    """Return a score for each text, in their order; more is better. Raise `UpstreamError`.

    Scores of different models can't be compared.
    """
    if not texts:
        return []
    url, body = _request(upstream.endpoint, model_id, query, texts)
    request = DocumentRequest(url, msgspec.json.encode(body), principal_key=principal_key)
    document = await fetch_document(upstream, request, MAX_ANSWER_BYTES)
    return _read(document, len(texts), is_workers_ai=upstream.endpoint.is_workers_ai)


def _request(
    endpoint: ProviderEndpoint, model_id: str, query: str, texts: list[str]
) -> tuple[str, dict[str, Any]]:
    if endpoint.is_workers_ai:
        contexts = [{"text": text} for text in texts]
        body = {"query": query, "contexts": contexts, "top_k": len(texts)}
        return endpoint.url(model_id), body
    body = {"model": model_id, "query": query, "documents": texts, "top_n": len(texts)}
    return endpoint.openai_url("rerank"), body


def _read(document: bytes, count: int, *, is_workers_ai: bool) -> list[float]:
    """Return the scores in a document, one for each of `count` texts."""
    scored: list[_Scored] | list[_OtherScored]
    try:
        if is_workers_ai:
            scored = msgspec.json.decode(document, type=_Envelope).result.response
        else:
            scored = msgspec.json.decode(document, type=_OtherAnswer).results
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise UpstreamDisconnected(detail="no scores") from None
    scores = {each.id: each.score for each in scored}
    if scores.keys() != set(range(count)):
        raise UpstreamDisconnected(detail="not a score for each text")
    return [scores[place] for place in range(count)]
