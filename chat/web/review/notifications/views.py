"""Show a staff member's notifications, and let them choose how to be told."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chat.review.access_log.staff_context import StaffContext
from chat.review.staff import privacy
from chat.review.staff.roles import Right, Role, rights_of
from chat.review.staff_notices import notice_list
from chat.web.http.js_catalog import catalog
from chat.web.review.http.staff_access import for_staff, is_posted, show
from chat.web.review.notifications.forms import NoticeChoicesForm
from chat.web.review.notifications.presenters import shown_notices

SECRET_KEY = "review_webhook_secret"  # noqa: S105  (in the session, until it is shown)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(Role.NONE, with_reason=False, shows_messages=False)
def notifications(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show the page. It has no text of chats, so viewing it needs no reason and is not logged."""
    rights = rights_of(request.user)
    if not rights:
        privacy.require_reading_allowed()  # reviewers are told of chats only
    person_id = staff_context.reviewer.user_id
    form = NoticeChoicesForm(
        request.POST if is_posted(request) else None,
        notice_list.choices_of(person_id),
        staff_context.reviewer.role,
        rights,
    )
    if form.is_bound and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        if form.made_secret:
            request.session[SECRET_KEY] = form.made_secret
        return redirect("review_notifications")
    context = {
        "form": form,
        "answers_data_requests": Right.DATA_PROTECTION in rights,
        "sees_log": Right.AUDIT_LOG in rights,
        "notices": shown_notices(notice_list.newest_of(person_id)),
        "made_secret": request.session.pop(SECRET_KEY, ""),
        "js_catalog": catalog(),
    }
    status = 422 if form.errors else 200
    return show(request, staff_context, "notifications.html", context, status=status)
