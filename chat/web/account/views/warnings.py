"""Mark warnings from staff as read."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from chat.accounts.principals import principal_of
from chat.database import threads
from chat.review.moderation import warnings
from chat.web.http.safe_redirect import safe_redirect
from chat.web.http.typed_requests import MemberRequest


@require_POST
@never_cache
@login_required
def read(request: MemberRequest, warning_id: int) -> HttpResponse:
    """Mark the warning as read and return to the page that showed it."""
    warnings.mark_read(request.user.pk, warning_id)
    return safe_redirect(request.POST.get("next", ""), reverse("chat"))


@require_POST
async def visitors_read(request: HttpRequest, warning_id: int) -> JsonResponse:
    principal = await principal_of(request)
    await threads.writer.run(warnings.mark_read, principal.user_id, warning_id)
    return JsonResponse({"id": warning_id})
