"""Show a short message about an action on a conversation, with an Undo button."""

from dataclasses import dataclass
from math import ceil
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.conversations import access
from chat.conversations.models import Conversation
from chat.errors import NotFound

READING_SECONDS = 6
ListState = Conversation.ListState
STATES = {"archive": ListState.ARCHIVED, "list": ListState.LISTED, "pins": ListState.PINNED}
NAMES = {place: name for name, place in STATES.items()}


@dataclass(frozen=True, slots=True)
class Toast:
    """A message; the Undo button posts `state` and the `fields` to the `undo` URL."""

    words: str
    seconds: int = READING_SECONDS
    undo: str = ""
    state: str = ""
    fields: tuple[tuple[str, str], ...] = ()


def deleted_toast(conversation: Conversation) -> Toast:
    """Return the toast for a conversation that is already deleted."""
    assert conversation.purge_after  # noqa: S101
    left = (conversation.purge_after - timezone.now()).total_seconds()
    return Toast(_("Deleted."), max(1, ceil(left)), reverse("restoration", args=[conversation.pk]))


def archived_toast(conversation: Conversation, was: str) -> Toast:
    return Toast(
        _("Archived."), 3 * READING_SECONDS, reverse("list_state", args=[conversation.pk]), was
    )


def moved_toast(state: ListState, before: ListState) -> Toast:
    if state == ListState.PINNED:
        return Toast(_("Pinned."))
    if before == ListState.PINNED:
        return Toast(_("Unpinned."))
    return Toast(_("Chat unarchived."))


def requested_toast(request: HttpRequest, user_id: int) -> Toast | None:
    """Return the toast for `?deleted=<id>` or `?archived=<id>` if that is still the state.

    With `?done`, return that of the last action on several chats.
    """
    query = request.GET
    if "done" in query and (stored := request.session.pop("toast", None)):
        words, seconds, undo, fields = stored
        return Toast(words, seconds, undo, fields=tuple((name, value) for name, value in fields))
    try:
        if "deleted" in query:
            conversation = access.deleted_conversation_of(user_id, UUID(query["deleted"]))
            return deleted_toast(conversation)
        if "archived" in query:
            conversation = access.conversation_of(user_id, UUID(query["archived"]))
            was = "pins" if query.get("was") == "pins" else "list"
            is_archived = conversation.list_state == ListState.ARCHIVED
            return archived_toast(conversation, was) if is_archived else None
    except (ValueError, NotFound):
        pass
    return None
