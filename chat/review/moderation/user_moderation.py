"""Warn and suspend members and visitors, and undo it."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.accounts import suspension
from chat.accounts.models import User
from chat.errors import BadRequest, NotFound
from chat.generations.deletion.soft_delete import owned_by
from chat.generations.models import Generation
from chat.generations.task.cancellation import request_stop
from chat.review.access_log.account_changes import format_until
from chat.review.access_log.authority import require_below
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.moderation.warnings import ModerationWarning
from chat.review.staff import privacy
from chat.widget_sites.models import VisitorToken

Kind = StaffAction.Kind


def user_of(staff_context: StaffContext, key: str) -> User:
    """Return the user with this key (`privacy.ShownUser`). Raise `NotFound` outside the scope."""
    privacy.require_reading_allowed()
    user = privacy.find_by_key(staff_context.reviewer, key)
    if user is None:
        raise NotFound
    return user


@transaction.atomic
def warn(staff_context: StaffContext, user: User, text: str) -> ModerationWarning:
    require_below(staff_context, user)
    record_action(staff_context, Kind.WARNED, person=user.pk)
    return ModerationWarning.objects.create(person=user, text=text)


@transaction.atomic
def withdraw_warning(staff_context: StaffContext, user: User, warning_id: int) -> None:
    """Withdraw the warning: it is no longer shown, but staff still see it."""
    require_below(staff_context, user)
    warnings = ModerationWarning.objects.filter(pk=warning_id, person=user)
    if not warnings.exists():
        raise NotFound
    if warnings.filter(withdrawn_at=None).update(withdrawn_at=timezone.now()):
        record_action(staff_context, Kind.UNWARNED, person=user.pk)


def suspend(staff_context: StaffContext, user: User, until: datetime | None) -> None:
    """Suspend the user, sign them out and stop their answers, on their websites too."""
    with transaction.atomic():
        require_below(staff_context, user)
        if not suspension.suspend(user, until):
            raise BadRequest(_("This account is already disabled."))
        request_stop(Generation.objects.filter(owned_by(user)))
        VisitorToken.objects.filter(visitor__user=user).delete()
        record_action(staff_context, Kind.SUSPENDED, person=user.pk, detail=format_until(until))
    suspension.end_sessions(user)


@transaction.atomic
def restore(staff_context: StaffContext, user: User) -> None:
    require_below(staff_context, user)
    if suspension.restore(user):
        record_action(staff_context, Kind.RESTORED, person=user.pk)
