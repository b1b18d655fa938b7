"""Find the chats of a site, newest first."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from chat.conversations.handoff.takeover import AWAY
from chat.conversations.models import Conversation, Takeover
from chat.inbox.team_access import Inbox
from chat.review import access
from chat.review.models import ConversationStats
from chat.review.search.result_pages import SearchCursor, sorted_page

PER_PAGE = 50
#: The lists of an inbox.
ALL, WAITING, MINE, RATED_BAD = "all", "waiting", "mine", "bad"


def chats_of(inbox: Inbox, which: str = ALL) -> QuerySet[Conversation]:
    """Return the chats of a list that visitors have written in."""
    reviewer = inbox.staff_context.reviewer
    conversations = Conversation.objects.filter(access.in_scope_of(reviewer)).exclude(title="")
    if which == WAITING:
        return conversations.filter(person_requested_at__isnull=False, closed_at=None)
    if which == MINE:
        held = Takeover.objects.filter(
            ended_at=None, last_seen_at__gt=Now() - AWAY, person=inbox.user_id
        )
        return conversations.filter(Exists(held.filter(conversation=OuterRef("pk"))))
    if which == RATED_BAD:
        bad_answers = ConversationStats.objects.filter(bad__gt=0).values("pk")
        bad_help = Takeover.objects.filter(rating__lt=0).values("conversation")
        return conversations.filter(Q(pk__in=bad_answers) | Q(pk__in=bad_help))
    return conversations


def page(
    inbox: Inbox, which: str, after: SearchCursor | None = None
) -> tuple[list[UUID], SearchCursor | None]:
    """Return the IDs of a page, and the cursor of the next one."""
    chats = chats_of(inbox, which).only("updated_at")
    shown, following = sorted_page(chats, "updated_at", PER_PAGE, after, ascending=False)
    return [each.pk for each in shown], following
