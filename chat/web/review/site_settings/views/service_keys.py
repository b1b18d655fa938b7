"""Let administrators create and revoke service keys. A key is shown once, when it is created."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.api_keys.errors import TooManyKeys
from chat.review.access_log.staff_context import StaffContext
from chat.review.service_keys import actions
from chat.web.review.http.staff_access import acting_administrators, show
from chat.web.review.site_settings.presenters import usual_reason
from chat.web.review.site_settings.service_key_form import ServiceKeyForm
from chat.web.review.site_settings.service_key_presenter import shown_service_keys


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def show_all(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """List the keys; a POST creates one and shows it."""
    form = ServiceKeyForm(request.POST if request.method == "POST" else None)
    secret, name = "", ""
    if form.is_bound and form.is_valid():
        try:
            key, secret = actions.create(staff_context, form.options)
        except TooManyKeys as error:
            form.add_error(None, error.public)
        else:
            form, name = ServiceKeyForm(None), key.name
    context = {
        "form": form,
        "keys": shown_service_keys(),
        "secret": secret,
        "secret_name": name,
        "usual_reason": usual_reason(),
    }
    status = 422 if form.errors else 200
    return show(request, staff_context, "site_settings/service_keys.html", context, status=status)


@require_POST
@acting_administrators
def revoke(request: HttpRequest, staff_context: StaffContext, service_key_id: int) -> HttpResponse:
    actions.revoke(staff_context, service_key_id)
    messages.success(request, _("Key revoked. Programs can no longer use it."))
    return redirect("review_service_keys")
