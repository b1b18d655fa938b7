"""Decide whom a staff member may act on, and why they act."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.errors import Forbidden
from chat.review.access_log.staff_context import StaffContext
from chat.review.staff import roles


class InsufficientRole(Forbidden):
    text = _("You can't moderate yourself or someone with your role or higher.")


def require_below(staff_context: StaffContext, user: User) -> None:
    """Raise `InsufficientRole` for the reviewer and for staff of their role or a higher one."""
    if roles.peers(staff_context.reviewer).filter(pk=user.pk).exists():
        raise InsufficientRole


def may_act_on(staff_context: StaffContext, user: User) -> bool:
    try:
        require_below(staff_context, user)
    except InsufficientRole:
        return False
    return True


def with_reason(staff_context: StaffContext, reason: str) -> StaffContext:
    """Return the same staff context with the reason for this action."""
    return replace(staff_context, reason=reason)
