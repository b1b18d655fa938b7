"""How the people of a site's team appear to its visitors. Nobody's name is shown unasked."""

from collections.abc import Iterable

from chat.inbox.models import TeamProfile
from chat.widget_sites.models import WidgetSite


def name_of(site: WidgetSite, user_id: int) -> str:
    """Return the name for visitors; empty if the person has set none."""
    return names_of(site, [user_id]).get(user_id, "")


def names_of(site: WidgetSite, user_ids: Iterable[int]) -> dict[int, str]:
    """Return the names of those who have set one."""
    found = TeamProfile.objects.filter(site=site, user__in=set(user_ids))
    return dict(found.values_list("user", "name"))


def set_name(site: WidgetSite, user_id: int, name: str) -> None:
    """Set the name for visitors; an empty one removes it."""
    if name:
        TeamProfile.objects.update_or_create(site=site, user_id=user_id, defaults={"name": name})
    else:
        TeamProfile.objects.filter(site=site, user=user_id).delete()
