"""Search chats and messages, for the search page and the command palette."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.accounts.principals import principal_of
from chat.conversations.errors import SearchTooLong
from chat.conversations.search.messages import Order, find_messages
from chat.conversations.search.query import parse
from chat.conversations.search.tag_terms import read_tags
from chat.conversations.search.titles import find_by_title
from chat.database import threads
from chat.error_responses import wants_html
from chat.errors import NotAuthenticated, RateLimitExceeded
from chat.lib.limits import FairQueues
from chat.lib.text import clean
from chat.web.http.shared_limits import arequire_rate
from chat.web.search.presenters import as_dict, read_search_request, search_context, tag_terms

FIRST_HITS = 5  # messages shown in the palette
PAGES_PER_MINUTE = 30
#: The palette searches again at each pause in typing.
PREVIEWS_PER_MINUTE = 120

P = ParamSpec("P")
T = TypeVar("T")

_queues = FairQueues("searches")


@require_safe
@never_cache
async def search(request: HttpRequest) -> HttpResponse:
    """Return the caller's chats whose title matches, and matching messages.

    Without a query, API clients get the newest chats, and browsers an empty search page.
    """
    is_page = wants_html(request)
    try:
        principal = await principal_of(request)
    except NotAuthenticated:
        if is_page:
            return redirect_to_login(request.get_full_path())
        raise
    if is_page:
        return await _page(request, principal.user_id)
    await arequire_rate("glances", principal.key, PREVIEWS_PER_MINUTE)
    query = clean(request.GET.get("q", ""))
    return JsonResponse(await _in_turn(principal.user_id, _first, principal.user_id, query))


async def _page(request: HttpRequest, user_id: int) -> HttpResponse:
    """Render the search page; a refused query stays in the field."""
    search_request = read_search_request(request)
    context, status = search_request.as_context(), 200
    try:
        if search_request.text:
            await arequire_rate("searches", str(user_id), PAGES_PER_MINUTE)
            context |= await _in_turn(user_id, search_context, user_id, search_request)
        else:
            context["tag_terms"] = await threads.readers.run(tag_terms, user_id)
    except (SearchTooLong, RateLimitExceeded) as error:
        context["problem"], status = error.public, error.status
    return await sync_to_async(render)(request, "search/show.html", context, status=status)


async def _in_turn(user_id: int, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run one search per member at a time, so that one member delays others by one search at most.

    A search is skipped if its client disconnects before its turn.
    """
    async with _queues.turn(str(user_id)):
        return await threads.searchers.run(work, *args, **kwargs)


def _first(user_id: int, text: str) -> dict[str, Any]:
    query = read_tags(user_id, text)
    if query.is_unknown:
        return {"chats": [], "messages": []}
    chats = find_by_title(user_id, query.text, query.tags)
    hits = find_messages(user_id, parse(query.text), Order.NEWEST, tags=query.tags).hits
    return {
        "chats": [
            {"id": each.pk, "title": each.title, "updated_at": each.updated_at} for each in chats
        ],
        "messages": [as_dict(hit) for hit in hits[:FIRST_HITS]],
    }
