"""Ask before a retention period deletes chats that are there now."""

from django.utils.translation import ngettext

from chat.lib.number_format import format_number


def deletion_question(count: int) -> str:
    """Return what to ask before a period is saved for which so many chats are too old."""
    words = ngettext(
        "{count} chat hasn't been used for that long. It will be deleted within minutes, and"
        " can't be restored.",
        "{count} chats haven't been used for that long. They will be deleted within minutes, and"
        " can't be restored.",
        count,
    )
    return words.format(count=format_number(count))
