"""How the people of a site's team appear to its visitors. Nobody's name is shown unasked."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from chat.widget_sites.look import pictures
from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import TeamProfile, WidgetSite


@dataclass(frozen=True, slots=True)
class PublicProfile:
    """What visitors see; `picture` names one of the site's pictures (look/pictures.py)."""

    name: str = ""
    picture: str = ""


NOBODY = PublicProfile()


def profile_of(site: WidgetSite, user_id: int) -> PublicProfile:
    """Return the profile; an empty one if the person has set none."""
    return profiles_of(site, [user_id]).get(user_id, NOBODY)


def profiles_of(site: WidgetSite, user_ids: Iterable[int]) -> dict[int, PublicProfile]:
    """Return the profiles of those who have set one, by user."""
    profiles = TeamProfile.objects.filter(site=site, user__in=set(user_ids))
    rows = profiles.values_list("user", "name", "picture__digest")
    return {user: PublicProfile(name, picture or "") for user, name, picture in rows}


@transaction.atomic
def set_profile(site: WidgetSite, user_id: int, name: str, picture: bytes | None = None) -> None:
    """Set the name, and the picture unless it is None; empty bytes remove it.

    Without a name there is no profile.
    """
    if not name:
        TeamProfile.objects.filter(site=site, user=user_id).delete()
        return
    profile, _is_new = TeamProfile.objects.update_or_create(
        site=site, user_id=user_id, defaults={"name": name}
    )
    if picture is not None:
        _set_picture(profile, picture)


def _set_picture(profile: TeamProfile, picture: bytes) -> None:
    site, before = profile.site, profile.picture
    shown = WidgetLook.of(site).pictures
    profile.picture = None
    if picture:
        digest = pictures.store(site, picture, shown)
        profile.picture = pictures.picture_of(site, digest)
    profile.save(update_fields=["picture"])
    if before and before.digest not in shown and not before.profiles.exists():
        before.delete()
