"""How long an answer is written on that nobody reads any more, by whose it is. 0: to its end."""

from django.conf import settings

from chat.accounts.principals import NOBODY, Principal

#: Of whom nothing is known but the address: clients that connect again, and those that cannot.
RESUMABLE_SECONDS = 10.0
GONE_SECONDS = 2.0


def stored_after_seconds(principal: Principal) -> float:
    """A visitor who leaves seldom comes back, and their site pays."""
    if principal.site:
        return float(settings.VISITOR_ABANDONED_AFTER_SECONDS)
    return float(settings.MEMBER_ABANDONED_AFTER_SECONDS)


def temporary_after_seconds(principal: Principal, *, is_resumable: bool) -> float:
    if principal.user_id == NOBODY:
        return RESUMABLE_SECONDS if is_resumable else GONE_SECONDS
    return float(settings.ABANDONED_AFTER_SECONDS)
