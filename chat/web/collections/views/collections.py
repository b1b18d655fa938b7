"""Serve collections as pages: a member's own and, for staff, the site's."""

import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.accounts.principals import principal_of
from chat.errors import RateLimitExceeded
from chat.generations.send.document_query import DocumentQuery
from chat.generations.send.nearest import nearest
from chat.knowledge.access import collection_of, collections_of, editable_collection
from chat.lib.text import clean
from chat.web.collections.forms import CollectionForm
from chat.web.collections.presenters import (
    collection_context,
    documents_context,
    may_change,
)
from chat.web.http.js_catalog import catalog
from chat.web.http.owned_objects import form_page, own_and_shared
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.typed_requests import MemberRequest

SEARCHES_PER_MINUTE = 30
MAX_QUESTION_CHARS = 1000


@require_safe
@never_cache
@login_required
def show_all(request: MemberRequest) -> HttpResponse:
    usable = collections_of(request.user.pk).annotate(documents_count=Count("documents"))
    return render(request, "collections/list.html", own_and_shared(usable, request.user))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new(request: MemberRequest) -> HttpResponse:
    return _form(request, CollectionForm(_sent(request), request.user))


@require_safe
@never_cache
@login_required
async def show(request: MemberRequest, collection_id: uuid.UUID) -> HttpResponse:
    """Show a collection with a page of its documents, or what a search in it finds."""
    principal = await principal_of(request)
    collection = await sync_to_async(collection_of)(principal.user_id, collection_id)
    found: dict[str, Any] = {}
    status = 200
    if question := clean(request.GET.get("q", ""))[:MAX_QUESTION_CHARS].strip():
        try:
            await arequire_rate("collection_searches", principal.key, SEARCHES_PER_MINUTE)
            query = DocumentQuery([collection.pk], question)
            near = await nearest(principal, query)
            found = {
                "question": question,
                "passages": near.passages,
                "is_by_words": near.is_by_words,
            }
        except RateLimitExceeded as error:
            found, status = {"question": question, "problem": error.public}, error.status

    @sync_to_async
    def page() -> HttpResponse:
        if found:
            context = found | {"collection": collection}
            return render(request, "collections/found.html", context, status=status)
        context = collection_context(request.user, collection, request.GET)
        context |= {"js_catalog": catalog()}
        return render(request, "collections/show.html", context)

    return await page()


@require_safe
@never_cache
@login_required
def list_documents(request: MemberRequest, collection_id: uuid.UUID) -> HttpResponse:
    """Return the list for a page that is open while documents are indexed."""
    user = request.user
    collection = collection_of(user.pk, collection_id)
    changeable = may_change(user, collection)
    context = documents_context(collection, request.GET, may_change=changeable)
    return render(request, "collections/_documents.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def change(request: MemberRequest, collection_id: uuid.UUID) -> HttpResponse:
    collection = editable_collection(request.user.pk, collection_id)
    return _form(request, CollectionForm(_sent(request), request.user, collection))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deletion(request: MemberRequest, collection_id: uuid.UUID) -> HttpResponse:
    """Delete a collection with its documents, after confirmation."""
    collection = editable_collection(request.user.pk, collection_id)
    if request.method != "POST":
        context = {"collection": collection, "count": collection.documents.count()}
        return render(request, "collections/deletion.html", context)
    collection.delete()
    messages.success(request, _("Collection deleted."))
    return redirect("collections")


def _sent(request: MemberRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _form(request: MemberRequest, form: CollectionForm) -> HttpResponse:
    return form_page(request, "collections/form.html", form, _("Saved."), "collection", opens=True)
