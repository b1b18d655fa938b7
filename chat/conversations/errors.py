"""Errors that end sending in a conversation, or a search."""

from django.utils.translation import gettext_lazy as _

from chat.errors import BadRequest, Forbidden


class ChatClosed(Forbidden):
    code = "chat_closed"
    text = _("Staff closed this chat. You can read it, but you can't send messages.")
    keeps_draft = True


class MessageHidden(Forbidden):
    code = "message_hidden"
    text = _("Staff hid this message.")


class StorageFull(BadRequest):
    """A member, a visitor, or all visitors of a website together, have no storage left (413)."""

    code, status = "storage_full", 413
    keeps_draft = True


class SearchTooLong(BadRequest):
    """The search exceeded its time limit in the database."""

    code, status = "search_too_long", 422
    text = _("The search took too long. Use fewer or more specific words.")
