"""Ask for the reason for access before any user data is shown."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from chat.review.access_log.staff_context import StaffContext
from chat.review.staff.roles import Right
from chat.web.http.safe_redirect import safe_redirect
from chat.web.review.http.facet_forms import ReasonForm
from chat.web.review.http.reasons import keep_reason, last_reason
from chat.web.review.http.staff_access import for_staff, show


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(or_right=Right.EVALUATION, with_reason=False, shows_messages=False)
def reason(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Ask for the reason, then redirect to the page that was requested."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            keep_reason(request, form.cleaned_data["reason"])
            return safe_redirect(wanted, "/review/")
    else:
        form = ReasonForm(initial={"reason": last_reason(request)})
    status = 422 if form.errors else 200
    return show(
        request, staff_context, "reason.html", {"form": form, "next": wanted}, status=status
    )
