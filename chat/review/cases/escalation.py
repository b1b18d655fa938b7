"""Tell more of the staff about severe cases that nobody takes on."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from chat.review.case_models import Case, Severity
from chat.review.staff_notices import case_events, notify
from chat.review.staff_notices.case_events import CaseEvent
from chat.review.staff_notices.duty import MAX_ESCALATIONS

AT_ONCE = 50


def escalate_due() -> int:
    """Tell the next ones of each case that is due; return of how many. Run every minute."""
    if not settings.ESCALATION_MINUTES:
        return 0
    return sum(_escalate(step) for step in range(MAX_ESCALATIONS))


def _escalate(step: int) -> int:
    """Do this step for the cases that have waited long enough. Of several processes, one does."""
    waited = timedelta(minutes=settings.ESCALATION_MINUTES) * (step + 1)
    due = Case.objects.filter(
        state=Case.State.OPEN,
        severity=Severity.HIGH,
        severe_since__lte=timezone.now() - waited,
        escalations=step,
    )
    count = 0
    for case_id, conversation_id in due.values_list("pk", "conversation")[:AT_ONCE]:
        with transaction.atomic():
            ours = Case.objects.filter(pk=case_id, state=Case.State.OPEN, escalations=step)
            if ours.update(escalations=F("escalations") + 1) and conversation_id:
                notify.of_unclaimed(conversation_id, step + 1)
                case_events.emit(CaseEvent.ESCALATED, case_id)
                count += 1
    return count
