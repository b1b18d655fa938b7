"""Add up costs by groups, persona, website and model. Each cost is in exactly one row."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import Group
from django.utils.translation import gettext as _

from chat.accounts.models import User
from chat.personas.models import Persona
from chat.review.analytics.reports import AMOUNTS, UsageReport, UsageStatistics
from chat.review.staff.roles import Reviewer
from chat.widget_sites.models import WidgetSite


class CostPlace(NamedTuple):
    """Names, empty where there are none: of visitors' groups, say."""

    groups: str
    persona: str
    site: str
    model: str


@dataclass(frozen=True, slots=True)
class CostRow:
    place: CostPlace
    amounts: UsageStatistics


def shown_costs(report: UsageReport) -> list[CostRow]:
    """Return the rows, highest cost first.

    Groups are those that people have now, as far as the reviewer may see them. What members call
    their own personas is nothing for staff.
    """
    usage = list(report.by_place())
    groups = _groups_of_members(report.reviewer)
    personas = dict(Persona.objects.filter(owner=None).values_list("pk", "name"))
    keys = {place.site for place, _amounts in usage}
    sites = dict(WidgetSite.objects.filter(key__in=keys).values_list("key", "name"))
    sums: dict[CostPlace, Counter[str]] = defaultdict(Counter)
    for place, amounts in usage:
        shown = CostPlace(
            groups.get(place.owner, ""),
            personas.get(place.persona, _("Personal or deleted persona")) if place.persona else "",
            sites.get(place.site, place.site) or _("This site"),
            place.model,
        )
        sums[shown].update({name: amounts[name] for name in AMOUNTS})
    rows = [CostRow(place, UsageStatistics(counts)) for place, counts in sums.items()]
    return sorted(rows, key=_order)


def _order(row: CostRow) -> tuple[int, int, int, CostPlace]:
    amounts = row.amounts
    return -amounts["microdollars"], -amounts["messages"], -amounts["tokens"], row.place


def _groups_of_members(reviewer: Reviewer) -> dict[int, str]:
    """Return the names of each member's groups, in alphabetical order."""
    known = Group.objects.all()
    if reviewer.groups is not None:
        known = known.filter(pk__in=reviewer.groups)
    names = dict(known.values_list("pk", "name"))
    members = User.groups.through.objects.filter(group__in=names).order_by("group__name")
    found: dict[int, list[str]] = defaultdict(list)
    for user_id, group_id in members.values_list("user", "group"):
        found[user_id].append(names[group_id])
    return {user_id: ", ".join(theirs) for user_id, theirs in found.items()}
