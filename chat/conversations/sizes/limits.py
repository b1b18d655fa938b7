"""Limit the length of a message and the number of messages in a conversation."""

from django.conf import settings
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from chat.errors import ConversationFull, MessageTooLong

_figure = lazy(number_format, str)  # formatted in each reader's language


def require_length(text: str) -> None:
    """Raise `MessageTooLong`, stating both lengths, if `text` exceeds this site's limit."""
    most = settings.MAX_MESSAGE_CHARS
    if len(text) > most:
        words = _(
            "Your message has {length} characters. The limit is {most}. Shorten it or "
            "send it in parts."
        )
        length = _figure(len(text), force_grouping=True)
        limit = _figure(most, force_grouping=True)
        raise MessageTooLong(format_lazy(words, length=length, most=limit))


def require_capacity(messages: int) -> None:
    """Raise `ConversationFull` if a conversation may not have so many messages."""
    most = settings.MAX_CONVERSATION_MESSAGES
    if messages > most:
        words = _("This chat has reached the limit of {most} messages. Start a new chat.")
        raise ConversationFull(format_lazy(words, most=_figure(most, force_grouping=True)))
