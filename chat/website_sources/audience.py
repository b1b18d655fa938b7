"""Whom pages are for: a website's visitors, too, or only its team.

Each has its collection. The functions are called in a transaction, which locks sources first, then
pages, then collections.
"""

from collections.abc import Iterable, Sequence

from django.utils import timezone

from chat.indexing.changes import note_changes_of
from chat.indexing.errors import CollectionFull
from chat.knowledge.access import own_collection, own_documents
from chat.knowledge.models import MAX_DOCUMENTS
from chat.website_sources import scope
from chat.website_sources.addresses import bare
from chat.website_sources.models import WebsitePage, WebsiteSource


def move(source: WebsiteSource) -> None:
    """Move the texts of a source to the collection that it is for. Raise `CollectionFull`."""
    documents = own_documents(source.site_id).filter(address__in=source.pages.values("address"))
    target = own_collection(source.site, is_for_team=source.is_for_team)
    moved = documents.exclude(collection=target)
    if target.documents.count() + moved.count() > MAX_DOCUMENTS:
        raise CollectionFull
    note_changes_of(moved, target.pk)
    moved.update(collection=target)


def take_over(source: WebsiteSource) -> None:
    """Make all pages that a source for the team may read its own, before it is read itself.

    What it lists isn't known: its sitemap may fail, or it was stopped. What one of its pages
    repeats may be the same page at another spelling of its address.
    """
    others = WebsitePage.objects.filter(site=source.site_id, source__is_for_team=False)
    ids = dict(others.filter(is_sitemap=False).values_list("address", "pk"))
    duplicates = source.pages.filter(state=WebsitePage.State.DUPLICATE)
    same = set(map(bare, duplicates.values_list("address", flat=True)))
    taken = [*scope.inside(source, ids), *(each for each in ids if bare(each) in same)]
    _give(source, [ids[each] for each in taken])


def claim(source: WebsiteSource, known: Iterable[WebsitePage]) -> None:
    """Make pages that a source for the team lists its own, if they are of sources for visitors.

    Until they are read again, nobody gets answers from them.
    """
    ids = [each.pk for each in known if each.source_id != source.pk]
    pages = WebsitePage.objects.filter(pk__in=ids, source__is_for_team=False)
    claimed = dict(pages.values_list("pk", "address"))
    if claimed:
        _give(source, claimed)
        remove_texts(source.site_id, list(claimed.values()))


def _give(source: WebsiteSource, page_ids: Iterable[int]) -> None:
    """Make pages those of another source. They are read again, for their links."""
    WebsitePage.objects.filter(pk__in=list(page_ids)).update(
        source=source,
        state=WebsitePage.State.WAITING,
        etag="",
        last_modified="",
        due_at=timezone.now(),
        failures=0,
    )


def is_twin(page: WebsitePage, text_hash: str) -> bool:
    """Return whether a page for the team has this text, at another spelling of the address."""
    same = WebsitePage.objects.filter(site=page.site_id, text_hash=text_hash)
    addresses = same.filter(source__is_for_team=True).values_list("address", flat=True)
    return any(bare(each) == bare(page.address) for each in addresses)


def hide_twins(page: WebsitePage, text_hash: str) -> None:
    """Take this text of a page for the team from visitors, at other spellings of its address."""
    same = WebsitePage.objects.filter(site=page.site_id, text_hash=text_hash)
    addresses = same.filter(source__is_for_team=False).values_list("pk", "address")
    twins = {pk: each for pk, each in addresses if bare(each) == bare(page.address)}
    WebsitePage.objects.filter(pk__in=twins).update(
        state=WebsitePage.State.DUPLICATE, text_hash="", etag="", last_modified=""
    )
    remove_texts(page.site_id, list(twins.values()))


def remove_texts(site_id: int, addresses: Sequence[str]) -> None:
    """Delete the texts of a website's pages."""
    documents = own_documents(site_id).filter(address__in=addresses)
    note_changes_of(documents)
    documents.delete()
