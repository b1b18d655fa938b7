"""Invite somebody to the team of a site, who sees it once they sign in and may decline.

An invitation names an email address. Whoever invites doesn't learn whether it has an account here:
the mail is sent in any case, and contains nothing that they could have written.
"""

from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from chat.accounts import confirmed_addresses, mail
from chat.accounts.mailed_links import absolute_url
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.errors import NotFound
from chat.site_settings import effective
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, TeamInvitation, WidgetSite


@transaction.atomic
def invite(site: WidgetSite, email: str, role: SiteMember.Role) -> TeamInvitation:
    """Store the invitation and mail it; one for the same address is renewed.

    Raise `AlreadyInTeam` or `TeamFull`.
    """
    email = email.strip().lower()
    if team.is_in_team(site, email):
        raise team.AlreadyInTeam
    others = site.invitations.exclude(email=email)
    if site.team.count() + others.count() >= team.MAX_MEMBERS:
        raise team.TeamFull
    account = confirmed_addresses.owner_of(email)
    renewed = {"role": role, "account": account, "sent_at": timezone.now(), "declined_at": None}
    invitation, _is_new = site.invitations.update_or_create(email=email, defaults=renewed)
    message = _message(invitation)
    transaction.on_commit(lambda: mail.send(message))
    return invitation


def invitations_to(site: WidgetSite) -> list[TeamInvitation]:
    """Return the invitations that wait or were declined, oldest first, with expired ones."""
    return list(site.invitations.order_by("sent_at", "pk"))


def invitation_to(site: WidgetSite, invitation_id: int) -> TeamInvitation:
    """Return an invitation to this site's team. Raise `NotFound`."""
    invitation = site.invitations.filter(pk=invitation_id).first()
    if invitation is None:
        raise NotFound
    return invitation


def invitations_for(user: User) -> QuerySet[TeamInvitation]:
    """Return the invitations that the user can accept, oldest first.

    An invitation belongs to whoever had confirmed its address when it was sent. If nobody had, it
    is for whoever does so.
    """
    since = timezone.now() - timedelta(days=TeamInvitation.VALID_DAYS)
    waiting = TeamInvitation.objects.filter(declined_at=None, sent_at__gte=since)
    confirmed = confirmed_addresses.addresses_of(user)
    invitations = waiting.filter(Q(account=user) | Q(account=None, email__in=confirmed))
    return invitations.select_related("site").order_by("sent_at", "pk")


@transaction.atomic
def accept(user: User, invitation_id: int) -> SiteMember:
    """Add the user to the team. Raise `NotFound`, `AlreadyInTeam` or `TeamFull`."""
    invitation = _invitation_for(user, invitation_id)
    member = team.add_member(invitation.site, user, SiteMember.Role(invitation.role))
    invitation.delete()
    return member


@transaction.atomic
def decline(user: User, invitation_id: int) -> None:
    """Decline an invitation, which the site's owners see. Raise `NotFound`."""
    invitation = _invitation_for(user, invitation_id)
    invitation.declined_at = timezone.now()
    invitation.save(update_fields=["declined_at"])


def _invitation_for(user: User, invitation_id: int) -> TeamInvitation:
    invitation = (
        invitations_for(user).select_for_update(of=("self",)).filter(pk=invitation_id).first()
    )
    if invitation is None:
        raise NotFound
    return invitation


def _message(invitation: TeamInvitation) -> EmailMessage:
    """Return the mail, in the language of the account if there is one."""
    account = invitation.account
    language = Preferences.of(account).language if account else ""
    with translation.override(language or translation.get_language() or settings.LANGUAGE_CODE):
        subject = _("Invitation to a team on {site}").format(site=effective.site_name())
        context = {
            "address": invitation.email,
            "url": absolute_url(reverse("sites")),
            "days": TeamInvitation.VALID_DAYS,
            "SITE_NAME": effective.site_name(),
        }
        text = render_to_string("inbox/team_invitation_mail.txt", context)
    return mail.message(subject, text, invitation.email)
