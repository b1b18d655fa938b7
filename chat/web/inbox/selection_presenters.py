"""Present actions on several chats of an inbox: what they did, and the offer to undo it."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import ngettext

from chat.inbox import handled_chats
from chat.inbox.models import HandledChat
from chat.inbox.team_access import Inbox
from chat.web.http.zoned_time import zoned
from chat.web.review.http.bulk_actions import last_changed

UNDO = "undo"  # the action
FILTERS = ("show", "label")  # of the list


def undo_key(inbox: Inbox) -> str:
    """Return the session's key of the chats that were last closed together.

    They are stored as pairs of their ID and the time since when the visitor waited, or nothing.
    """
    return f"closed_chats:{inbox.site.key}"


def undoable(request: HttpRequest, inbox: Inbox) -> dict[str, Any]:
    """Return the offer to open the chats again that the reader last closed and still are."""
    last = last_changed(request, undo_key(inbox))
    if not last:
        return {}
    closed = handled_chats.not_open(HandledChat.State.CLOSED).filter(
        pk__in=[chat for chat, _waited_since in last[0]], changed_by=inbox.user_id
    )
    ids = list(closed.values_list("pk", flat=True))
    if not ids:
        return {}
    words = ngettext("{count} chat closed at {time}.", "{count} chats closed at {time}.", len(ids))
    return {
        "url": reverse("inbox_selection", args=[inbox.site.key]),
        "name": "chat",
        "ids": ids,
        "action": UNDO,
        "words": words.format(count=len(ids), time=zoned(last[1], "TIME_FORMAT")),
    }


def unchanged(count: int) -> str:
    """Return the words for chats that an action on several did not change."""
    return ngettext("{count} chat unchanged: {why}", "{count} chats unchanged: {why}", count)
