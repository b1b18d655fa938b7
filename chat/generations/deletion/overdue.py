"""Find what should have been deleted some time ago, and is still there."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from chat.accounts.models import User
from chat.conversations.legal_hold import purgeable
from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.widget_sites.models import WidgetSite

#: Purging takes seconds, a large account minutes.
LATE_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class OverdueDeletions:
    chats: int
    messages: int
    websites: int
    accounts: int

    @property
    def total(self) -> int:
        return self.chats + self.messages + self.websites + self.accounts


def overdue_deletions() -> OverdueDeletions:
    """Count what is overdue, without what is kept on purpose, such as held chats."""
    before = Now() - LATE_AFTER
    running = Generation.objects.filter(
        message__conversation=OuterRef("pk"), state=Generation.State.RUNNING
    )
    chats = Conversation.all_objects.filter(~Exists(running), purgeable(), purge_after__lte=before)
    messages = Message.objects.filter(
        purgeable("conversation__", "deleted_at"),
        deleted_at__lte=before - timedelta(seconds=settings.UNDO_SECONDS),
        conversation__purge_after=None,
    )
    # One with chats goes after these.
    theirs = Conversation.all_objects.filter(owner__visitor__site=OuterRef("pk"))
    websites = WidgetSite.all_objects.filter(~Exists(theirs), deleted_at__lte=before)
    own = Conversation.all_objects.filter(owner=OuterRef("pk"))
    of_sites = Conversation.all_objects.filter(owner__visitor__site__owner=OuterRef("pk"))
    unsettled = Charge.objects.filter(user=OuterRef("pk"), settled_at=None)
    accounts = User.all_objects.filter(
        ~Exists(own), ~Exists(of_sites), ~Exists(unsettled), closed_at__lte=before
    )
    return OverdueDeletions(chats.count(), messages.count(), websites.count(), accounts.count())
