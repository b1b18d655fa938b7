"""What a page of search results shows."""

import re
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.conversations.search.messages import BEGINNING, Cursor, Hit, Order, find_messages
from chat.conversations.search.query import parse
from chat.conversations.search.titles import find_by_title
from chat.errors import BadRequest
from chat.lib.text import clean

_PLACE = re.compile(r"([0-9]{1,18}|[1-8][0-9]{18})\.([0-9]{1,4})")


def page_of_hits(request: HttpRequest, user_id: int) -> dict[str, Any]:
    """What the page's template names, for `?q=`, `?order=` and `?from=` (where a page begins)."""
    text = clean(request.GET.get("q", "")).strip()
    order = Order.BEST if request.GET.get("order") == Order.BEST else Order.NEWEST
    beginning = _place(request.GET.get("from", ""))
    found = find_messages(user_id, parse(text), order, beginning)
    return {
        "query": text,
        "order": order,
        "is_first": beginning == BEGINNING,
        "chats": find_by_title(user_id, text) if text and beginning == BEGINNING else [],
        "hits": found.hits,
        "is_cut": found.is_cut,
        "next": f"{found.next.before}.{found.next.skip}" if found.next else "",
    }


def as_dict(hit: Hit) -> dict[str, Any]:
    """A hit for programs: pieces of text, and which of them are what was looked for."""
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
        raise BadRequest(_("There is no such place in the list. Reload the page."))
    return Cursor(int(match[1]), int(match[2]))
