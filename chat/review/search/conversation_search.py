"""Find conversations of all users by filters and keywords, returning IDs only.

Filters scan the narrow table of stats once, whatever they combine. Keywords use the index of all
users' words; its hits are then filtered by scope and filters, in batches.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import islice

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.conversations.search.messages import search_backend
from chat.conversations.search.position import EVERYBODY, LAST, message_at
from chat.conversations.search.query import Query
from chat.conversations.search.time_limit import time_limit
from chat.generations.models import Generation
from chat.review.case_models import Case, Flag
from chat.review.models import ConversationStats, StaffNote
from chat.review.personal_data_models import MessagePersonalData
from chat.review.search import result_pages
from chat.review.search.result_pages import SearchCursor, Totals
from chat.review.staff.roles import Reviewer
from chat.review.verdict_models import MessageVerdict
from chat.widget_sites.models import Visitor

CHATS_PER_PAGE = 50
HITS_PER_PAGE = 20
MAX_FILTERED = 4000  # hits filtered for one page
FILTERED_AT_ONCE = 500
MAX_OWNERS = 10  # up to this many owners are searched one by one

STATES = {state.name.lower(): state for state in ConversationStats.State}
RUNNING = "running"
ANY_KIND = "any"
USED, STARTED, SENT = "", "started", "sent"
ORDERS = {
    result_pages.NEWEST: "updated_at",
    result_pages.OLDEST: "updated_at",
    result_pages.COST: "cost_usd",
    result_pages.TOKENS: "tokens",
}
CASES = {
    "unresolved": Q(case_state__in=(Case.State.OPEN, Case.State.IN_WORK)),
    "open": Q(case_state=Case.State.OPEN),
    "in_work": Q(case_state=Case.State.IN_WORK),
    "resolved": Q(case_state=Case.State.RESOLVED),
}
SOURCES = {source.name.lower(): source for source in Flag.Source}


@dataclass(frozen=True, slots=True)
class ConversationFacets:
    """Filters of a search. Empty fields do not filter."""

    people: tuple[int, ...] | None = None
    group: int | None = None
    site: int | None = None
    model: str = ""  # a part of its name, or all of it in quotes
    time: str = ""  # what `since` and `until` are about: USED, STARTED or SENT
    since: datetime | None = None
    until: datetime | None = None
    rating: str = ""  # good, bad
    state: str = ""  # one of STATES, or running
    cost_usd: float | None = None  # at least
    is_noted: bool = False
    is_by_api: bool = False
    flag: str = ""  # one of CASES or SOURCES
    harm_percent: float | None = None  # at least, of a message that was judged
    personal_data: str = ""  # a PersonalDataKind, or ANY_KIND
    language: str = ""  # of a question: a code of chat/lib/languages.py
    topic: str = ""  # of an answer that was judged
    unanswered_percent: float | None = None  # at least, of an answer that was judged

    def __bool__(self) -> bool:
        return self != ConversationFacets()


def stats_of(reviewer: Reviewer, facets: ConversationFacets) -> QuerySet[ConversationStats]:
    """Return the stats of conversations in the reviewer's scope that match all `facets`."""
    stats = ConversationStats.objects.filter(reviewer.within("owner"), is_hidden=False)
    for condition in _conditions(facets):
        stats = stats.filter(condition)
    if facets.state in STATES:
        bits = F("states").bitand(STATES[facets.state].value)
        stats = stats.annotate(ended_so=bits).filter(ended_so__gt=0)
    if facets.flag in SOURCES:
        bits = F("flag_sources").bitand(SOURCES[facets.flag].value)
        stats = stats.annotate(flagged_so=bits).filter(flagged_so__gt=0)
    return stats


def _conditions(facets: ConversationFacets) -> Iterator[Q]:
    if facets.people is not None:
        yield Q(owner__in=facets.people)
    if facets.group is not None:
        members = User.objects.filter(groups=facets.group)
        yield Q(owner__in=members.values("pk"))
    if facets.site is not None:
        visitors = Visitor.objects.filter(site=facets.site)
        yield Q(owner__in=visitors.values("user"))
    if facets.model:
        name = exact_model(facets.model)
        yield (
            Q(model_names__contains=f" {name} ") if name else Q(model_names__icontains=facets.model)
        )
    yield from _in_time(facets)
    if facets.rating:
        yield Q(good__gt=0) if facets.rating == "good" else Q(bad__gt=0)
    if facets.cost_usd is not None:
        yield Q(cost_usd__gte=facets.cost_usd)
    if facets.state == RUNNING:
        running = Generation.objects.filter(state=Generation.State.RUNNING)
        yield Q(conversation__in=running.values("message__conversation"))
    if facets.flag in CASES:
        yield CASES[facets.flag]
    if facets.harm_percent is not None:
        judged = judged_as(facets.harm_percent).filter(message__deleted_at=None)
        yield Q(Exists(judged.filter(message__conversation=OuterRef("pk"))))
    if facets.personal_data:
        having = with_personal_data(facets.personal_data).filter(message__deleted_at=None)
        yield Q(conversation__in=having.values("message__conversation"))
    if facets.language:
        yield Q(languages__contains=f" {facets.language} ")
    if facets.topic:
        yield Q(topics__contains=f"\n{facets.topic}\n")
    if facets.unanswered_percent is not None:
        failing = judged_unanswered(facets.unanswered_percent).filter(message__deleted_at=None)
        yield Q(Exists(failing.filter(message__conversation=OuterRef("pk"))))
    if facets.is_by_api:
        yield Q(conversation__api_key__isnull=False)
    if facets.is_noted:
        yield Q(conversation__in=StaffNote.objects.values("conversation"))


