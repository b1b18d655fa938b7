"""Serve the pages of settings that lead to other pages: data and security."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.sessions.devices import devices_of
from chat.conversations.retention import announced, periods
from chat.conversations.sizes.storage import storage_of
from chat.evaluation import consent
from chat.web.http.typed_requests import MemberRequest


@require_safe
@never_cache
@login_required
def chats_and_data(request: MemberRequest) -> HttpResponse:
    context = {
        "storage": storage_of(request.user.pk),
        "retention_days": periods.period_of(request.user),
        "expiring": announced.expiring_of(request.user),
        "allows_evaluation": consent.has_consented(request.user),
    }
    return render(request, "settings/chats_and_data.html", context)


@require_POST
@login_required
def evaluation_consent(request: MemberRequest) -> HttpResponse:
    """Store whether turns of the member's chats may be copied to test models."""
    is_given = request.POST.get("allows_evaluation") == "on"
    deleted = consent.set_consent(request.user, is_given=is_given)
    if deleted:
        words = ngettext(
            "Saved. {count} copy of your chats was deleted.",
            "Saved. {count} copies of your chats were deleted.",
            deleted,
        )
        messages.success(request, words.format(count=deleted))
    else:
        messages.success(request, _("Saved."))
    return redirect("chats_and_data")


@require_safe
@never_cache
@login_required
def security(request: MemberRequest) -> HttpResponse:
    user = request.user
    factors = Authenticator.objects.filter(user=user).values_list("type", flat=True)
    context = {
        "addresses": EmailAddress.objects.filter(user=user).count(),
        "has_password": user.has_usable_password(),
        "factors": set(factors),
        "devices": len(list(devices_of(user.pk, request.session.session_key))),
    }
    return render(request, "settings/security.html", context)
