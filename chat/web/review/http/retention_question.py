"""Ask before a retention period deletes chats that are there now."""

from datetime import date

from django.utils.translation import ngettext

from chat.lib.number_format import format_day, format_number


def deletion_question(count: int, on: date) -> str:
    """Return what to ask before a period is saved for which so many chats are too old."""
    words = ngettext(
        "{count} chat hasn't been used for that long. Its owner is told, and it will be deleted"
        " on {date}. After that, it can't be restored.",
        "{count} chats haven't been used for that long. Their owners are told, and they will be"
        " deleted on {date}. After that, they can't be restored.",
        count,
    )
    return words.format(count=format_number(count), date=format_day(on))
