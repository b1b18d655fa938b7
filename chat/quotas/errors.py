"""Explain which limit is reached, and when more is available."""

from datetime import datetime

from django.utils import formats, timezone
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.errors import QuotaExceeded
from chat.quotas.ended_answers import words_at_limit, words_if_reserved
from chat.quotas.limits import EffectiveLimit
from chat.quotas.models import Limit
from chat.quotas.units import KINDS, RATES, Measure, window_end

Scope = Limit.Scope


#: Typical duration until a running answer ends and returns its reservation.
RESERVED_SECONDS = 60.0


def quota_exceeded(
    bound: EffectiveLimit, now: datetime, *, is_reserved: bool = False, goes_on: bool = False
) -> QuotaExceeded:
    """Return the error for a limit that is reached.

    Its message is built when it is shown, in the reader's language; its reason is the same without
    advice, for pages that send again by themselves. `is_reserved` says that enough would be left
    without the reservations of other answers, `goes_on` that an answer ends which has begun.
    """
    if is_reserved and bound.measure not in RATES:
        words = words_if_reserved(bound) if goes_on else lazy(_reserved, str)(bound)
        error = QuotaExceeded(words, measure=bound.measure, retry_after_seconds=RESERVED_SECONDS)
    else:
        error = _exceeded(bound, now, goes_on=goes_on)
    error.keeps_draft = not goes_on
    return error


def _exceeded(bound: EffectiveLimit, now: datetime, *, goes_on: bool) -> QuotaExceeded:
    resets_at = window_end(KINDS[bound.measure].window, now)
    seconds = (resets_at - now).total_seconds() if resets_at else None
    words = words_at_limit(bound) if goes_on else lazy(_words, str)(bound, resets_at, seconds)
    return QuotaExceeded(
        words,
        measure=bound.measure,
        retry_after_seconds=seconds,
        resets_at=resets_at,
        reason=lazy(_requests, str)(bound) if bound.measure == Measure.REQUESTS else "",
    )


def _words(bound: EffectiveLimit, resets_at: datetime | None, seconds: float | None) -> str:
    if bound.measure == Measure.RUNNING:
        return _running(bound)
    if bound.measure == Measure.REQUESTS:
        wait = max(1, round(seconds or 0))
        return ngettext(
            "{what} Try again in {seconds} second.",
            "{what} Try again in {seconds} seconds.",
            wait,
        ).format(what=_requests(bound), seconds=wait)
    return _("{what} It resets on {when}.").format(what=_spent(bound), when=local_time(resets_at))


def _reserved(bound: EffectiveLimit) -> str:
    if bound.is_shared:
        return _(
            "The rest of this site's limit is reserved for answers in progress. Try "
            "again in a minute."
        )
    return _(
        "The rest of your limit is reserved for your answers in progress. Try again in a "
        "minute, or stop one."
    )


def _running(bound: EffectiveLimit) -> str:
    if bound.scope in {Scope.MEMBER, Scope.VISITOR}:
        return ngettext(
            "You already have an answer in progress. Wait for it to finish, or stop it.",
            "You already have {count} answers in progress. Wait for one to finish, or stop one.",
            bound.most,
        ).format(count=bound.most)
    return _("This site has reached its limit of simultaneous answers. Try again in a moment.")


def _requests(bound: EffectiveLimit) -> str:
    if bound.scope in {Scope.MEMBER, Scope.VISITOR}:
        return ngettext(
            "You can send {count} message per minute.",
            "You can send {count} messages per minute.",
            bound.most,
        ).format(count=bound.most)
    if bound.scope in {Scope.SITE_ADDRESS, Scope.ADDRESS}:
        return _("Your network has reached this site's limit of messages per minute.")
    return _("This site has reached its limit of messages per minute.")


def _spent(bound: EffectiveLimit) -> str:
    is_month = bound.measure == Measure.DOLLARS
    if bound.is_of_api_key:
        return _("What is left of this API key's monthly limit isn't enough for an answer.")
    match bound.scope:
        case Scope.MEMBER | Scope.VISITOR:
            own = _("What is left of your monthly limit isn't enough for an answer.")
            today = _("What is left of your daily limit isn't enough for an answer.")
        case Scope.GROUP:
            own = _("Your group has reached its monthly limit.")
            today = _("Your group has reached its daily limit.")
        case Scope.SITE_ADDRESS | Scope.ADDRESS:
            own = _("Your network has reached its monthly limit.")
            today = _("Your network has reached its daily limit.")
        case Scope.EVALUATION:
            own = _("The monthly limit of evaluation runs is used up.")
            today = _("The daily limit of evaluation runs is used up.")
        case _:
            own = _("This site has reached its monthly limit.")
            today = _("This site has reached its daily limit.")
    return own if is_month else today


def local_time(when: datetime | None) -> str:
    """Return day and time in the reader's time zone."""
    if when is None:
        return ""
    return formats.date_format(timezone.localtime(when), "DATETIME_FORMAT")
