"""Prepare collections, their documents and what a search finds in them for pages."""

from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet, Sum
from django.http import QueryDict

from chat.accounts.models import User
from chat.conversations.sizes.storage import storage_of
from chat.indexing.errors import PROBLEMS
from chat.knowledge.models import MAX_DOCUMENTS, Collection, Document
from chat.personas.access import editable
from chat.widget_sites.models import WidgetSite

DOCUMENTS_ON_A_PAGE = 50
State = Document.State
PENDING = (State.WAITING, State.INDEXING)


def may_change(user: User, collection: Collection) -> bool:
    return editable(Collection, user.pk).filter(pk=collection.pk).exists()


def collection_context(user: User, collection: Collection, query: QueryDict) -> dict[str, Any]:
    """Return the context of a collection's page, without what a search finds."""
    changeable = may_change(user, collection)
    context = documents_context(collection, query, may_change=changeable) | {
        "most_documents": MAX_DOCUMENTS,
        "most_bytes": settings.MAX_DOCUMENT_BYTES,
        "personas": collection.personas.filter(owner=user).order_by("name"),
        "projects": collection.projects.filter(owner=user).order_by("name"),
        "sites": _sites_with(collection).filter(owner=user, deleted_at=None).order_by("name"),
    }
    if changeable and collection.owner_id:
        context["storage"] = storage_of(user.pk)
    return context


def _sites_with(collection: Collection) -> QuerySet[WidgetSite]:
    chosen = Q(collections=collection) | Q(team_collections=collection)
    return WidgetSite.objects.filter(chosen).distinct()


def documents_context(
    collection: Collection, query: QueryDict, *, may_change: bool
) -> dict[str, Any]:
    """Return the context of a page of documents; `state=failed` asks for those that failed."""
    totals = collection.documents.aggregate(
        count=Count("pk"),
        failed=Count("pk", filter=Q(state=State.FAILED)),
        pending=Count("pk", filter=Q(state__in=PENDING)),
        stored_bytes=Sum("stored_bytes", default=0),
    )
    is_failed = query.get("state") == State.FAILED and totals["failed"] > 0
    listed = collection.documents.filter(state=State.FAILED) if is_failed else collection.documents
    page = Paginator(_rows(listed.all()), DOCUMENTS_ON_A_PAGE).get_page(query.get("page"))
    for document in page:
        document.reason = PROBLEMS.get(document.problem, "")  # type: ignore[attr-defined]
    return {
        "collection": collection,
        "may_change": may_change,
        "page": page,
        "totals": totals,
        "shown_state": str(State.FAILED) if is_failed else "",
    }


def _rows(documents: QuerySet[Document]) -> QuerySet[Document]:
    has_file = Q(content__file__isnull=False)
    return documents.annotate(has_file=has_file).order_by("name", "pk")
