"""Decide which tools answers to a member may use: all of the site's that no group withholds."""

from collections.abc import Iterable

from django.contrib.auth.models import Group
from django.db import transaction

from chat.accounts.principals import Principal
from chat.database import config_version
from chat.database.config_version import VersionedValue
from chat.generations import model_permissions
from chat.generations.models import WithheldTool
from chat.quotas import rules as quota_rules
from chat.tools import toolbox
from chat.tools.generate_image import GENERATE_IMAGE
from chat.tools.remember import REMEMBER
from chat.widget_sites.models import WidgetSite


def within(user_id: int, names: Iterable[str], version: int | None = None) -> tuple[str, ...]:
    """Return those tools that no group of the member withholds.

    A group that names the models which its members may use names no models that draw.
    """
    version = config_version.current() if version is None else version
    withheld = _withheld_from(user_id, version)
    if not model_permissions.may_use_all(user_id, version):
        withheld |= {GENERATE_IMAGE.name}
    return tuple(name for name in names if name not in withheld)


def offered_to(
    user_id: int, version: int | None = None, *, is_stored: bool = True
) -> tuple[str, ...]:
    """Return what a member can switch on, in a chat that is stored or not."""
    return within(user_id, toolbox.offered(user_id, is_stored=is_stored), version)


def usable_by(principal: Principal, names: Iterable[str]) -> tuple[str, ...]:
    """Return those tools that a person may use; a visitor, if the website's owner may, too.

    Nobody is asked for a permission to remember something while memory is off.
    """
    if not principal.site:
        kept = (name for name in names if name != REMEMBER.name or principal.uses_memories)
        return within(principal.user_id, kept)
    owner_id = WidgetSite.objects.values_list("owner", flat=True).get(key=principal.site)
    return within(owner_id, [name for name in names if name in toolbox.FOR_VISITORS])


def for_owner_of_site(user_id: int) -> tuple[str, ...]:
    """Return the tools that a member may choose for visitors of a website."""
    names = toolbox.offered_built_in()
    return within(user_id, [name for name in names if name in toolbox.FOR_VISITORS])


def withheld_by(group: Group) -> set[str]:
    return set(WithheldTool.objects.filter(group=group).values_list("tool", flat=True))


@transaction.atomic
def set_for(group: Group, allowed: Iterable[str]) -> None:
    """Withhold all other built-in tools than these. Servers have groups of their own."""
    WithheldTool.objects.filter(group=group).delete()
    withheld = sorted(set(toolbox.offered_built_in()) - set(allowed))
    WithheldTool.objects.bulk_create(WithheldTool(group=group, tool=each) for each in withheld)


def _read() -> dict[int, frozenset[str]]:
    """Return the tools that each group withholds, by the group's id."""
    withheld: dict[int, set[str]] = {}
    for group_id, tool in WithheldTool.objects.values_list("group", "tool"):
        withheld.setdefault(group_id, set()).add(tool)
    return {group_id: frozenset(tools) for group_id, tools in withheld.items()}


_withheld = VersionedValue(_read)


def _withheld_from(user_id: int, version: int | None) -> frozenset[str]:
    withheld = _withheld.at(version)
    if not withheld:
        return frozenset()
    groups = quota_rules.at(version).groups_of(user_id)
    names: set[str] = set().union(*(withheld.get(group_id, ()) for group_id in groups))
    return frozenset(names.union(*(toolbox.PARTNERS.get(name, ()) for name in names)))
