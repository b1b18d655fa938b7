"""Find single answers of all users by filters, without reading their text."""

from collections.abc import Iterator
from dataclasses import replace

from django.db.models import Exists, F, FloatField, IntegerField, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from chat.conversations.models import Message, Rating
from chat.conversations.search.time_limit import time_limit
from chat.generations.models import Generation
from chat.review.language_models import MessageLanguage
from chat.review.search import result_pages
from chat.review.search.conversation_search import (
    SENT,
    USED,
    ConversationFacets,
    exact_model,
    judged_as,
    stats_of,
    with_personal_data,
)
from chat.review.search.result_pages import SearchCursor, Totals
from chat.review.staff.roles import Reviewer

ANSWERS_PER_PAGE = 50
#: Messages are numbered in the order in which they were asked for.
ORDERS = {
    result_pages.NEWEST: "message_id",
    result_pages.OLDEST: "message_id",
    result_pages.COST: "cost",
    result_pages.TOKENS: "tokens",
}


def answers_of(reviewer: Reviewer, facets: ConversationFacets) -> QuerySet[Generation]:
    """Return the answers in the reviewer's scope that match all `facets`.

    Model, status, cost, rating, verdict, topic, personal data and the time of sending are those of
    the answer, and the language is that of its question; the others are of its chat.
    """
    about_chat = about_chats(facets)
    if facets.time == SENT:  # of the answer, which may be continued long after its question
        about_chat = replace(about_chat, time=USED, since=None, until=None)
    chats = stats_of(reviewer, about_chat).filter(pk=OuterRef("message__conversation"))
    generations = Generation.objects.filter(Exists(chats), message__deleted_at=None)
    for condition in _conditions(facets):
        generations = generations.filter(condition)
    return generations.annotate(
        tokens=Coalesce(F("total_tokens"), Value(0), output_field=IntegerField()),
        cost=Coalesce(F("cost_usd"), Value(0.0), output_field=FloatField()),
    )


def about_chats(facets: ConversationFacets) -> ConversationFacets:
    """Return the filters without those that are about single answers."""
    return replace(
        facets,
        model="",
        state="",
        cost_usd=None,
        rating="",
        harm_percent=None,
        personal_data="",
        language="",
        topic="",
        unanswered_percent=None,
    )


def messages_of(reviewer: Reviewer, facets: ConversationFacets) -> QuerySet[Message]:
    """Return the messages of these answers."""
    answers = answers_of(reviewer, facets).filter(message=OuterRef("pk"))
    return Message.objects.filter(Exists(answers))


def _conditions(facets: ConversationFacets) -> Iterator[Q]:
    if facets.model:
        name = exact_model(facets.model)
        yield Q(model=name) if name else Q(model__icontains=facets.model)
    if facets.state:
        yield Q(state=facets.state)
    if facets.cost_usd is not None:
        yield Q(cost_usd__gte=facets.cost_usd)
    if facets.rating:
        value = Q(value__gt=0) if facets.rating == "good" else Q(value__lt=0)
        yield Q(Exists(Rating.objects.filter(value, message=OuterRef("message"))))
    if facets.harm_percent is not None:
        yield Q(Exists(judged_as(facets.harm_percent).filter(message=OuterRef("message"))))
    if facets.personal_data:
        having = with_personal_data(facets.personal_data)
        yield Q(Exists(having.filter(message=OuterRef("message"))))
    if facets.topic:
        yield Q(message__verdict__topic=facets.topic)
    if facets.unanswered_percent is not None:
        yield Q(message__verdict__unanswered__gte=facets.unanswered_percent / 100)
    if facets.language:
        written = MessageLanguage.objects.filter(language=facets.language)
        yield Q(Exists(written.filter(message=OuterRef("message__parent"))))
    if facets.time == SENT and facets.since:
        yield Q(started_at__gte=facets.since)
    if facets.time == SENT and facets.until:
        yield Q(started_at__lt=facets.until)


def page(
    reviewer: Reviewer, facets: ConversationFacets, order: str, after: SearchCursor | None = None
) -> tuple[list[Generation], SearchCursor | None]:
    """Return a page of answers, and the cursor of the next page. Raise `SearchTooLong`."""
    with time_limit():
        return result_pages.sorted_page(
            answers_of(reviewer, facets),
            ORDERS[order],
            ANSWERS_PER_PAGE,
            after,
            ascending=order == result_pages.OLDEST,
        )


def totals(reviewer: Reviewer, facets: ConversationFacets) -> Totals | None:
    return result_pages.totals_of(answers_of(reviewer, facets), "tokens", "cost")
