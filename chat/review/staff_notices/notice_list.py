"""List a staff member's notices, and keep how they want to be told."""

from datetime import timedelta

from django.utils import timezone

from chat.database.housekeeping import delete_all
from chat.review.staff_notices.models import Alert, NoticeChoices, StaffNotice

SHOWN = 50
KEPT = timedelta(days=90)


def newest_of(person_id: int) -> list[StaffNotice]:
    """Return the newest notices first, and mark all up to now as read."""
    theirs = StaffNotice.objects.filter(person=person_id).select_related("alert")
    notices = list(theirs.order_by("-id")[:SHOWN])
    if not all(each.is_read for each in notices):
        unread = StaffNotice.objects.filter(person=person_id, is_read=False)
        unread.filter(pk__lte=notices[0].pk).update(is_read=True)  # none that came meanwhile
    return notices


def unread_count(person_id: int) -> int:
    return StaffNotice.objects.filter(person=person_id, is_read=False).count()


def choices_of(person_id: int) -> NoticeChoices:
    return NoticeChoices.objects.filter(pk=person_id).first() or NoticeChoices(person_id=person_id)


def remove_old() -> None:
    """Remove notices and alerts that nobody needs any more. Run every minute."""
    for kind in (StaffNotice, Alert):
        delete_all(kind._default_manager.filter(created_at__lt=timezone.now() - KEPT))
