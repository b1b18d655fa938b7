"""Fetch collections and documents with an access check.

All code that handles ids from requests uses these functions. Who may use a collection may read its
documents; only its owner and, for the site's, staff may change it. The collections of a website
itself are not among them: whoever may change the website changes these (website_collection).
"""

import uuid
from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet

from chat.errors import CollectionUnavailable, NotFound
from chat.knowledge.models import Collection, Document
from chat.personas.access import editable, editable_object, usable, uuid_of
from chat.widget_sites.models import WidgetSite

#: Those that a website's pages keep are in no list.
_LISTED = Q(website=None, team_website=None)


def collections_of(user_id: int) -> QuerySet[Collection]:
    """Return the collections that a member may use, by name."""
    return usable(Collection, user_id).filter(_LISTED)


def some_collections_of(user_id: int, collection_ids: Iterable[str | uuid.UUID]) -> list[uuid.UUID]:
    """Return the ids of these collections.

    Raise `CollectionUnavailable` if the member may not, or no longer, use one.
    """
    wanted = {uuid_of(each, CollectionUnavailable) for each in collection_ids}
    known = list(collections_of(user_id).filter(pk__in=wanted).values_list("pk", flat=True))
    if len(known) != len(wanted):
        raise CollectionUnavailable
    return known


def collection_of(user_id: int, collection_id: str | uuid.UUID) -> Collection:
    """Return a collection that the member may use; raise `NotFound` if there is none."""
    found = collections_of(user_id).filter(pk=uuid_of(collection_id, NotFound)).first()
    if found is None:
        raise NotFound
    return found


def editable_collection(user_id: int, collection_id: str | uuid.UUID) -> Collection:
    """Return a collection that the member may change; raise `NotFound` if there is none."""
    collection = editable_object(Collection, user_id, collection_id)
    if collection.is_of_website:
        raise NotFound
    return collection


def document_of(user_id: int, document_id: str | uuid.UUID) -> Document:
    """Return a document that the member may read; raise `NotFound` if there is none."""
    return _document(collections_of(user_id), document_id)


def editable_document(user_id: int, document_id: str | uuid.UUID) -> Document:
    """Return a document that the member may change; raise `NotFound` if there is none."""
    return _document(editable(Collection, user_id).filter(_LISTED), document_id)


def readable_documents(user_id: int, document_ids: Iterable[uuid.UUID]) -> set[uuid.UUID]:
    """Return which of these documents exist and may be read by the member."""
    wanted = Document.objects.filter(pk__in=set(document_ids))
    among = collections_of(user_id).order_by().values("pk")
    return set(wanted.filter(collection__in=among).values_list("pk", flat=True))


def searched_for_member(
    user_id: int,
    persona_id: uuid.UUID | None,
    project_id: uuid.UUID | None,
    chosen: Iterable[str | uuid.UUID],
) -> list[uuid.UUID]:
    """Return the collections that answer a member: of their persona and project, and chosen ones.

    Without those that they may not, or no longer, use.
    """
    wanted = Q(pk__in=list(chosen))
    if persona_id:
        wanted |= Q(personas=persona_id)
    if project_id:
        wanted |= Q(projects=project_id)
    return _ids(collections_of(user_id).filter(wanted))


def searched_for_visitors(site_key: str) -> list[uuid.UUID]:
    """Return the collections that answer a website's visitors.

    They are the website's own and those that were chosen for it, which its owner must be able to
    use; not those of its persona: what everybody can read is chosen as such. What is for the
    website's team is never among them, even if it was chosen for visitors, too.
    """
    own = list(Collection.objects.filter(website__key=site_key).values_list("pk", flat=True))
    chosen = Collection.objects.filter(sites__key=site_key).exclude(team_sites__key=site_key)
    owners = dict(chosen.values_list("pk", "sites__owner"))
    if not owners:
        return own
    owner_id = next(iter(owners.values()))
    return own + _ids(collections_of(owner_id).filter(pk__in=owners))


def page_in(collection_ids: Sequence[uuid.UUID], address: str) -> uuid.UUID | None:
    """Return the document of the web page at an address, in collections that are searched."""
    if not address:
        return None
    bare = address.rstrip("/")
    pages = Document.objects.filter(collection__in=collection_ids, address__in=[bare, f"{bare}/"])
    return pages.order_by("-created_at").values_list("pk", flat=True).first()


def website_collection(site: WidgetSite) -> Collection:
    """Return the collection of a website's own pages and answers; make it if there is none.

    The caller has checked access to the website.
    """
    collection, _is_new = Collection.objects.get_or_create(
        website=site, defaults={"owner_id": site.owner_id, "name": site.name}
    )
    return collection


def team_collection(site: WidgetSite) -> Collection:
    """Return the collection of what only the website's team may read; make it if there is none."""
    collection, _is_new = Collection.objects.get_or_create(
        team_website=site, defaults={"owner_id": site.owner_id, "name": site.name}
    )
    return collection


def own_collection(site: WidgetSite, *, is_for_team: bool) -> Collection:
    """Return the website's collection for its team only, or for visitors, too."""
    return team_collection(site) if is_for_team else website_collection(site)


def own_documents(site_id: int) -> QuerySet[Document]:
    """Return what a website says about itself, to visitors or to its team only."""
    of_site = Q(collection__website=site_id) | Q(collection__team_website=site_id)
    return Document.objects.filter(of_site)


def searched_for_team(site: WidgetSite) -> list[uuid.UUID]:
    """Return the collections that help a website's team to write: visitors' and its own.

    Of those that were chosen for the team, the website's owner must be able to use each.
    """
    own = Collection.objects.filter(team_website=site).values_list("pk", flat=True)
    chosen = _ids(collections_of(site.owner_id).filter(team_sites=site))
    return [*searched_for_visitors(site.key), *own, *chosen]


def hidden_from_visitors(
    site: WidgetSite, document_ids: Iterable[uuid.UUID]
) -> frozenset[uuid.UUID]:
    """Return which of these documents no answer to a visitor may be based on."""
    wanted = frozenset(document_ids)
    shown = Document.objects.filter(pk__in=wanted, collection__in=searched_for_visitors(site.key))
    return wanted - frozenset(shown.values_list("pk", flat=True))


def _ids(collections: QuerySet[Collection]) -> list[uuid.UUID]:
    return list(collections.order_by("pk").values_list("pk", flat=True).distinct())


def _document(collections: QuerySet[Collection], document_id: str | uuid.UUID) -> Document:
    documents = Document.objects.select_related("collection")
    among = documents.filter(collection__in=collections.order_by().values("pk"))
    found = among.filter(pk=uuid_of(document_id, NotFound)).first()
    if found is None:
        raise NotFound
    return found