def judged_as(harm_percent: float) -> QuerySet[MessageVerdict]:
    """Return the verdicts that a message is harmful with at least this probability."""
    return MessageVerdict.objects.filter(harm__gte=harm_percent / 100)


def judged_unanswered(percent: float) -> QuerySet[MessageVerdict]:
    """Return the verdicts that an answer is none with at least this probability."""
    return MessageVerdict.objects.filter(unanswered__gte=percent / 100)


def with_personal_data(kind: str) -> QuerySet[MessagePersonalData]:
    """Return what is known of messages with personal data of this kind, or of any."""
    having = MessagePersonalData.objects.all()
    return having if kind == ANY_KIND else having.filter(kind=kind)


def exact_model(wanted: str) -> str:
    """Return the name that is in quotes; empty if `wanted` is a part of a name."""
    return wanted[1:-1] if len(wanted) > 2 and wanted[0] == wanted[-1] == '"' else ""


def page(
    reviewer: Reviewer,
    facets: ConversationFacets,
    after: SearchCursor | None = None,
    order: str = result_pages.NEWEST,
) -> tuple[list[ConversationStats], SearchCursor | None]:
    """Return a page of chats, and the cursor of the next page."""
    return result_pages.sorted_page(
        stats_of(reviewer, facets),
        ORDERS[order],
        CHATS_PER_PAGE,
        after,
        ascending=order == result_pages.OLDEST,
    )


def totals(reviewer: Reviewer, facets: ConversationFacets) -> Totals | None:
    return result_pages.totals_of(stats_of(reviewer, facets), "tokens", "cost_usd")


def _in_time(facets: ConversationFacets) -> Iterator[Q]:
    since, until = facets.since, facets.until
    if since and facets.time != SENT:  # a later version of an answer doesn't update its chat
        yield Q(updated_at__gte=since)
    if facets.time == STARTED:
        yield Q(**_between("conversation__created_at", since, until))
    elif facets.time == SENT:
        if until:
            yield Q(conversation__created_at__lt=until)
        sent = Message.objects.filter(conversation=OuterRef("pk"), deleted_at=None)
        yield Q(Exists(sent.filter(**_between("created_at", since, until))))
    elif until:
        yield Q(updated_at__lt=until)


def sent_in_time(facets: ConversationFacets) -> QuerySet[Message] | None:
    """Return the messages that were sent in the time; None if it is about their chats."""
    if facets.time != SENT or not (facets.since or facets.until):
        return None
    return Message.objects.filter(**_between("created_at", facets.since, facets.until))


def _between(field: str, since: datetime | None, until: datetime | None) -> dict[str, datetime]:
    bounds = {f"{field}__gte": since, f"{field}__lt": until}
    return {name: value for name, value in bounds.items() if value}


@dataclass(frozen=True, slots=True)
class FoundConversations:
    """Message IDs, newest first, and the position that the next page starts before.

    `is_cut` if filtering stopped at its limit and the rest is left for the next page.
    """

    ids: list[int]
    next: int | None = None
    is_cut: bool = False


def search(
    reviewer: Reviewer,
    query: Query,
    facets: ConversationFacets,
    before: int = LAST,
    among: QuerySet[Message] | None = None,
) -> FoundConversations:
    """Return the newest messages with all words of `query`, in conversations that match `facets`.

    They may be restricted to `among`. Raise `SearchTooLong`.
    """
    if not query:
        return FoundConversations([])
    with time_limit():
        return _search(reviewer, query, facets, before, among)


def _search(
    reviewer: Reviewer,
    query: Query,
    facets: ConversationFacets,
    before: int,
    among: QuerySet[Message] | None,
) -> FoundConversations:
    stats = None if reviewer.groups is None and not facets else stats_of(reviewer, facets)
    ids: list[int] = []
    last, sifted = before, 0
    while sifted < MAX_FILTERED:
        wanted = HITS_PER_PAGE + 1 if not sifted else FILTERED_AT_ONCE
        places = _places(query, facets.people, last, wanted)
        kept = _filtered([message_at(place) for place in places], stats, among)
        for place in places:
            if message_at(place) in kept:
                if len(ids) == HITS_PER_PAGE:
                    return FoundConversations(ids, next=last)
                ids.append(message_at(place))
            last = place
        if len(places) < wanted:
            return FoundConversations(ids)
        sifted += len(places)
    return FoundConversations(ids, next=last, is_cut=True)


def _places(query: Query, people: tuple[int, ...] | None, before: int, count: int) -> list[int]:
    """Return positions of hits; for a few people, from each one's own index entries."""
    owners = people if people is not None and len(people) <= MAX_OWNERS else (EVERYBODY,)
    with connection.cursor() as cursor:
        lists = [search_backend().newest(cursor, query, each, before, count) for each in owners]
    return list(islice(merge(*lists, reverse=True), count))


def _filtered(
    ids: list[int],
    stats: QuerySet[ConversationStats] | None,
    among: QuerySet[Message] | None,
) -> set[int]:
    messages = Message.objects.all() if among is None else among
    messages = messages.filter(pk__in=ids, deleted_at=None, conversation__purge_after=None)
    if stats is not None:
        messages = messages.filter(Exists(stats.filter(pk=OuterRef("conversation"))))
    return set(messages.values_list("pk", flat=True))
