"""Present a page of search results."""

import re
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.conversations.search.messages import BEGINNING, Cursor, Hit, Order, find_messages
from chat.conversations.search.query import parse
from chat.conversations.search.tag_terms import read_tags, term_of
from chat.conversations.search.titles import find_by_title
from chat.errors import BadRequest
from chat.lib.text import clean
from chat.projects.access import tags_of

_PLACE = re.compile(r"([0-9]{1,18}|[1-8][0-9]{18})\.([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The query of a search page."""

    text: str
    order: Order
    beginning: Cursor

    @property
    def is_first(self) -> bool:
        return self.beginning == BEGINNING

    def as_context(self) -> dict[str, Any]:
        """Return the template context that does not depend on the results."""
        return {"query": self.text, "order": self.order, "is_first": self.is_first}


def read_search_request(request: HttpRequest) -> SearchRequest:
    """Parse `?q=`, `?order=` and `?from=` (where the page starts)."""
    return SearchRequest(
        clean(request.GET.get("q", "")).strip(),
        Order.BEST if request.GET.get("order") == Order.BEST else Order.NEWEST,
        _place(request.GET.get("from", "")),
    )


def search_context(user_id: int, request: SearchRequest) -> dict[str, Any]:
    """Return the template context for the results."""
    query = read_tags(user_id, request.text)
    if query.is_unknown:
        return {"chats": [], "hits": []}
    hits = find_messages(user_id, parse(query.text), request.order, request.beginning, query.tags)
    return {
        "chats": find_by_title(user_id, query.text, query.tags) if request.is_first else [],
        "hits": hits.hits,
        "is_cut": hits.is_cut,
        "next": f"{hits.next.before}.{hits.next.skip}" if hits.next else "",
    }


def tag_terms(user_id: int) -> list[str]:
    """Return, for each of the user's tags, the search term that finds its chats."""
    return [term_of(each.name) for each in tags_of(user_id)]


def as_dict(hit: Hit) -> dict[str, Any]:
    """Return a hit for the JSON API: pieces of text, each marked as a match or not."""
    message = hit.message
    return {
        "id": message.pk,
        "conversation": message.conversation_id,
        "title": message.conversation.title,
        "pieces": hit.pieces,
        "said_at": message.created_at,
    }


def _place(text: str) -> Cursor:
    if not text:
        return BEGINNING
    match = _PLACE.fullmatch(text)
    if not match:
        raise BadRequest(_("The list has changed. Reload the page."))
    return Cursor(int(match[1]), int(match[2]))
