"""Apply retention as if its notices had been there long enough."""

from datetime import timedelta

from django.utils import timezone

from chat.conversations.models import Conversation
from chat.conversations.retention import expiry
from chat.conversations.retention.models import ExpiryNotice


def announced_long_ago(*conversations: Conversation) -> None:
    """Have the conversations announced for longer than any notice takes."""
    long_ago = timezone.now() - timedelta(days=expiry.NOTICE_DAYS + 1)
    for each in conversations:
        ExpiryNotice.objects.update_or_create(
            conversation=each, defaults={"owner": each.owner, "announced_at": long_ago}
        )


def apply_retention() -> None:
    """Announce what is due, let the time of the notices pass, and delete."""
    while expiry.apply():
        pass
    announced_long_ago(*[each.conversation for each in ExpiryNotice.objects.all()])
    while expiry.apply():
        pass
