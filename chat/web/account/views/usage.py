"""Serve what is left of the limits as a fragment, which the page reloads after each answer."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.accounts.principals import payer_of
from chat.quotas.allowance import allowance_of
from chat.web.account.usage_lines import shown_allowance


@require_safe
@never_cache
@login_required
def show(request: HttpRequest) -> HttpResponse:
    assert request.user.pk  # noqa: S101  (login_required)
    allowance = allowance_of(payer_of(request, request.user.pk))
    context = {"allowance": shown_allowance(allowance), "is_fragment": True}
    return render(request, "chat/allowance.html", context)
