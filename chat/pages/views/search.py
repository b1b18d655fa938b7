"""Finding chats and messages: a page, and what the palette shows."""

from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.accounts.models import User
from chat.accounts.principals import principal_of
from chat.conversations.search.messages import Order, find_messages
from chat.conversations.search.query import parse
from chat.conversations.search.titles import find_by_title
from chat.lib.text import clean
from chat.middleware import wants_html
from chat.pages.search_page import as_dict, page_of_hits
from chat.relay import threads

FIRST_HITS = 5  # of messages, in the palette


@require_safe
@never_cache
async def search(request: HttpRequest) -> HttpResponse:
    """The caller's chats with these words in the title, and messages that have them.

    Without any words programs get the newest chats, and people an empty field.
    """
    if wants_html(request):
        return await sync_to_async(_page)(request)
    principal = await principal_of(request)
    query = clean(request.GET.get("q", ""))
    return JsonResponse(await threads.readers.run(_first, principal.user_id, query))


@login_required
def _page(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101  (login_required)
    return render(request, "search/show.html", page_of_hits(request, request.user.pk))


def _first(user_id: int, text: str) -> dict[str, Any]:
    chats = find_by_title(user_id, text)
    hits = find_messages(user_id, parse(text), Order.NEWEST).hits[:FIRST_HITS]
    return {
        "chats": [
            {"id": each.pk, "title": each.title, "updated_at": each.updated_at} for each in chats
        ],
        "messages": [as_dict(hit) for hit in hits],
    }
