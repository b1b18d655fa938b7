"""Show members which staff read their chats or acted on their account."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.review.access_log import queries as log_queries
from chat.web.http.typed_requests import MemberRequest


@require_safe
@never_cache
@login_required
def show(request: MemberRequest) -> HttpResponse:
    user_id = request.user.pk
    context: dict[str, object] = {"acts": log_queries.account_actions(user_id)}
    if settings.SHOW_ACCESS_HISTORY:
        context["opened"] = log_queries.opened_conversations(user_id)
        context["listings"] = list(log_queries.listings_by_day(user_id))
    return render(request, "settings/access_history.html", context)
