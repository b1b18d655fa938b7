"""Show a website to lead reviewers, and suspend or limit it.

These pages show no chats, so they need no reason for access. Actions have a reason of their own.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.review.access_log.staff_context import StaffContext
from chat.review.members import scopes as scope_rows
from chat.review.moderation import widget_site_suspension
from chat.review.moderation.widget_site_suspension import site_of
from chat.review.staff.roles import Role
from chat.web.review.http.staff_access import acting_administrators, for_staff, posted_id, show
from chat.web.review.members.group_forms import ScopeForm
from chat.web.review.moderation import presenters
from chat.web.review.moderation.presenters import (
    ModerationSubject,
    SuspensionActions,
    suspend_or_reinstate,
)
from chat.web.review.people.presenters import site_context


@require_safe
@for_staff(Role.LEAD, with_reason=False)
def site(request: HttpRequest, staff_context: StaffContext, key: str) -> HttpResponse:
    return show(
        request,
        staff_context,
        "site.html",
        site_context(staff_context, site_of(staff_context, key)),
    )


@require_POST
@for_staff(Role.LEAD, with_reason=False)
def suspension(request: HttpRequest, staff_context: StaffContext, key: str) -> HttpResponse:
    """Suspend the site, until a date or indefinitely; with `undo`, reinstate it."""
    keeping = SuspensionActions(
        widget_site_suspension.suspend,
        widget_site_suspension.restore,
        _("Website suspended. Its chat is no longer shown."),
        _("Website reinstated."),
    )
    return suspend_or_reinstate(request, staff_context, _subject(staff_context, key), keeping)


@require_POST
@for_staff(Role.LEAD, with_reason=False)
def limit(request: HttpRequest, staff_context: StaffContext, key: str) -> HttpResponse:
    """Set a temporary limit; with `undo`, restore the previous limits."""
    return presenters.limit(request, staff_context, _subject(staff_context, key))


@require_POST
@acting_administrators
def scopes(request: HttpRequest, staff_context: StaffContext, key: str) -> HttpResponse:
    """Let a group of staff review the visitors, or end that."""
    widget_site = site_of(staff_context, key)
    form = ScopeForm(request.POST)
    if (scope_id := posted_id(request, "end")) is not None:
        scope_rows.remove(staff_context, scope_rows.of_site(widget_site), scope_id)
        messages.success(request, _("Reviewer removed from the website."))
    elif form.is_valid():
        scope_rows.add(staff_context, team=form.cleaned_data["team"], site=widget_site)
        messages.success(request, _("Reviewer added to the website."))
    else:
        context = site_context(staff_context, widget_site) | {"scope_form": form}
        return show(request, staff_context, "site.html", context, status=422)
    return redirect("review_site", key)


def _subject(staff_context: StaffContext, key: str) -> ModerationSubject:
    widget_site = site_of(staff_context, key)
    address = reverse("review_site", args=[key])
    return ModerationSubject(
        widget_site, "site.html", address, lambda: site_context(staff_context, widget_site)
    )
