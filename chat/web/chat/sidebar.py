"""Page through the list of conversations (pinned first, then newest) and the archive.

A page starts after the sort key of the previous page's last entry, so entries are neither repeated
nor skipped when the list changes in between.
"""

import re
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.conversations.models import Conversation
from chat.errors import BadRequest
from chat.generations.models import Generation

PAGE_LENGTH = 50
MAX_ENTRIES = 1000
ListState = Conversation.ListState


class ListCursor(NamedTuple):
    """The position of an entry: the values that the list is sorted by."""

    list_state: int
    updated_at: datetime
    id: UUID

    @classmethod
    def read(cls, text: str) -> Self:
        try:
            state, moment, name = text.split(",")
            return cls(
                ListState(int(state)), datetime.fromisoformat(moment).astimezone(UTC), UUID(name)
            )
        except (ValueError, OverflowError):
            raise BadRequest(_("The list has changed. Reload the page.")) from None

    def __str__(self) -> str:
        return f"{self.list_state:d},{self.updated_at.isoformat()},{self.id}"

    def below(self) -> Q:
        later = Q(updated_at__lt=self.updated_at) | Q(updated_at=self.updated_at, id__lt=self.id)
        return Q(list_state__lt=self.list_state) | Q(list_state=self.list_state) & later


def list_context(request: HttpRequest, user_id: int) -> dict[str, Any]:
    """Return the template context of the list for `?before=` and `?count=` (entries now shown)."""
    listed = Conversation.objects.filter(owner=user_id, list_state__gt=ListState.ARCHIVED)
    return _page(request, user_id, listed)


def archive_context(request: HttpRequest, user_id: int) -> dict[str, Any]:
    archived = Conversation.objects.filter(owner=user_id, list_state=ListState.ARCHIVED)
    return _page(request, user_id, archived)


def _page(request: HttpRequest, user_id: int, found: QuerySet[Conversation]) -> dict[str, Any]:
    found = found.order_by("-list_state", "-updated_at", "-id")
    context: dict[str, Any] = {}
    if before := request.GET.get("before"):
        context["above"] = spot = ListCursor.read(before)
        found = found.filter(spot.below())
    length = _length(request.GET.get("count", ""))
    conversations = list(found.annotate(is_running=Exists(_running(user_id)))[: length + 1])
    context["conversations"] = conversations[:length]
    context["running"] = {each.pk for each in conversations if each.is_running}
    if len(conversations) > length:
        last = conversations[length - 1]
        context["older"] = str(ListCursor(last.list_state, last.updated_at, last.pk))
    return context


def is_running(conversation: Conversation) -> bool:
    """Return whether an answer is being written in the conversation."""
    running = Generation.objects.filter(state=Generation.State.RUNNING)
    return running.filter(message__conversation=conversation).exists()


def _running(user_id: int) -> QuerySet[Generation]:
    """Return the user's running answers in the conversation of the outer query."""
    running = Generation.objects.filter(owner=user_id, state=Generation.State.RUNNING)
    return running.filter(message__conversation=OuterRef("pk"))


def _length(text: str) -> int:
    """Return how many entries to show: at least a page, and all that the browser shows already."""
    shown = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0
    return min(max(shown, PAGE_LENGTH), MAX_ENTRIES)
