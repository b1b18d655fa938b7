"""Let administrators set where events of cases are sent, and see what became of them."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.errors import NotFound
from chat.review.access_log.staff_context import StaffContext
from chat.review.site_setup import case_webhook
from chat.review.staff_notices import case_events
from chat.review.staff_notices.case_events import CaseEvent
from chat.review.staff_notices.models import CaseWebhookAttempt
from chat.web.http.shared_limits import require_rate
from chat.web.review.http.staff_access import acting_administrators, administrators, show
from chat.web.review.site_settings.case_webhook_form import CaseWebhookForm
from chat.web.review.site_settings.presenters import usual_reason
from chat.webhooks import attempts

SECRET_KEY = "case_webhook_secret"  # noqa: S105  (in the session, until it is shown)
TESTS_PER_MINUTE = 10


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    stored = case_webhook.current()
    form = CaseWebhookForm(request.POST if request.method == "POST" else None, stored)
    if form.is_bound and form.is_valid():
        data = form.cleaned_data
        request.session[SECRET_KEY] = case_webhook.save(
            staff_context, data["webhook_url"], renews_secret=data.get("renews_secret", False)
        )
        messages.success(request, _("Saved."))
        return redirect("review_case_webhook")
    context = {
        "form": form,
        "webhook": stored,
        "made_secret": request.session.pop(SECRET_KEY, ""),
        "attempts": attempts.newest(CaseWebhookAttempt.objects.all()),
        "usual_reason": usual_reason(),
    }
    status = 422 if form.errors else 200
    return show(request, staff_context, "site_settings/case_webhook.html", context, status=status)


@require_POST
@administrators
def send_test(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Send an event about no case. It changes nothing, so it needs no reason."""
    if case_webhook.current() is None:
        raise NotFound
    who = f"user:{staff_context.reviewer.user_id}"
    require_rate("case_webhook_tests", who, TESTS_PER_MINUTE)
    with transaction.atomic():
        case_events.emit(CaseEvent.TEST, None)
    messages.success(request, _("The test event is on its way. Reload the page to see the result."))
    return redirect("review_case_webhook")
