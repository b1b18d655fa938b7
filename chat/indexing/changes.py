"""Tell processes that a collection has changed, and which documents a new one replaces."""

from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from chat.knowledge.models import Collection, Document


def note_change(collection_id: UUID) -> bool:
    """Raise a collection's version, and return whether it still exists.

    Call it in the transaction of the change.
    """
    rows = Collection.objects.filter(pk=collection_id)
    return rows.update(version=F("version") + 1, updated_at=timezone.now()) > 0


def note_changes_of(documents: "QuerySet[Document]", *others: UUID) -> None:
    """Raise the versions of the collections that these documents are in, and of the others.

    Everybody locks them in the same order.
    """
    for pk in sorted({*documents.order_by().values_list("collection", flat=True), *others}):
        note_change(pk)


def same_document(name: str, address: str) -> Q:
    """Select the versions of a document: those of one web page, or else of one name."""
    return Q(address=address) if address else Q(address="", name=name)
