"""Collections of documents as OpenAI's vector stores, which the tool `file_search` searches."""

import uuid
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.utils.functional import lazystr

from chat.errors import CollectionUnavailable, NotFound
from chat.knowledge.access import collections_of, some_collections_of
from chat.knowledge.models import Collection, Document
from chat.personas.access import uuid_of

PREFIX = "vs_"
MOST = 100


class UnknownVectorStore(NotFound):
    code = "unknown_vector_store"
    text = lazystr("There is no such vector store. GET /v1/vector_stores lists those you can use.")


def vector_stores(user_id: int) -> list[dict[str, Any]]:
    """Return the collections that a member may use."""
    return [_as_store(each) for each in _counted(user_id)[:MOST]]


def vector_store(user_id: int, store_id: str) -> dict[str, Any]:
    """Return one of them. Raise `UnknownVectorStore`."""
    pk = uuid_of(store_id.removeprefix(PREFIX), UnknownVectorStore)
    found = _counted(user_id).filter(pk=pk).first()
    if found is None:
        raise UnknownVectorStore
    return _as_store(found)


def collection_ids(user_id: int, store_ids: list[str]) -> list[uuid.UUID]:
    """Return the collections to search. Raise `UnknownVectorStore`."""
    try:
        return some_collections_of(user_id, [each.removeprefix(PREFIX) for each in store_ids])
    except CollectionUnavailable:
        raise UnknownVectorStore from None


def _counted(user_id: int) -> QuerySet[Collection]:
    waiting = Q(documents__state__in=[Document.State.WAITING, Document.State.INDEXING])
    return collections_of(user_id).annotate(
        total=Count("documents"),
        failed=Count("documents", filter=Q(documents__state=Document.State.FAILED)),
        in_progress=Count("documents", filter=waiting),
        usage=Sum("documents__stored_bytes", default=0),
    )


def _as_store(collection: Any) -> dict[str, Any]:
    done = collection.total - collection.failed - collection.in_progress
    return {
        "id": f"{PREFIX}{collection.pk.hex}",
        "object": "vector_store",
        "created_at": int(collection.created_at.timestamp()),
        "last_active_at": int(collection.updated_at.timestamp()),
        "name": collection.name,
        "usage_bytes": collection.usage,
        "status": "in_progress" if collection.in_progress else "completed",
        "file_counts": {
            "in_progress": collection.in_progress,
            "completed": done,
            "failed": collection.failed,
            "cancelled": 0,
            "total": collection.total,
        },
        "metadata": {},
    }
