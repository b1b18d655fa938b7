"""What a person has left, in words."""

from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _

from chat.quotas.allowance import Allowance, Remaining
from chat.quotas.models import Limit
from chat.quotas.quota_errors import clock
from chat.quotas.units import Measure

Scope = Limit.Scope


def shown_allowance(allowance: Allowance) -> dict[str, Any]:
    """What the templates need: a share in few and in more words, the rows of a card, a notice."""
    tightest = allowance.tightest
    return {
        "short": _("{percent} left").format(percent=_percent(tightest)) if tightest else "",
        "line": _line(tightest) if tightest else "",
        "more_from": clock(tightest.resets_at) if tightest else "",
        "rows": [_row(left) for left in allowance.lefts],
        "is_nearly_spent": allowance.is_nearly_spent,
        "notice": _notice(allowance),
    }


def _line(left: Remaining) -> str:
    percent = _percent(left)
    if left.bound.measure == Measure.DOLLARS:
        return _("{percent} left of this month's allowance").format(percent=percent)
    return _("{percent} left of today's allowance").format(percent=percent)


def _notice(allowance: Allowance) -> str:
    if allowance.paused_until:
        return _(
            "This site's daily allowance at the model's service is used up. "
            "It goes on at {when}; what you write is kept."
        ).format(when=clock(allowance.paused_until))
    tightest = allowance.tightest
    if tightest and not tightest.share:
        return _("{line}. There is more from {when}; what you write is kept.").format(
            line=_line(tightest), when=clock(tightest.resets_at)
        )
    return ""


def _row(left: Remaining) -> dict[str, Any]:
    return {"name": _name(left), "amount": _amount(left)}


def _name(left: Remaining) -> str:
    names = {
        Measure.RUNNING: _("Answers at the same time"),
        Measure.REQUESTS: _("Messages a minute"),
        Measure.TOKENS: _("Tokens today"),
        Measure.NEURONS: _("Neurons today"),
        Measure.DOLLARS: _("This month's costs"),
    }
    whose = {
        Scope.EVERYONE: _("of all members"),
        Scope.GROUP: _("of your group"),
        Scope.VISITORS: _("of all visitors"),
        Scope.SITE: _("of this site"),
        Scope.SITE_ADDRESS: _("of your network on this site"),
        Scope.ADDRESS: _("of your network"),
    }.get(left.bound.scope)
    name = str(names[left.bound.measure])
    return _("{name}, {whose}").format(name=name, whose=whose) if whose else name


def _amount(left: Remaining) -> str:
    """What others use as well is told as a share."""
    if left.is_shared:
        return _("{percent} left").format(percent=_percent(left))
    return _("{used} of {most}").format(
        used=_number(left, left.used), most=_number(left, left.most)
    )


def _number(left: Remaining, amount: float) -> str:
    if left.bound.measure == Measure.DOLLARS:
        return f"${formats.number_format(amount, 2, force_grouping=True)}"
    return formats.number_format(round(amount), 0, force_grouping=True)


def _percent(left: Remaining) -> str:
    """Rounded down: what is shown as left is there."""
    return _("{number} %").format(number=formats.number_format(int(left.share * 100)))
