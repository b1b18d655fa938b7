"""Tell processes that a collection has changed."""

from uuid import UUID

from django.db.models import F
from django.utils import timezone

from chat.knowledge.models import Collection


def note_change(collection_id: UUID) -> bool:
    """Raise a collection's version, and return whether it still exists.

    Call it in the transaction of the change.
    """
    rows = Collection.objects.filter(pk=collection_id)
    return rows.update(version=F("version") + 1, updated_at=timezone.now()) > 0
