"""Remember who has dismissed the administrators' announcement."""

from dataclasses import replace

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from chat.accounts.preferences import Preferences
from chat.site_settings import effective
from chat.web.http.safe_redirect import safe_redirect
from chat.web.http.typed_requests import MemberRequest


@require_POST
@never_cache
@login_required
def dismiss(request: MemberRequest) -> HttpResponse:
    """Remember that the member has dismissed the announcement that they saw."""
    announcement = effective.announcement()
    if announcement and announcement.id == request.POST.get("id"):
        preferences = Preferences.of(request.user)
        replace(preferences, dismissed_announcement=announcement.id).save(request.user)
    return safe_redirect(request.POST.get("next", ""), reverse("chat"))
