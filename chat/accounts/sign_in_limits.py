"""Limit sign-in attempts, and tell users when to try again, based on allauth's counters.

They are sliding windows in the cache (Redis or a table), because all processes count them
together: in memory, each process would allow a guesser as many attempts again.

Allauth has no public way to choose the key of a counter or to ask for the waiting time. Its
internals are used in this module only; tests/accounts/test_sign_in_limits.py fails if they change.
"""

import math
import time
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.accounts.client_ip import client_address
from chat.lib import metrics

APP = "allauth.account"
#: The limit that guards each page, by the page's name.
ACTIONS = {
    "account_login": "login",
    "account_signup": "signup",
    "account_reset_password": "reset_password",
    "account_reset_password_from_key": "reset_password_from_key",
    "account_change_password": "change_password",
    "account_reauthenticate": "reauthenticate",
    "account_email": "manage_email",
}


class LimitedSignIn(DefaultAccountAdapter):
    """The part of the adapter that limits failed sign-ins and reports the waiting time."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError as error:
            metrics.record_shed("sign_in")
            key = self._get_login_attempts_cache_key(request, **credentials)
            seconds = seconds_left(request, "login_failed", key)
            raise ValidationError(wait_message(seconds), code=error.code) from None

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the counter's key, per account and address.

        A counter per account alone would let strangers lock members out. Unlike allauth's, the key
        leaves out `Host`, as each port in it would start another count.
        """
        login = str(credentials.get("email", "")).lower()
        return f"{login}:{client_address(request)}"


def seconds_left(request: HttpRequest, action: str, key: str | None = None) -> int:
    """Return the seconds until `action` is allowed again, at least 1 as it was just refused."""
    left = [1.0]
    for rate in ratelimit.get_rates(app=APP, action=action):
        if rate.per == "key" and key is None:
            continue
        place = ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=key)
        tries: list[float] = cache.get(place, [])
        if len(tries) >= rate.amount:
            left.append(tries[rate.amount - 1] + rate.duration - time.time())
    return math.ceil(max(left))


def wait_message(seconds: int) -> str:
    """Return the message for a user who has to wait."""
    what = _("Too many attempts from your network.")
    return f"{what} {_when(seconds)}"


def _when(seconds: int) -> str:
    if seconds < 60:
        text = ngettext(
            "Try again in %(count)d second.", "Try again in %(count)d seconds.", seconds
        )
        return text % {"count": seconds}
    minutes = math.ceil(seconds / 60)
    text = ngettext("Try again in %(count)d minute.", "Try again in %(count)d minutes.", minutes)
    return text % {"count": minutes}
