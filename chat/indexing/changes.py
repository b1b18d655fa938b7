"""Tell processes that a collection has changed, and which documents a new one replaces."""

from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from chat.knowledge.models import Collection


def note_change(collection_id: UUID) -> bool:
    """Raise a collection's version, and return whether it still exists.

    Call it in the transaction of the change.
    """
    rows = Collection.objects.filter(pk=collection_id)
    return rows.update(version=F("version") + 1, updated_at=timezone.now()) > 0


def same_document(name: str, address: str) -> Q:
    """Select the versions of a document: those of one web page, or else of one name."""
    return Q(address=address) if address else Q(address="", name=name)
