"""What can be in the way of a chat that goes on, and of a search, in the one tree of errors."""

from django.utils.translation import gettext_lazy as _

from chat.errors import BadRequest, Forbidden


class ChatClosed(Forbidden):
    code = "chat_closed"
    text = _(
        "Staff closed this chat. You can read it, but you can't send messages. Your draft is saved."
    )


class MessageHidden(Forbidden):
    code = "message_hidden"
    text = _("Staff hid this message.")


class StorageFull(BadRequest):
    """413: somebody, or a website's visitors together, have stored as much as they may."""

    code, status = "storage_full", 413


class SearchTooLong(BadRequest):
    """The database would have looked for it too long."""

    code, status = "search_too_long", 422
    text = _("The search took too long. Use fewer or more specific words.")
