"""The people who look after a site: its owner, and the members that they add."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.errors import BadRequest, NotFound
from chat.widget_sites.models import SiteMember, WidgetSite

MAX_MEMBERS = 50


class UnknownMember(BadRequest):
    text = _("There's no account with this email address.")


class AlreadyInTeam(BadRequest):
    text = _("This person is already in the team.")


class TeamFull(BadRequest):
    text = _("The team has reached its limit. Remove someone first.")


def members_of(site: WidgetSite) -> list[SiteMember]:
    """Return the team without the owner, sorted by name."""
    found = site.team.select_related("user").filter(user__closed_at=None)
    return list(found.order_by("user__name", "user__email"))


def people_of(site: WidgetSite) -> list[User]:
    """Return everybody in the team who can sign in, with the owner first."""
    people = [site.owner, *(each.user for each in members_of(site))]
    return [each for each in people if each.is_active]


@transaction.atomic
def add_member(site: WidgetSite, email: str, role: SiteMember.Role) -> SiteMember:
    """Add the member with this address.

    Raise `UnknownMember`, `AlreadyInTeam` or `TeamFull`.
    """
    user = User.objects.filter(email__iexact=email.strip(), is_active=True, closed_at=None).first()
    if user is None:
        raise UnknownMember
    if user.pk == site.owner_id or site.team.filter(user=user).exists():
        raise AlreadyInTeam
    if site.team.count() >= MAX_MEMBERS:
        raise TeamFull
    return site.team.create(user=user, role=role)


def member_of(site: WidgetSite, member_id: int) -> SiteMember:
    """Return a member of this team. Raise `NotFound`."""
    found = site.team.select_related("user").filter(pk=member_id).first()
    if found is None:
        raise NotFound
    return found
