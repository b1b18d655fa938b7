"""Count what is known of the messages of a day, by person and website."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet

from chat.conversations.models import Message
from chat.review.case_models import Category

#: From which probability an answer counts as not answering its question, or as without a basis.
LIKELY = 0.5
OWNER, SITE = "conversation__owner", "conversation__owner__visitor__site__key"


class WrittenLanguage(NamedTuple):
    """Who wrote questions in which language; it is empty if it couldn't be told."""

    owner: int
    site: str
    language: str


def languages(begin: datetime, end: datetime) -> Counter[WrittenLanguage]:
    """Return how many questions were written, through the index on the chats' time."""
    asked = _sent(begin, end).filter(role=Message.Role.USER)
    written = asked.values_list(OWNER, SITE, "language__language").annotate(Count("pk"))
    return Counter(
        {
            WrittenLanguage(owner, site or "", language or ""): count
            for owner, site, language, count in written
        }
    )


class JudgedTopic(NamedTuple):
    """Whose questions were about which topic; it is empty if none was likely."""

    owner: int
    site: str
    topic: str


def topics(begin: datetime, end: datetime) -> Mapping[JudgedTopic, Counter[str]]:
    """Return how many answers a judge has read, and how many of them it found wanting."""
    judged = _sent(begin, end).filter(role=Message.Role.ASSISTANT, verdict__isnull=False)
    wanting = {
        category.value: Count(
            "pk", filter=Q(**{f"verdict__probabilities__{category}__gte": LIKELY})
        )
        for category in (Category.UNANSWERED, Category.UNGROUNDED)
    }
    rows = judged.values(OWNER, SITE, "verdict__topic").annotate(judged=Count("pk"), **wanting)
    return {
        JudgedTopic(row.pop(OWNER), row.pop(SITE) or "", row.pop("verdict__topic")): Counter(row)
        for row in rows
    }


def _sent(begin: datetime, end: datetime) -> QuerySet[Message]:
    return Message.objects.filter(
        conversation__stats__updated_at__gte=begin,
        conversation__created_at__lt=end,
        created_at__gte=begin,
        created_at__lt=end,
        is_imported=False,
    )
