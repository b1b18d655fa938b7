"""Let administrators set limits, the same values as in the Django admin."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chat.quotas.allowance import allowance_of
from chat.quotas.payer import Payer
from chat.review.access_log.staff_context import StaffContext
from chat.web.account.usage_lines import shown_allowance
from chat.web.review.http.staff_access import acting_administrators, show
from chat.web.review.limits import forms as quotas


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def limits(request: HttpRequest, staff_context: StaffContext, kind: str, key: str) -> HttpResponse:
    about = quotas.limit_subject(kind, key)
    forms = quotas.forms_of(request.POST if request.method == "POST" else None, about)
    if request.method == "POST" and all(form.is_valid() for form in forms):
        quotas.save(staff_context, about, forms)
        messages.success(request, _("Saved. Applies from the next message."))
        return redirect("review_quotas", kind, key)
    context = {"about": about, "forms": forms}
    if about.user:
        left = shown_allowance(allowance_of(Payer(user_id=about.user.pk)))
        context["left"] = left["rows"]
    status = 422 if any(form.errors for form in forms) else 200
    return show(request, staff_context, "quotas.html", context, status=status)
