"""Say beside each limit what is used of it, and what applies while its field is blank."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db.models import CharField, Q, Value
from django.db.models.functions import Cast, Concat, Replace
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from chat.lib.number_format import format_number, format_percent
from chat.quotas.limit_editing import InheritedLimit, LimitSlot
from chat.quotas.models import Limit
from chat.quotas.units import KINDS, Measure
from chat.quotas.usage_now import UsageNow, usage_now
from chat.widget_sites.models import Visitor


def limit_hints(place: LimitSlot, own: Mapping[Measure, Decimal]) -> dict[Measure, str]:
    """Return the text beside the field of each measure; `own` are the limits of the slot."""
    usage = usage_now(place, _visitors_meters(place))
    inherited = place.inherited()
    is_special = bool(place.user_id or place.group_id or place.site)
    hints = {}
    for measure in Measure:
        general = inherited.get(measure)
        # A share of the limit for everyone would leave out what others use of it.
        is_own = general is not None and place.scope != Limit.Scope.GROUP
        most = own.get(measure, general.amount if general and is_own else None)
        sentences = [_used(measure, usage, most)]
        if is_special:
            sentences.append(_if_blank(measure, general))
        hints[measure] = " ".join(sentences)
    return hints


def _used(measure: Measure, usage: UsageNow, most: Decimal | None) -> str:
    amount = usage.amounts[measure]
    words = _when_highest(measure) if usage.is_highest else _when(measure)
    used = _amount(measure, amount)
    if most and not usage.is_highest:
        share = format_percent(format_number(int(amount / most * 100)))
        used = _("{amount} ({share})").format(amount=used, share=share)
    return words.format(amount=used)


def _when(measure: Measure) -> str:
    match KINDS[measure].window:
        case "minute":
            return _("Used this minute: {amount}.")
        case "day":
            return _("Used today: {amount}.")
        case "month":
            return _("Used this month: {amount}.")
        case _:
            return _("In use now: {amount}.")


def _when_highest(measure: Measure) -> str:
    match KINDS[measure].window:
        case "minute":
            return _("Most used by one this minute: {amount}.")
        case "day":
            return _("Most used by one today: {amount}.")
        case "month":
            return _("Most used by one this month: {amount}.")
        case _:
            return _("Most in use by one now: {amount}.")


def _if_blank(measure: Measure, general: InheritedLimit | None) -> str:
    if general is None:
        return _("If blank: no limit.")
    amount = _amount(measure, general.amount)
    return _("If blank: {amount} ({whose}).").format(amount=amount, whose=general.whose)


def _amount(measure: Measure, amount: Decimal) -> str:
    if measure == Measure.DOLLARS:
        return f"${number_format(round(amount, 2), 2, force_grouping=True)}"
    return format_number(float(amount))


def _visitors_meters(place: LimitSlot) -> Q | None:
    """Return the meters of the visitors of one website; those without a token have an address."""
    if place.scope != Limit.Scope.VISITOR or not place.site:
        return None
    number: Any = Replace(Cast("pk", CharField()), Value("-"), Value(""))
    keys = Concat(Value("visitor:"), number, output_field=CharField())
    visitors = Visitor.objects.filter(site__key=place.site).order_by().values_list(keys)
    return Q(key__in=visitors) | Q(key__startswith=f"visitor:{place.site}:")
