"""The list of conversations, newest first, a page at a time.

A page begins after the last entry of the one before, named by what it is sorted by: a list that
changes in between neither repeats an entry nor leaves one out.
"""

import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.conversations.models import Conversation
from chat.errors import BadRequest
from chat.relay.models import Generation

PAGE_LENGTH = 50
LONGEST = 1000


def page_of_list(request: HttpRequest, user_id: int) -> dict[str, Any]:
    """What the list's template names, for `?before=` and `?count=` (as many as are shown)."""
    found = Conversation.objects.filter(owner=user_id).order_by("-updated_at", "-id")
    context: dict[str, Any] = {"running": running_of(user_id)}
    if before := request.GET.get("before"):
        moment, last = _place(before)
        found = found.filter(updated_at__lte=moment).exclude(updated_at=moment, id__gte=last)
        context["above"] = moment
    length = _length(request.GET.get("count", ""))
    conversations = list(found[: length + 1])
    context["conversations"] = conversations[:length]
    if len(conversations) > length:
        last_shown = conversations[length - 1]
        context["older"] = f"{last_shown.updated_at.isoformat()},{last_shown.pk}"
    return context


def running_of(user_id: int) -> set[UUID]:
    """The conversations in which an answer is being written."""
    found = Generation.objects.filter(owner=user_id, state=Generation.State.RUNNING)
    return set(found.values_list("message__conversation_id", flat=True))


def _place(text: str) -> tuple[datetime, UUID]:
    moment, _comma, name = text.partition(",")
    try:
        return datetime.fromisoformat(moment).astimezone(UTC), UUID(name)
    except (ValueError, OverflowError):
        raise BadRequest(_("There is no such place in the list. Reload the page.")) from None


def _length(text: str) -> int:
    """At least a page; as much as the browser shows already, so that nothing vanishes from it."""
    shown = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0
    return min(max(shown, PAGE_LENGTH), LONGEST)
