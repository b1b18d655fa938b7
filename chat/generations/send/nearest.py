"""Find the passages that are nearest to a question, with the provider's help where there is any.

Without the question's vector (the provider is away, a limit is reached), words alone find them, and
without the reranker they stay in the order of the search.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from chat.accounts.principals import Principal
from chat.database import threads
from chat.errors import ChatError
from chat.generations.send.document_query import DocumentQuery
from chat.generations.send.embedding import embed_texts
from chat.generations.send.reranking import rerank_texts
from chat.knowledge import excerpts
from chat.knowledge.given import GivenPassage
from chat.upstream.embeddings.client import Vector

if TYPE_CHECKING:
    from chat.knowledge.search import FoundPassage

log = logging.getLogger(__name__)

EMBEDDING_SECONDS = 4.0
RERANKING_SECONDS = 4.0
MOST_PASSAGES = 10
#: Passages that a reranker puts in order.
RERANKED_PASSAGES = 30


class Nearest(NamedTuple):
    """The passages with their texts, best first, and the question's vector if there is one."""

    passages: list[GivenPassage]
    vector: "Vector | None"

    @property
    def is_by_words(self) -> bool:
        return self.vector is None


async def nearest(principal: Principal, query: DocumentQuery, most: int = MOST_PASSAGES) -> Nearest:
    """Return the passages that are nearest to a question."""
    vector = await _question_vector(principal, query.text)
    searched = max(most, RERANKED_PASSAGES if settings.KNOWLEDGE_RERANK_MODEL else 0)
    found = await threads.searchers.run(_found, query, vector, searched)
    passages = await _reranked(principal, query.text, found)
    return Nearest(passages[:most], vector)


async def _question_vector(principal: Principal, text: str) -> "Vector | None":
    """Return the vector of a question; None if there is no model for it, or none that answers."""
    model = settings.EMBEDDING_MODELS.get(settings.KNOWLEDGE_EMBEDDING_MODEL)
    if model is None or not text:
        return None
    try:
        async with asyncio.timeout(EMBEDDING_SECONDS):
            embeddings = await embed_texts(principal, model, [text], is_message=False)
    except (ChatError, TimeoutError) as error:
        log.warning("searching documents by words alone: %s", error or "no vector in time")
        return None
    return embeddings.vectors[0]


async def _reranked(
    principal: Principal, question: str, passages: list[GivenPassage]
) -> list[GivenPassage]:
    model = settings.RERANK_MODELS.get(settings.KNOWLEDGE_RERANK_MODEL)
    if model is None or not question:
        return passages
    try:
        async with asyncio.timeout(RERANKING_SECONDS):
            texts = [f"{each.section}\n{each.text}".strip() for each in passages]
            scores = await rerank_texts(principal, model, question, texts)
    except (ChatError, TimeoutError) as error:
        log.warning("passages stay in the order of the search: %s", error or "no answer in time")
        return passages
    ordered = sorted(zip(scores, passages, strict=True), key=lambda each: -each[0])
    return [passage for _score, passage in ordered]


def _found(query: DocumentQuery, vector: "Vector | None", most: int) -> list[GivenPassage]:
    from chat.knowledge import search  # with numpy, which commands don't need

    model = settings.KNOWLEDGE_EMBEDDING_MODEL
    hits = search.search(query.collections, query.text, vector, model, most, query.page)
    return excerpts.with_texts(numbered(hits), query.collections)


def numbered(hits: "Sequence[FoundPassage]") -> list[GivenPassage]:
    """Return the passages with their numbers, but without names and texts."""
    return [
        GivenPassage(
            number=number,
            document=hit.document_id,
            name="",
            start=hit.passage.start,
            end=hit.passage.end,
            page=hit.passage.page,
            section=hit.passage.context,
            anchor=hit.passage.anchor,
            words=hit.words,
            similarity=hit.similarity,
            distinction=hit.distinction,
        )
        for number, hit in enumerate(hits, start=1)
    ]
