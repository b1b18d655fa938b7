"""Whom pages are for: a website's visitors, too, or only its team.

Each has its collection. The functions are called in a transaction, which locks sources first, then
pages, then collections.
"""

from collections.abc import Iterable, Sequence

from django.utils import timezone

from chat.indexing.changes import note_change, note_changes_of
from chat.indexing.errors import CollectionFull
from chat.knowledge.access import own_collection, own_documents
from chat.knowledge.models import MAX_DOCUMENTS
from chat.website_sources.models import WebsitePage, WebsiteSource


def move(source: WebsiteSource) -> None:
    """Move the texts of a source to the collection that it is for. Raise `CollectionFull`."""
    documents = own_documents(source.site_id).filter(address__in=source.pages.values("address"))
    target = own_collection(source.site, is_for_team=source.is_for_team)
    moved = documents.exclude(collection=target)
    if target.documents.count() + moved.count() > MAX_DOCUMENTS:
        raise CollectionFull
    note_changes_of(moved)
    note_change(target.pk)
    moved.update(collection=target)


def claim(source: WebsiteSource, known: Iterable[WebsitePage]) -> None:
    """Make pages that a source for the team lists its own, if they are of sources for visitors.

    They are read again, for their links. Until then, nobody gets answers from them.
    """
    ids = [each.pk for each in known if each.source_id != source.pk]
    pages = WebsitePage.objects.filter(pk__in=ids, source__is_for_team=False)
    claimed = dict(pages.values_list("pk", "address"))
    if not claimed:
        return
    WebsitePage.objects.filter(pk__in=claimed).update(
        source=source,
        state=WebsitePage.State.WAITING,
        etag="",
        last_modified="",
        text_hash="",
        due_at=timezone.now(),
        failures=0,
    )
    remove_texts(source.site_id, list(claimed.values()))


def remove_texts(site_id: int, addresses: Sequence[str]) -> None:
    """Delete the texts of a website's pages."""
    documents = own_documents(site_id).filter(address__in=addresses)
    note_changes_of(documents)
    documents.delete()
