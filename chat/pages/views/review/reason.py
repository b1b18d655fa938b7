"""Why the staff looks: asked before anything of others is shown."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from chat.pages.review.door import for_staff, show
from chat.pages.review.forms import ReasonForm
from chat.pages.review.reasons import keep_reason, last_reason
from chat.pages.way_on import way_on
from chat.review.audit import Look


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(with_reason=False)
def reason(request: HttpRequest, look: Look) -> HttpResponse:
    """Why they look; then on to what they wanted."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            keep_reason(request, form.cleaned_data["reason"])
            return way_on(wanted, "/review/")
    else:
        form = ReasonForm(initial={"reason": last_reason(request)})
    status = 422 if form.errors else 200
    return show(request, look, "reason.html", {"form": form, "next": wanted}, status=status)
