"""Deliver what the outbox has, as a server process does every few seconds."""

from collections import Counter
from datetime import timedelta

from django.utils import timezone

from chat.inbox import notice_delivery as site_notices
from chat.inbox import visitor_emails
from chat.outbox.deliver import DeliveryKind, deliver_some
from chat.outbox.models import Delivery
from chat.review.staff_notices import notice_delivery as staff_notices

KINDS = (
    site_notices.MAIL,
    site_notices.WEBHOOK,
    staff_notices.MAIL,
    staff_notices.WEBHOOK,
    visitor_emails.MAIL,
)


async def deliver(*kinds: DeliveryKind) -> None:
    """Deliver what is due, of all kinds if none is given."""
    for kind in kinds or KINDS:
        await deliver_some(kind)


async def make_due() -> None:
    """Let the time pass after which what failed is tried again."""
    past = timezone.now() - timedelta(seconds=1)  # the database's clock has milliseconds only
    await Delivery.objects.filter(due_at__isnull=False).aupdate(due_at=past)


async def waiting() -> Counter[str]:
    """Return how many deliveries of each kind are neither delivered nor given up."""
    rows = Delivery.objects.filter(due_at__isnull=False).values_list("kind", flat=True)
    return Counter([kind async for kind in rows])
