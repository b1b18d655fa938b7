"""Require a second factor of staff, if the site is configured so: `STAFF_TWO_FACTOR`."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from chat.accounts.models import User


def is_missing(user: User | AnonymousUser) -> bool:
    """Return whether a staff member must set up a second factor first."""
    return bool(settings.STAFF_TWO_FACTOR and user.is_authenticated and not is_mfa_enabled(user))


def redirect_to_setup(request: HttpRequest) -> HttpResponse:
    """Redirect to the page where a second factor is set up."""
    messages.warning(
        request,
        _(
            "Staff accounts need two-factor authentication. Add a passkey or an "
            "authenticator app first."
        ),
    )
    return redirect("mfa_index")


def has_permission(request: HttpRequest) -> bool:
    """Return whether the user may use the admin; Django calls this."""
    user = request.user
    return user.is_active and user.is_staff and not is_missing(user)


def wrap_login(login: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap the admin's sign-in view, which also receives staff without a second factor."""

    @wraps(login)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_staff and is_missing(request.user):
            return redirect_to_setup(request)
        return login(request, *args, **kwargs)

    return checked
