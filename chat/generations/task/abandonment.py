"""Decide for how many seconds an answer without readers continues; 0: to its end."""

from django.conf import settings

from chat.accounts.principals import NOBODY, Principal

#: For anonymous clients, known by address only: those that can reconnect, and those that cannot.
RESUMABLE_SECONDS = 10.0
GONE_SECONDS = 2.0
#: For programs with an API key, which cannot resume: whoever disconnects has stopped the answer.
API_SECONDS = 1.0


def stored_after_seconds(principal: Principal) -> float:
    """Return the timeout of a stored answer.

    Visitors have their own: they seldom come back, and their website pays.
    """
    if principal.site:
        return float(settings.VISITOR_ABANDONED_AFTER_SECONDS)
    return float(settings.MEMBER_ABANDONED_AFTER_SECONDS)


def temporary_after_seconds(principal: Principal, *, is_resumable: bool) -> float:
    """Return the timeout of a temporary answer."""
    if principal.api_key_id is not None:
        return API_SECONDS
    if principal.user_id == NOBODY:
        return RESUMABLE_SECONDS if is_resumable else GONE_SECONDS
    return float(settings.ABANDONED_AFTER_SECONDS)
