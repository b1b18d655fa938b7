"""Reading the record: for those who lead, and for those whose chats were read."""

from collections.abc import Iterator
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
from chat.review.models import AccessLogEntry
from chat.review.staff.roles import Reviewer

Kind = AccessLogEntry.Kind
GLIMPSES = (Kind.LISTED, Kind.FOUND)  # many at once, and only a few words each
#: What the staff did to a member's account, as they read it: by its kind and detail.
ACCOUNT_ACTS = {
    (StaffAction.Kind.ADDRESS_CHANGED, ""): _("changed your account's email address"),
    (StaffAction.Kind.RESET, "password"): _("requested a password reset for your account"),
    (StaffAction.Kind.RESET, "second factor"): _("removed the second factor from your account"),
    (StaffAction.Kind.SESSIONS_ENDED, ""): _("signed you out on all devices"),
}
MOST_SHOWN = 200
GLIMPSE_DAYS = 90


@dataclass(frozen=True, slots=True)
class LogFilter:
    """Which rows of a record: by whom, about whom, of which kinds, from one moment to another."""

    actor: int | None = None
    people: tuple[int, ...] | None = None
    kinds: tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None

    def conditions(self, actor: str, person: str) -> Q:
        """For a table whose columns of these names say who and about whom."""
        found = Q()
        if self.actor is not None:
            found &= Q(**{actor: self.actor})
        if self.people is not None:
            found &= Q(**{f"{person}__in": self.people})
        if self.kinds is not None:
            found &= Q(kind__in=self.kinds)
        if self.since:
            found &= Q(at__gte=self.since)
        return found & Q(at__lt=self.until) if self.until else found


EVERYTHING = LogFilter()


def rows_for(reviewer: Reviewer, wanted: LogFilter = EVERYTHING) -> QuerySet[AccessLogEntry]:
    """Rows about people whom `reviewer` may review, or their own, the newest first."""
    found = AccessLogEntry.objects.filter(wanted.conditions("reader", "owner")).order_by("-id")
    if reviewer.groups is None:
        return found
    own = Q(owner=None, reader=reviewer.user_id)
    return found.filter(reviewer.within("owner") | own)


def actions_for(reviewer: Reviewer, wanted: LogFilter = EVERYTHING) -> QuerySet[StaffAction]:
    """What the staff did to those people, or `reviewer` to anything, the newest first."""
    found = StaffAction.objects.filter(wanted.conditions("actor", "person")).order_by("-id")
    if reviewer.groups is None:
        return found
    return found.filter(reviewer.within("person") | Q(actor=reviewer.user_id))


@dataclass(frozen=True, slots=True)
class OpenedConversation:
    """One of the staff read one of the member's conversations."""

    at: datetime
    kind: str
    reader: User | None
    conversation: Conversation | None


@dataclass(frozen=True, slots=True)
class Glimpsed:
    """On one day one of the staff saw titles or a few words of the member's, so many times."""

    day: date
    kind: str
    reader: User | None
    count: int


def opened(user_id: int) -> list[OpenedConversation]:
    """Who of the staff opened the member's conversations, the last time first."""
    rows = list(_of(user_id).exclude(kind__in=GLIMPSES).order_by("-id")[:MOST_SHOWN])
    readers = User.objects.in_bulk({each.reader for each in rows})
    ids: set[UUID] = {each.conversation for each in rows if each.conversation}
    present = Conversation.objects.filter(owner=user_id).in_bulk(list(ids))
    return [
        OpenedConversation(
            each.at,
            str(Kind(each.kind).label),
            readers.get(each.reader),
            present.get(each.conversation),
        )
        for each in rows
    ]


def glimpsed(user_id: int) -> Iterator[Glimpsed]:
    """The same of titles in lists and words in search results, summed up by day."""
    since = timezone.now() - timedelta(days=GLIMPSE_DAYS)
    rows = _of(user_id).filter(kind__in=GLIMPSES, at__gte=since)
    days = rows.annotate(day=TruncDate("at")).values("day", "kind", "reader")
    found = list(days.annotate(count=Count("id"), last=Max("id")).order_by("-last")[:MOST_SHOWN])
    readers = User.objects.in_bulk({each["reader"] for each in found})
    for each in found:
        reader = readers.get(each["reader"])
        yield Glimpsed(each["day"], str(Kind(each["kind"]).label), reader, each["count"])


@dataclass(frozen=True, slots=True)
class AccountAct:
    """The staff did something to how a member signs in; `actor` is None for whoever left."""

    at: datetime
    words: str
    actor: User | None


def account_acts(user_id: int) -> list[AccountAct]:
    """Return what the staff did to the member's account, the last time first."""
    kinds = {kind for kind, _detail in ACCOUNT_ACTS}
    rows = StaffAction.objects.filter(person=user_id, kind__in=kinds).exclude(actor=user_id)
    found = list(rows.order_by("-id")[:MOST_SHOWN])
    actors = User.objects.in_bulk({each.actor for each in found})
    known = [(each, ACCOUNT_ACTS.get((StaffAction.Kind(each.kind), each.detail))) for each in found]
    return [
        AccountAct(each.at, str(words), actors.get(each.actor)) for each, words in known if words
    ]


def _of(user_id: int) -> QuerySet[AccessLogEntry]:
    seen = Q(owner=user_id) & ~Q(kind=Kind.REFUSED)
    return AccessLogEntry.objects.filter(seen & ~Q(reader=user_id))
