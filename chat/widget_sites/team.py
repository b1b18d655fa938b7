"""The people who look after a site: its owner, and those who accepted an invitation."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.database.housekeeping import delete_all
from chat.errors import BadRequest, NotFound
from chat.widget_sites.models import SiteMember, TeamInvitation, WidgetSite

MAX_MEMBERS = 50


class AlreadyInTeam(BadRequest):
    text = _("This person is already in the team.")


class TeamFull(BadRequest):
    text = _("The team has reached its limit. Remove someone first.")


def members_of(site: WidgetSite) -> list[SiteMember]:
    """Return the team without the owner, sorted by name."""
    members = site.team.select_related("user").filter(user__closed_at=None)
    return list(members.order_by("user__name", "user__email"))


def people_of(site: WidgetSite) -> list[User]:
    """Return everybody in the team who can sign in, with the owner first."""
    people = [site.owner, *(each.user for each in members_of(site))]
    return [each for each in people if each.is_active]


@transaction.atomic
def add_member(site: WidgetSite, user: User, role: SiteMember.Role) -> SiteMember:
    """Add someone who agreed to it. Raise `AlreadyInTeam` or `TeamFull`."""
    if user.pk == site.owner_id or site.team.filter(user=user).exists():
        raise AlreadyInTeam
    if site.team.count() >= MAX_MEMBERS:
        raise TeamFull
    return site.team.create(user=user, role=role)


def is_in_team(site: WidgetSite, email: str) -> bool:
    """Return True if the account with this address is the site's owner or in its team."""
    addresses = {site.owner.email, *(each.user.email for each in members_of(site))}
    return email.strip().lower() in {each.lower() for each in addresses}


def remove_expired_invitations() -> None:
    """Remove invitations some time after they have expired, while owners see that they have."""
    before = timezone.now() - timedelta(days=2 * TeamInvitation.VALID_DAYS)
    delete_all(TeamInvitation.objects.filter(sent_at__lt=before))


def member_of(site: WidgetSite, member_id: int) -> SiteMember:
    """Return a member of this team. Raise `NotFound`."""
    member = site.team.select_related("user").filter(pk=member_id).first()
    if member is None:
        raise NotFound
    return member
