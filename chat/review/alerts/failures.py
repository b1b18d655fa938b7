"""Tell administrators when many answers fail, and once more when it is over."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.review.staff_notices import notify
from chat.review.staff_notices.models import Alert, StaffNotice

#: One failure of one answer says nothing.
MIN_ANSWERS = 10
#: The newest of the period, because more would only take longer.
MAX_ANSWERS = 1000
#: It is over once the share is down to a half, so that it doesn't begin and end by turns.
OVER_AT = 0.5


def check_failures() -> int:
    """Tell that it begins or ends; return how many alerts that makes. Run every minute."""
    most = settings.FAILED_ANSWERS_ALERT_PERCENT / 100
    if not most:
        return 0
    ended, failed = recent_answers()
    if ended >= MIN_ANSWERS and failed > most * ended:
        return _begin()
    if ended and failed <= most * OVER_AT * ended:
        return _end()
    return 0


def recent_answers() -> tuple[int, int]:
    """Return how many answers of the last minutes have ended, and how many of them failed."""
    since = timezone.now() - timedelta(minutes=settings.FAILED_ANSWERS_ALERT_MINUTES)
    # From their charges, because answers have no index by time.
    charges = Charge.objects.filter(created_at__gte=since).order_by("-created_at")
    newest = list(charges.values_list("pk", flat=True)[:MAX_ANSWERS])
    ended = Generation.objects.filter(pk__in=newest).exclude(state=Generation.State.RUNNING)
    states = list(ended.values_list("state", flat=True))
    return len(states), states.count(Generation.State.FAILED)


@transaction.atomic
def _begin() -> int:
    alert, is_new = Alert.objects.get_or_create(
        kind=Alert.Kind.FAILING,
        is_over=False,
        defaults={"percent": settings.FAILED_ANSWERS_ALERT_PERCENT},
    )
    if is_new:
        notify.of_alert(StaffNotice.Kind.FAILING, alert)
    return int(is_new)


@transaction.atomic
def _end() -> int:
    """Close the alert, if there is one. Of several processes, one does."""
    alert = Alert.objects.filter(kind=Alert.Kind.FAILING, is_over=False).first()
    if alert is None or not Alert.objects.filter(pk=alert.pk, is_over=False).update(is_over=True):
        return 0
    notify.of_alert(StaffNotice.Kind.WORKING, alert)
    return 1
