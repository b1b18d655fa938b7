"""Explain why an answer that has begun can't go on.

Streams and stored answers have these texts in English, whole, so that pages can look up their
translations (decision 19). Unlike `errors.py`, they promise no draft and name no time.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.quotas.limits import EffectiveLimit
from chat.quotas.models import Limit
from chat.quotas.units import Measure

Scope = Limit.Scope


def words_at_limit(bound: EffectiveLimit) -> str | Promise:
    """Say which limit ends the answer."""
    is_month = bound.measure == Measure.DOLLARS
    if bound.is_of_api_key:
        return _(
            "This answer can't go on. What is left of this API key's monthly limit isn't enough."
        )
    match bound.scope:
        case Scope.MEMBER | Scope.VISITOR:
            month = _("This answer can't go on. What is left of your monthly limit isn't enough.")
            day = _("This answer can't go on. What is left of your daily limit isn't enough.")
        case Scope.GROUP:
            month = _("This answer can't go on. Your group has reached its monthly limit.")
            day = _("This answer can't go on. Your group has reached its daily limit.")
        case Scope.SITE_ADDRESS | Scope.ADDRESS:
            month = _("This answer can't go on. Your network has reached its monthly limit.")
            day = _("This answer can't go on. Your network has reached its daily limit.")
        case _:
            month = _("This answer can't go on. This site has reached its monthly limit.")
            day = _("This answer can't go on. This site has reached its daily limit.")
    return month if is_month else day


def words_if_reserved(bound: EffectiveLimit) -> str | Promise:
    """Say that other answers hold the rest of a limit."""
    if bound.is_shared:
        return _(
            "This answer can't go on now: the rest of this site's limit is reserved for other "
            "answers in progress. Try again in a minute."
        )
    return _(
        "This answer can't go on now: the rest of your limit is reserved for your other answers in "
        "progress. Try again in a minute, or stop one."
    )
