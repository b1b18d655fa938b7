"""Tell members which of their conversations will be deleted, and when."""

from dataclasses import dataclass
from datetime import date

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.retention import periods
from chat.conversations.retention.expiry import deletion_date
from chat.conversations.retention.models import ExpiryNotice

MAX_SHOWN = 50


@dataclass(frozen=True, slots=True)
class ExpiringChat:
    """A conversation that is deleted on a day, unless it is used before."""

    conversation: Conversation
    deleted_on: date


@dataclass(frozen=True, slots=True)
class ExpiringChats:
    """A member's conversations that will be deleted: the longest unused ones, and all, counted."""

    shown: list[ExpiringChat]
    count: int

    @property
    def more(self) -> int:
        return self.count - len(self.shown)


def expiring_of(user: User) -> ExpiringChats:
    days = periods.period_of(user)
    present = Conversation.objects.filter(owner=user)  # without deleted ones
    notices = ExpiryNotice.objects.filter(conversation__in=present)
    if days is None:
        return ExpiringChats([], 0)
    oldest = notices.select_related("conversation").order_by("conversation__updated_at")
    shown = [ExpiringChat(each.conversation, _day(each, days)) for each in oldest[:MAX_SHOWN]]
    return ExpiringChats(sorted(shown, key=lambda each: each.deleted_on), notices.count())


def deletion_of(conversation: Conversation, user: User) -> date | None:
    """Return the day on which a conversation is deleted, unless it is used before; None: never."""
    notice = ExpiryNotice.objects.filter(conversation=conversation).first()
    days = periods.period_of(user) if notice else None
    if notice is None or days is None:
        return None
    notice.conversation = conversation
    return _day(notice, days)


def _day(notice: ExpiryNotice, period_days: int) -> date:
    return deletion_date(period_days, notice.conversation.updated_at, notice.announced_at)
