"""Notice questions of visitors that had no good answer.

An answer tells it at its end, at no further cost: nothing in the documents was about the question,
or a small collection was given whole and the answer cites none of it. What visitors tell later, by
a rating or by asking for a person, is looked for every minute.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from chat.accounts.principals import Principal
from chat.conversations.models import Conversation, Message, Rating, Takeover
from chat.database import threads
from chat.generations.result import Result
from chat.generations.send.sent import Sent
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.knowledge.citations import cited_numbers
from chat.knowledge.given import GivenPassages
from chat.lib import trace
from chat.lib.background_tasks import BackgroundTasks
from chat.website_answers.models import UnansweredQuestion
from chat.widget_sites.models import WidgetSite

Cause = UnansweredQuestion.Cause
log = logging.getLogger(__name__)

#: How far back ratings and requests for a person are looked for.
LOOK_BACK = timedelta(days=1)
FOUND_AT_ONCE = 200

_tasks = BackgroundTasks()
until_stored = _tasks.until_done


def note_in_background(principal: Principal, sent: Sent, result: Result, answer: str) -> None:
    """Store the question of an answer that has just ended, if it had none in the documents."""
    is_whole = result.state == "complete" and not result.is_purged
    if not (principal.site and is_whole and sent.given and sent.question_id):
        return
    if is_answered(sent.given, answer):
        return
    work = _store(principal.site, sent.question_id, sent.given.vector)
    _tasks.start(work, trace.fresh_context())


def is_answered(given: GivenPassages, answer: str) -> bool:
    """Return whether an answer is based on passages about its question."""
    if given.is_relevant is not None:
        return given.is_relevant
    return bool(cited_numbers(answer, given.numbers))


async def _store(site_key: str, question_id: int, vector: Sequence[float] | None) -> None:
    try:
        await threads.writer.run(store, site_key, question_id, vector)
    except DATABASE_ERRORS as error:
        log.info("a question without an answer is not listed: %s", type(error).__name__)


def store(site_key: str, question_id: int, vector: Sequence[float] | None) -> None:
    """Store a question for which nothing was found, with the vector that the search had."""
    from chat.knowledge.index_format import encode_vectors  # with numpy

    site = WidgetSite.objects.filter(key=site_key).first()
    if site is None or not Message.objects.filter(pk=question_id).exists():
        return
    UnansweredQuestion.objects.get_or_create(
        message_id=question_id,
        defaults={
            "site": site,
            "cause": Cause.NOTHING_FOUND,
            "vector": encode_vectors([vector]) if vector else None,
            "embedding_model": settings.KNOWLEDGE_EMBEDDING_MODEL if vector else "",
        },
    )


def find_more() -> None:
    """Store questions whose answers were rated as bad, or after which a person was asked for.

    Run every minute.
    """
    since = timezone.now() - LOOK_BACK
    rated = Rating.objects.filter(value=Rating.Value.BAD, rated_at__gt=since)
    asked = Conversation.objects.filter(person_requested_at__gt=since)
    taken = Takeover.objects.filter(started_at__gt=since)
    _add(Cause.RATED_BAD, rated.annotate(question=F("message__parent")), "message__conversation")
    _add(Cause.PERSON, asked.annotate(question=_last_before("pk", "person_requested_at")), "")
    _add(
        Cause.PERSON,
        taken.annotate(question=_last_before("conversation", "started_at")),
        "conversation",
    )


def _last_before(conversation: str, moment: str) -> Subquery:
    """Return the visitor's last message before a moment."""
    messages = Message.objects.filter(
        conversation=OuterRef(conversation),
        role=Message.Role.USER,
        created_at__lte=OuterRef(moment),
    )
    return Subquery(messages.order_by("-pk").values("pk")[:1])


def _add(cause: UnansweredQuestion.Cause, rows: "QuerySet[Any]", conversation: str) -> None:
    """Store the `question` of each row, if a visitor asked it and it is new."""
    visitor = "__".join(filter(None, (conversation, "owner__visitor__site")))
    known = UnansweredQuestion.objects.filter(message=OuterRef("question"))
    new = rows.filter(~Exists(known), **{"question__isnull": False, f"{visitor}__isnull": False})
    for question_id, site_id in new.values_list("question", visitor).distinct()[:FOUND_AT_ONCE]:
        UnansweredQuestion.objects.get_or_create(
            message_id=question_id, defaults={"site_id": site_id, "cause": cause}
        )
