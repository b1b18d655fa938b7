"""What the staff has done to a chat and is in somebody's way, in the one tree of errors."""

from django.utils.translation import gettext_lazy as _

from chat.errors import Forbidden


class ChatClosed(Forbidden):
    code = "chat_closed"
    text = _(
        "The staff has closed this chat. It can be read; nothing can be sent. Your text is kept."
    )


class MessageHidden(Forbidden):
    code = "message_hidden"
    text = _("This message was hidden by the staff.")
