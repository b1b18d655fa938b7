"""Delete a member's own account."""

import time
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from chat.accounts import administrators
from chat.accounts.actor import attributed_to
from chat.accounts.models import User
from chat.accounts.sessions.browser_data import clear_site_data
from chat.conversations import legal_hold
from chat.conversations.models import Conversation
from chat.generations.deletion.soft_delete import delete_account, owned_by
from chat.web.http.typed_requests import MemberRequest
from chat.web.import_export.forms import DeleteAccountForm

#: How long after signing in somebody without a password can delete their account.
RECENT_SECONDS = 600


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def account_deletion(request: MemberRequest) -> HttpResponse:
    """Show what is deleted, ask for the password, then delete the account and all that it owns."""
    user = request.user
    form = DeleteAccountForm(request.POST if request.method == "POST" else None, user)
    must_sign_in = _must_sign_in_again(request)
    if administrators.is_last_superuser(user) or must_sign_in or request.method != "POST":
        return _page(request, user, form)
    refused: HttpResponse | None = ratelimit.consume_or_429(
        request, action="reauthenticate", user=user
    )
    if refused:
        return refused
    if not form.is_valid():
        return _page(request, user, form)
    # the audit log records the rights that are lost with the account
    with attributed_to(user.pk, ""):
        delete_account(user)
    logout(request)
    messages.success(request, _("Account deleted."))
    response = redirect("account_login")
    clear_site_data(response)
    return response


def _must_sign_in_again(request: MemberRequest) -> bool:
    """Return whether somebody who has no password to confirm with signed in too long ago."""
    if request.user.has_usable_password():
        return False
    records = get_authentication_records(request, request.user)
    return not records or time.time() - records[-1]["at"] > RECENT_SECONDS


def _page(request: MemberRequest, user: User, form: DeleteAccountForm) -> HttpResponse:
    held = legal_hold.held_conversations(owned_by(user))
    context: dict[str, Any] = {
        "form": form,
        "count": Conversation.objects.filter(owner=user).count(),
        "must_sign_in": _must_sign_in_again(request),
        "is_last_superuser": administrators.is_last_superuser(user),
        "held": held.count(),
        "latest_purge_at": timezone.now() + legal_hold.max_duration(),
    }
    return render(
        request, "settings/account_deletion.html", context, status=422 if form.errors else 200
    )
