"""Count what is known of the messages of a day, by person and website."""

from collections import Counter
from datetime import datetime
from typing import NamedTuple

from chat.conversations.models import Message


class WrittenLanguage(NamedTuple):
    """Who wrote questions in which language; it is empty if it couldn't be told."""

    owner: int
    site: str
    language: str


def languages(begin: datetime, end: datetime) -> Counter[WrittenLanguage]:
    """Return how many questions were written, through the index on the chats' time."""
    asked = Message.objects.filter(
        conversation__stats__updated_at__gte=begin,
        created_at__gte=begin,
        created_at__lt=end,
        role=Message.Role.USER,
        is_imported=False,
    )
    written = asked.values_list(
        "conversation__owner", "conversation__owner__visitor__site__key", "language__language"
    )
    return Counter(
        WrittenLanguage(owner, site or "", language or "")
        for owner, site, language in written.iterator()
    )
