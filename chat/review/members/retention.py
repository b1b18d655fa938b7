"""Change how long the chats of a group's members are kept."""

from django.contrib.auth.models import Group
from django.db import transaction

from chat.conversations.retention import periods
from chat.conversations.retention.models import GroupRetention
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext

NONE = "–"


def of_group(group: Group) -> int | None:
    """Return a group's period in days, 0 for ever; None if it has none."""
    return GroupRetention.objects.filter(group=group).values_list("days", flat=True).first()


def newly_expired(after: periods.RetentionPeriods) -> int:
    """Return how many chats would be deleted at once, if these periods applied."""
    return max(0, periods.count_expired(after) - periods.count_expired(periods.current()))


@transaction.atomic
def set_for(staff_context: StaffContext, group: Group, days: int | None) -> None:
    """Set a group's period; None: the site's one applies."""
    before = of_group(group)
    if before == days:
        return
    periods.set_for(group, days)
    words = [NONE if each is None else str(each) for each in (before, days)]
    record_action(
        staff_context,
        StaffAction.Kind.RETENTION_CHANGED,
        detail=f"{group.name}: {' → '.join(words)}",
    )
