"""Find which of a website's questions had no good answer, and list them by their meaning.

Whoever lists them reads what visitors wrote, so that is recorded like reading in the inbox.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from chat.conversations.models import Message
from chat.errors import NotFound
from chat.inbox.team_access import Inbox
from chat.review import access
from chat.website_answers.models import AnswerSnippet, Gap, UnansweredQuestion
from chat.widget_sites.models import WidgetSite

MOST_GAPS = 50
#: Wordings and replies of the team that are shown for each gap, the newest.
MOST_WORDINGS = 3
MOST_REPLIES = 2
WEEK = timedelta(days=7)
#: What nobody may read any more, or staff have hidden, is in no list and counts nowhere.
VISIBLE = Q(
    message__deleted_at=None, message__hidden_at=None, message__conversation__purge_after=None
)


@dataclass(frozen=True, slots=True)
class ListedGap:
    """Questions of one meaning, with what people of the team replied in these chats."""

    gap: Gap
    people: int
    recent: int  # questions in the last seven days
    before: int  # in the seven days before these
    wordings: list[Message]
    replies: list[Message]

    @property
    def causes(self) -> list[str]:
        found = dict.fromkeys(self.gap.questions.filter(VISIBLE).values_list("cause", flat=True))
        return [str(UnansweredQuestion.Cause(each).label) for each in found]


def counted(site: WidgetSite) -> QuerySet[Any]:
    """Return the open gaps of a website with how many people asked, most first."""
    seen = _prefixed(VISIBLE)
    now = timezone.now()
    recent = Q(questions__message__created_at__gt=now - WEEK)
    before = Q(
        questions__message__created_at__gt=now - 2 * WEEK,
        questions__message__created_at__lte=now - WEEK,
    )
    gaps = Gap.objects.filter(site=site, state=Gap.State.OPEN).annotate(
        people=Count("questions__message__conversation__owner", distinct=True, filter=seen),
        recent=Count("questions", distinct=True, filter=seen & recent),
        before=Count("questions", distinct=True, filter=seen & before),
        newest=Max("questions__message", filter=seen),
    )
    return gaps.filter(people__gt=0).order_by("-people", "-recent", "-newest")


@transaction.atomic
def listed(inbox: Inbox) -> list[ListedGap]:
    """Return the open gaps with their texts, and record that these are read."""
    return _with_texts(inbox, counted(inbox.site)[:MOST_GAPS])


@transaction.atomic
def listed_gap(inbox: Inbox, gap_id: int) -> ListedGap:
    """Return one open gap with its texts, and record that these are read. Raise `NotFound`."""
    found = _with_texts(inbox, counted(inbox.site).filter(pk=gap_id))
    if not found:
        raise NotFound
    return found[0]


def gap_of(site: WidgetSite, gap_id: int) -> Gap:
    """Return an open gap of a website. Raise `NotFound`."""
    found = Gap.objects.filter(site=site, state=Gap.State.OPEN, pk=gap_id).first()
    if found is None:
        raise NotFound
    return found


def close(gap: Gap, snippet: AnswerSnippet | None) -> None:
    """Take a gap off the list: it is answered by a snippet, or not worth one."""
    gap.state = Gap.State.ANSWERED if snippet else Gap.State.DISMISSED
    gap.snippet, gap.closed_at = snippet, timezone.now()
    gap.save(update_fields=["state", "snippet", "closed_at"])


def _with_texts(inbox: Inbox, gaps: Iterable[Any]) -> list[ListedGap]:
    found = list(gaps)
    questions = _newest_questions(found)
    replies = _newest_replies(questions)
    wanted = [pk for of_gap in (questions, replies) for pks in of_gap.values() for pk in pks]
    texts = {each.pk: each for each in access.read_hits(inbox.staff_context, wanted)}
    return [
        ListedGap(
            each,
            each.people,
            each.recent,
            each.before,
            [texts[pk] for pk in questions[each.pk] if pk in texts],
            [texts[pk] for pk in replies[each.pk] if pk in texts],
        )
        for each in found
    ]


def _newest_questions(gaps: list[Any]) -> dict[int, list[int]]:
    rows = UnansweredQuestion.objects.filter(VISIBLE, gap__in=gaps).order_by("-message")
    newest: dict[int, list[int]] = defaultdict(list)
    for gap_id, message_id in rows.values_list("gap", "message"):
        if len(newest[gap_id]) < MOST_WORDINGS:
            newest[gap_id].append(message_id)
    return newest


def _newest_replies(questions: dict[int, list[int]]) -> dict[int, list[int]]:
    """Return what people of the team wrote in these chats after the questions, by gap."""
    gap_of_question = {pk: gap_id for gap_id, pks in questions.items() for pk in pks}
    chats = Message.objects.filter(pk__in=gap_of_question).values_list("conversation", "pk")
    asked: dict[UUID, list[int]] = defaultdict(list)
    for chat, pk in chats.order_by("-pk"):
        asked[chat].append(pk)
    written = Message.objects.filter(
        conversation__in=asked,
        role=Message.Role.ASSISTANT,
        author__gt=0,
        deleted_at=None,
        hidden_at=None,
    )
    newest: dict[int, list[int]] = defaultdict(list)
    for pk, chat in written.order_by("-pk").values_list("pk", "conversation"):
        last = next((each for each in asked[chat] if each < pk), None)
        if last and len(newest[gap_of_question[last]]) < MOST_REPLIES:
            newest[gap_of_question[last]].append(pk)
    return newest


def _prefixed(condition: Q) -> Q:
    return Q(**{f"questions__{name}": value for name, value in condition.children})  # type: ignore[misc]
