"""Why the staff looks: asked before anything of others is shown."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from chat.pages.review.door import for_staff, keep_reason, last_reason, show
from chat.pages.review.forms import ReasonForm
from chat.review.audit import Look


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(with_reason=False)
def reason(request: HttpRequest, look: Look) -> HttpResponse:
    """Why they look; then on to what they wanted."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        wanted = "/review/"
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            keep_reason(request, form.cleaned_data["reason"])
            return redirect(wanted)
    else:
        form = ReasonForm(initial={"reason": last_reason(request)})
    status = 422 if form.errors else 200
    return show(request, look, "reason.html", {"form": form, "next": wanted}, status=status)
