"""Report a site's usage to its owner."""

from dataclasses import dataclass

from chat.quotas import meters
from chat.quotas.payer import Payer
from chat.quotas.units import KINDS, Measure
from chat.widget_sites.models import WidgetSite


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens today and dollars this month, both in UTC."""

    tokens: int
    dollars: float
    visitors: int


def used_by(site: WidgetSite) -> Used:
    key = Payer(site=site.key).site_key
    meter = meters.read([key]).meters[key]
    dollars = round(meter.microdollars / KINDS[Measure.DOLLARS].parts, 4)
    return Used(tokens=meter.tokens, dollars=dollars, visitors=site.visitors.count())
