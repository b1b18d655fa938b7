"""Try the search of a collection."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings

from chat.accounts.principals import Principal
from chat.database import threads
from chat.generations.send.nearest import question_vector
from chat.knowledge.models import Collection
from chat.web.collections.presenters import found_passages

MOST_PASSAGES = 10


async def passages(principal: Principal, collection: Collection, question: str) -> dict[str, Any]:
    """Return the context with what is found; by words alone if the model can't be reached."""
    vector = await question_vector(principal, question)
    hits = await threads.searchers.run(_found, collection.pk, question, vector)
    return {"question": question, "hits": hits, "is_by_words": vector is None}


def _found(
    collection_id: UUID, question: str, vector: Sequence[float] | None
) -> list[dict[str, Any]]:
    from chat.knowledge.search import search  # with numpy

    model = settings.KNOWLEDGE_EMBEDDING_MODEL
    return found_passages(search([collection_id], question, vector, model, MOST_PASSAGES))
