"""Find the chats of a site, newest first."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from chat.conversations.handoff.takeover import AWAY
from chat.conversations.models import Conversation, Takeover
from chat.inbox import handled_chats
from chat.inbox.models import HandledChat
from chat.inbox.team_access import Inbox
from chat.review import access
from chat.review.models import ConversationStats
from chat.review.search.result_pages import SearchCursor, sorted_page

PER_PAGE = 50
#: The lists of an inbox.
ALL, WAITING, MINE, RATED_BAD = "all", "waiting", "mine", "bad"
OPEN, SNOOZED, CLOSED = "open", "snoozed", "closed"
#: Lists with more chats than this aren't counted to the end.
MOST_COUNTED = 99


def chats_of(inbox: Inbox, which: str = ALL) -> QuerySet[Conversation]:
    """Return the chats of a list that visitors have written in."""
    reviewer = inbox.staff_context.reviewer
    conversations = Conversation.objects.filter(access.in_scope_of(reviewer)).exclude(title="")
    return conversations.filter(_is_in(inbox, which))


def count(inbox: Inbox, which: str) -> int:
    """Return how many chats a list has, up to one more than `MOST_COUNTED`."""
    return chats_of(inbox, which)[: MOST_COUNTED + 1].count()


def _is_in(inbox: Inbox, which: str) -> Q:
    is_not_open = Exists(handled_chats.not_open().filter(pk=OuterRef("pk")))
    if which == OPEN:
        return ~Q(is_not_open)
    if which == WAITING:
        return Q(person_requested_at__isnull=False, closed_at=None) & ~Q(is_not_open)
    if which == MINE:
        held = Takeover.objects.filter(
            ended_at=None, last_seen_at__gt=Now() - AWAY, person=inbox.user_id
        )
        is_held = Q(Exists(held.filter(conversation=OuterRef("pk"))))
        return is_held | Q(handled__assignee=inbox.user_id) & ~Q(is_not_open)
    if which in {SNOOZED, CLOSED}:
        rows = handled_chats.not_open(HandledChat.State(which))
        return Q(Exists(rows.filter(pk=OuterRef("pk"))))
    if which == RATED_BAD:
        bad_answers = ConversationStats.objects.filter(bad__gt=0).values("pk")
        bad_help = Takeover.objects.filter(rating__lt=0).values("conversation")
        return Q(pk__in=bad_answers) | Q(pk__in=bad_help)
    return Q()


def page(
    inbox: Inbox, which: str, after: SearchCursor | None = None, label: int | None = None
) -> tuple[list[UUID], SearchCursor | None]:
    """Return the IDs of a page, and the cursor of the next one; with a label, only its chats."""
    chats = chats_of(inbox, which).only("updated_at")
    if label is not None:
        chats = chats.filter(inbox_labels=label)
    shown, following = sorted_page(chats, "updated_at", PER_PAGE, after, ascending=False)
    return [each.pk for each in shown], following
