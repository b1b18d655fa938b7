"""Read the audit log, for leads and for members whose chats were read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import BY_PROGRAM
from chat.review.models import AccessLogEntry
from chat.review.staff.roles import Reviewer

Kind = AccessLogEntry.Kind
LISTING_KINDS = (Kind.LISTED, Kind.FOUND)  # many at once, with a title or snippet each
OPENING_KINDS = (Kind.READ, Kind.WATCHED)
#: Staff actions on an account as its member reads them, by kind and detail.
ACCOUNT_ACTIONS = {
    (StaffAction.Kind.ADDRESS_CHANGED, ""): _("changed your account's email address"),
    (StaffAction.Kind.RESET, "password"): _("requested a password reset for your account"),
    (StaffAction.Kind.RESET, "second factor"): _("removed the second factor from your account"),
    (StaffAction.Kind.SESSIONS_ENDED, ""): _("signed you out on all devices"),
}
MAX_SHOWN = 200
LISTING_DAYS = 90


@dataclass(frozen=True, slots=True)
class LogFilter:
    """Filters of a log: who, about whom, which kinds, and when."""

    actor: int | None = None
    people: tuple[int, ...] | None = None
    kinds: tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    chat: UUID | None = None

    def conditions(self, actor: str, person: str) -> Q:
        """Return the condition for a table with these columns for the actor and the person."""
        condition = Q()
        if self.actor is not None:
            condition &= Q(**{actor: self.actor})
        if self.people is not None:
            condition &= Q(**{f"{person}__in": self.people})
        if self.kinds is not None:
            condition &= Q(kind__in=self.kinds)
        if self.chat is not None:
            condition &= Q(conversation=self.chat)
        if self.since:
            condition &= Q(at__gte=self.since)
        return condition & Q(at__lt=self.until) if self.until else condition


EVERYTHING = LogFilter()


def rows_for(reviewer: Reviewer, wanted: LogFilter = EVERYTHING) -> QuerySet[AccessLogEntry]:
    """Return entries about people in the reviewer's scope and their own, newest first."""
    entries = AccessLogEntry.objects.filter(wanted.conditions("reader", "owner")).order_by("-id")
    if reviewer.groups is None:
        return entries
    shown = reviewer.within("owner")
    if not reviewer.is_program:
        shown |= Q(owner=None, reader=reviewer.user_id)
    return entries.filter(shown)


def actions_for(reviewer: Reviewer, wanted: LogFilter = EVERYTHING) -> QuerySet[StaffAction]:
    """Return staff actions on people in the reviewer's scope and their own, newest first."""
    actions = StaffAction.objects.filter(wanted.conditions("actor", "person")).order_by("-id")
    if reviewer.groups is None:
        return actions
    shown = reviewer.within("person")
    if not reviewer.is_program:
        shown |= Q(actor=reviewer.user_id)
    return actions.filter(shown)


def already_read(reader: int, chats: Sequence[Conversation]) -> set[UUID]:
    """Return those of the chats that a staff member has opened since they were last used.

    What a service key of theirs has read has a detail.
    """
    opened = AccessLogEntry.objects.filter(
        reader=reader,
        conversation__in=[each.pk for each in chats],
        kind__in=OPENING_KINDS,
        detail="",
    )
    latest = dict(opened.order_by().values_list("conversation").annotate(Max("at")))
    return {each.pk for each in chats if each.pk in latest and latest[each.pk] >= each.updated_at}


@dataclass(frozen=True, slots=True)
class OpenedConversation:
    """A staff member's access to one of the member's conversations."""

    at: datetime
    kind: str
    reader: User | None
    conversation: Conversation | None  # None: deleted
    is_about_chat: bool = True  # or about the member, whose page was opened
    is_by_program: bool = False  # with a service key that the reader created


@dataclass(frozen=True, slots=True)
class DailyListings:
    """How often a staff member saw titles or snippets of a member's chats on one day."""

    day: date
    kind: str
    reader: User | None
    count: int


def opened_conversations(user_id: int) -> list[OpenedConversation]:
    """Return who of the staff opened the member's conversations, newest first."""
    rows = list(_of(user_id).exclude(kind__in=LISTING_KINDS).order_by("-id")[:MAX_SHOWN])
    readers = User.objects.in_bulk({each.reader for each in rows})
    ids: set[UUID] = {each.conversation for each in rows if each.conversation}
    present = Conversation.objects.filter(owner=user_id).in_bulk(list(ids))
    return [
        OpenedConversation(
            each.at,
            str(Kind(each.kind).label),
            readers.get(each.reader),
            present.get(each.conversation) if each.conversation else None,
            each.conversation is not None,
            each.detail.startswith(BY_PROGRAM),
        )
        for each in rows
    ]


def listings_by_day(user_id: int) -> Iterator[DailyListings]:
    """Yield accesses to titles in lists and snippets in search results, per day."""
    since = timezone.now() - timedelta(days=LISTING_DAYS)
    rows = _of(user_id).filter(kind__in=LISTING_KINDS, at__gte=since)
    days = rows.annotate(day=TruncDate("at")).values("day", "kind", "reader")
    listings = list(days.annotate(count=Count("id"), last=Max("id")).order_by("-last")[:MAX_SHOWN])
    readers = User.objects.in_bulk({each["reader"] for each in listings})
    for each in listings:
        reader = readers.get(each["reader"])
        yield DailyListings(each["day"], str(Kind(each["kind"]).label), reader, each["count"])


@dataclass(frozen=True, slots=True)
class AccountAction:
    """A staff action on how a member signs in; `actor` is None if their account was deleted."""

    at: datetime
    words: str
    actor: User | None


def account_actions(user_id: int) -> list[AccountAction]:
    """Return staff actions on the member's account, newest first."""
    kinds = {kind for kind, _detail in ACCOUNT_ACTIONS}
    rows = StaffAction.objects.filter(person=user_id, kind__in=kinds).exclude(actor=user_id)
    actions = list(rows.order_by("-id")[:MAX_SHOWN])
    actors = User.objects.in_bulk({each.actor for each in actions})
    known = [
        (each, ACCOUNT_ACTIONS.get((StaffAction.Kind(each.kind), each.detail))) for each in actions
    ]
    return [
        AccountAction(each.at, str(words), actors.get(each.actor)) for each, words in known if words
    ]


def _of(user_id: int) -> QuerySet[AccessLogEntry]:
    seen = Q(owner=user_id) & ~Q(kind=Kind.REFUSED)
    return AccessLogEntry.objects.filter(seen & ~Q(reader=user_id))
