"""Remind staff of requests for personal data that are due soon, or overdue: once each."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat.data_requests.models import DataRequest
from chat.review.staff_notices import notify
from chat.review.staff_notices.models import StaffNotice

AT_ONCE = 50


def remind_due() -> int:
    """Tell who answers requests; return of how many. Run every minute."""
    today = timezone.localdate()
    waiting = DataRequest.objects.filter(state=DataRequest.State.OPEN).order_by("due_on", "pk")
    overdue = waiting.filter(due_on__lt=today, overdue_told_at=None)
    told = sum(_tell(each, StaffNotice.Kind.OVERDUE) for each in overdue[:AT_ONCE])
    if not settings.DATA_REQUEST_REMINDER_DAYS:
        return told
    until = today + timedelta(days=settings.DATA_REQUEST_REMINDER_DAYS)
    soon = waiting.filter(due_on__range=(today, until), reminded_at=None)
    return told + sum(_tell(each, StaffNotice.Kind.DUE) for each in soon[:AT_ONCE])


@transaction.atomic
def _tell(request: DataRequest, kind: StaffNotice.Kind) -> bool:
    """Tell of a request, unless another process just has."""
    column = "overdue_told_at" if kind == StaffNotice.Kind.OVERDUE else "reminded_at"
    untold = DataRequest.objects.filter(
        pk=request.pk, state=DataRequest.State.OPEN, **{column: None}
    )
    if not untold.update(**{column: timezone.now()}):
        return False
    notify.of_data_request(kind, request.due_on)
    return True
