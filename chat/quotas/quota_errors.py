"""A limit that is reached, in words: what, why, and when there is more."""

from datetime import datetime

from django.utils import formats, timezone
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.errors import QuotaExceeded
from chat.quotas.limits import EffectiveLimit
from chat.quotas.models import Limit
from chat.quotas.units import KINDS, RATES, Measure, ends

Scope = Limit.Scope


#: How long an answer takes that somebody waits for, more or less.
RESERVED_SECONDS = 60.0


def over_limit(bound: EffectiveLimit, now: datetime, *, is_reserved: bool = False) -> QuotaExceeded:
    """The error to raise; its words are made where it is shown, in the reader's language.

    `is_reserved` where it would be enough if the running answers cost nothing.
    """
    if is_reserved and bound.measure not in RATES:
        words = lazy(_reserved, str)(bound)
        return QuotaExceeded(words, measure=bound.measure, retry_after_seconds=RESERVED_SECONDS)
    resets_at = ends(KINDS[bound.measure].window, now)
    seconds = (resets_at - now).total_seconds() if resets_at else None
    words = lazy(_words, str)(bound, resets_at, seconds)
    return QuotaExceeded(
        words, measure=bound.measure, retry_after_seconds=seconds, resets_at=resets_at
    )


def _words(bound: EffectiveLimit, resets_at: datetime | None, seconds: float | None) -> str:
    if bound.measure == Measure.RUNNING:
        return _running(bound)
    if bound.measure == Measure.REQUESTS:
        return _("{what} Try again in {seconds} seconds; your text is kept.").format(
            what=_requests(bound), seconds=max(1, round(seconds or 0))
        )
    return _("{what} There is more from {when}; your text is kept.").format(
        what=_spent(bound), when=clock(resets_at)
    )


def _reserved(bound: EffectiveLimit) -> str:
    if bound.is_shared:
        return _(
            "What is left of this site's allowance is reserved for answers that are being written. "
            "Try again in a minute; your text is kept."
        )
    return _(
        "What is left of your allowance is reserved for answers that are being written for you. "
        "Try again in a minute, or stop one; your text is kept."
    )


def _running(bound: EffectiveLimit) -> str:
    if bound.scope in {Scope.MEMBER, Scope.VISITOR}:
        return ngettext(
            "An answer is being written for you already. "
            "Wait until it ends, or stop it; your text is kept.",
            "{count} answers are being written for you already. "
            "Wait until one ends, or stop one; your text is kept.",
            bound.most,
        ).format(count=bound.most)
    return _("As many answers as this site allows are being written. Try again in a moment.")


def _requests(bound: EffectiveLimit) -> str:
    if bound.scope in {Scope.MEMBER, Scope.VISITOR}:
        return ngettext(
            "You may send {count} message a minute.",
            "You may send {count} messages a minute.",
            bound.most,
        ).format(count=bound.most)
    if bound.scope in {Scope.SITE_ADDRESS, Scope.ADDRESS}:
        return _("Your network sends more messages than this site takes from one in a minute.")
    return _("This site gets more messages than it takes in a minute.")


def _spent(bound: EffectiveLimit) -> str:
    is_month = bound.measure == Measure.DOLLARS
    match bound.scope:
        case Scope.MEMBER | Scope.VISITOR:
            own = _("What is left of your allowance this month is too little for an answer.")
            today = _("What is left of your allowance today is too little for an answer.")
        case Scope.GROUP:
            own = _("Your group has used up its allowance of this month.")
            today = _("Your group has used up its allowance of today.")
        case Scope.SITE_ADDRESS | Scope.ADDRESS:
            own = _("Your network has used up its allowance of this month.")
            today = _("Your network has used up its allowance of today.")
        case _:
            own = _("This site has used up its allowance of this month.")
            today = _("This site has used up its allowance of today.")
    return own if is_month else today


def clock(when: datetime | None) -> str:
    """Day and time where the reader is."""
    if when is None:
        return ""
    local = timezone.localtime(when)
    return f"{formats.date_format(local, 'MONTH_DAY_FORMAT')}, {local:%H:%M}"
