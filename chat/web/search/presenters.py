"""What a page of search results shows."""

import re
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.conversations.search.messages import BEGINNING, Cursor, Hit, Order, find_messages
from chat.conversations.search.query import parse
from chat.conversations.search.titles import find_by_title
from chat.errors import BadRequest
from chat.lib.text import clean

_PLACE = re.compile(r"([0-9]{1,18}|[1-8][0-9]{18})\.([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request for the page looks for."""

    text: str
    order: Order
    beginning: Cursor

    @property
    def is_first(self) -> bool:
        return self.beginning == BEGINNING

    def as_context(self) -> dict[str, Any]:
        """What the page's template names, whatever is found."""
        return {"query": self.text, "order": self.order, "is_first": self.is_first}


def read_asked(request: HttpRequest) -> Asked:
    """`?q=`, `?order=` and `?from=` (where a page begins)."""
    return Asked(
        clean(request.GET.get("q", "")).strip(),
        Order.BEST if request.GET.get("order") == Order.BEST else Order.NEWEST,
        _place(request.GET.get("from", "")),
    )


def page_of_hits(user_id: int, asked: Asked) -> dict[str, Any]:
    """What the page's template names of what is found."""
    text = asked.text
    found = find_messages(user_id, parse(text), asked.order, asked.beginning)
    return {
        "chats": find_by_title(user_id, text) if text and asked.is_first else [],
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
        raise BadRequest(_("The list has changed. Reload the page."))
    return Cursor(int(match[1]), int(match[2]))
