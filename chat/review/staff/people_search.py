"""Match people by parts of their name or address; all searches for people do it like this."""

from django.db.models import Q

from chat.database.any_case import contains

MAX_WORDS = 8


def named(text: str) -> Q:
    """Match members and visitors whose name or address contains each word of `text`."""
    condition = Q()
    for word in text.split()[:MAX_WORDS]:
        address = contains("email", word) & Q(is_visitor=False)
        condition &= address | contains("name", word) | contains("visitor__name", word)
    return condition
