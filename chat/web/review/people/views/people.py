"""Show a person to staff, and warn, suspend or limit them."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.models import User
from chat.review.access_log.authority import with_reason
from chat.review.access_log.staff_context import StaffContext
from chat.review.moderation import user_moderation
from chat.review.moderation.user_moderation import user_of
from chat.review.staff.roles import Role
from chat.web.review.http.staff_access import for_staff, is_posted, show
from chat.web.review.moderation import presenters
from chat.web.review.moderation.forms import WarningForm
from chat.web.review.moderation.presenters import (
    ModerationSubject,
    SuspensionActions,
    suspend_or_reinstate,
)
from chat.web.review.people.presenters import user_context


@require_safe
@for_staff()
def person(request: HttpRequest, staff_context: StaffContext, key: str) -> HttpResponse:
    context = user_context(staff_context, user_of(staff_context, key))
    return show(request, staff_context, "person.html", context)


@require_POST
@for_staff(Role.LEAD)
def warning(request: HttpRequest, staff_context: StaffContext, key: str) -> HttpResponse:
    user, form = user_of(staff_context, key), WarningForm(request.POST)
    subject = _subject(staff_context, key, user)
    if not form.is_valid():
        return subject.again(request, staff_context, warning_form=form)
    values = form.cleaned_data
    user_moderation.warn(with_reason(staff_context, values["reason"]), user, values["text"])
    return subject.back(request, _("Warning sent. It is shown until the user marks it as read."))


@require_POST
@for_staff(Role.LEAD, is_act=is_posted)
def withdrawal(
    request: HttpRequest, staff_context: StaffContext, key: str, warning_id: int
) -> HttpResponse:
    user = user_of(staff_context, key)
    user_moderation.withdraw_warning(staff_context, user, warning_id)
    return _subject(staff_context, key, user).back(request, _("Warning withdrawn."))


@require_POST
@for_staff(Role.LEAD)
def suspension(request: HttpRequest, staff_context: StaffContext, key: str) -> HttpResponse:
    """Suspend the person, until a date or indefinitely; with `undo`, reinstate them."""
    keeping = SuspensionActions(
        user_moderation.suspend,
        user_moderation.restore,
        _("User suspended and signed out everywhere."),
        _("User reinstated."),
    )
    return suspend_or_reinstate(
        request, staff_context, _subject(staff_context, key, user_of(staff_context, key)), keeping
    )


@require_POST
@for_staff(Role.LEAD)
def limit(request: HttpRequest, staff_context: StaffContext, key: str) -> HttpResponse:
    """Set a temporary limit; with `undo`, restore the previous limits."""
    return presenters.limit(
        request, staff_context, _subject(staff_context, key, user_of(staff_context, key))
    )


def _subject(staff_context: StaffContext, key: str, user: User) -> ModerationSubject:
    address = reverse("review_person", args=[key])
    return ModerationSubject(
        user, "person.html", address, lambda: user_context(staff_context, user)
    )
