"""Format what is left of the limits of a member or visitor as text."""

from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _

from chat.lib.number_format import format_percent
from chat.quotas.allowance import Allowance, Remaining
from chat.quotas.errors import local_time
from chat.quotas.models import Limit
from chat.quotas.units import Measure

Scope = Limit.Scope


def shown_allowance(allowance: Allowance) -> dict[str, Any]:
    """Return the template context: a line while little is left, the table rows and a notice."""
    tightest = allowance.tightest
    is_shown = tightest and tightest.share and allowance.is_nearly_spent
    return {
        "line": _line(tightest) if tightest and is_shown else "",
        "more_from": local_time(tightest.resets_at) if tightest else "",
        "rows": [_row(left) for left in allowance.remaining],
        "notice": _notice(allowance),
    }


def _line(left: Remaining) -> str:
    if left.is_shared:
        percent = _percent(left)
        if left.bound.measure == Measure.DOLLARS:
            return _("{percent} left of this month's limit").format(percent=percent)
        return _("{percent} left of today's limit").format(percent=percent)
    own = {
        Measure.DOLLARS: _("{left} of {most} left this month"),
        Measure.TOKENS: _("{left} of {most} tokens left today"),
        Measure.NEURONS: _("{left} of {most} neurons left today"),
    }
    return own[left.bound.measure].format(**_amounts(left))


def _notice(allowance: Allowance) -> str:
    if allowance.paused_until:
        return _(
            "This site has reached its daily limit with the model provider. It resets on {when}."
        ).format(when=local_time(allowance.paused_until))
    tightest = allowance.tightest
    if tightest and not tightest.share:
        return _("{line}. It resets on {when}.").format(
            line=_line(tightest), when=local_time(tightest.resets_at)
        )
    return ""


def _row(left: Remaining) -> dict[str, Any]:
    return {"name": _name(left), "amount": _amount(left)}


def _name(left: Remaining) -> str:
    names = {
        Measure.RUNNING: _("Simultaneous answers"),
        Measure.REQUESTS: _("Messages per minute"),
        Measure.TOKENS: _("Tokens today"),
        Measure.NEURONS: _("Neurons today"),
        Measure.DOLLARS: _("Cost this month"),
    }
    whose = {
        Scope.EVERYONE: _("all members"),
        Scope.GROUP: _("your group"),
        Scope.VISITORS: _("all visitors"),
        Scope.SITE: _("this website"),
        Scope.SITE_ADDRESS: _("your network on this website"),
        Scope.ADDRESS: _("your network"),
    }.get(left.bound.scope)
    name = str(names[left.bound.measure])
    return _("{name}, {whose}").format(name=name, whose=whose) if whose else name


def _amount(left: Remaining) -> str:
    """Format the amount; a limit shared with other people shows only a percentage."""
    if left.is_shared:
        return _("{percent} left").format(percent=_percent(left))
    return _("{left} of {most} left").format(**_amounts(left))


def _amounts(left: Remaining) -> dict[str, str]:
    return {
        "left": _number(left, max(left.most - left.used, 0)),
        "most": _number(left, left.most),
    }


def _number(left: Remaining, amount: float) -> str:
    if left.bound.measure == Measure.DOLLARS:
        return f"${formats.number_format(round(amount, 6), 2, force_grouping=True)}"
    return formats.number_format(round(amount), 0, force_grouping=True)


def _percent(left: Remaining) -> str:
    """Format the remaining share as a percentage, rounded down so that it is never overstated."""
    return format_percent(formats.number_format(int(left.share * 100)))
