"""Invite people by a link that creates one account for one address, once, within some days.

The token is signed and only its digest is stored, so neither guessing nor a stolen database opens
it.
"""

import secrets
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.accounts import mail
from chat.accounts.actor import SERVER, attributed_to
from chat.accounts.mailed_links import absolute_url
from chat.accounts.models import Invitation, User, digest_of
from chat.site_settings import effective

SIGNER = Signer(salt="runnel.invitation", sep=".")
FILES = "chat.accounts.mail.FileBackend"


@transaction.atomic
def invite(email: str, group: Group | None = None) -> tuple[Invitation, str]:
    """Return a new invitation and its token, which cannot be shown again.

    It replaces an earlier invitation. Raise `ValidationError` if the address has an account.
    """
    email = email.lower()
    if User.objects.filter(email__same=email).exists():
        raise ValidationError(_("An account with this email address already exists."))
    Invitation.objects.filter(email__same=email).delete()
    token = secrets.token_urlsafe(24)
    expires_at = timezone.now() + timedelta(days=settings.INVITATION_DAYS)
    made = Invitation.objects.create(
        email=email, group=group, digest=digest_of(token), expires_at=expires_at
    )
    return made, SIGNER.sign(token)


def find_invitation(token: str) -> Invitation | None:
    """Return the invitation for a token; None if it is invalid or expired."""
    if effective.sign_up() == "closed":
        return None
    try:
        digest = digest_of(SIGNER.unsign(token))
    except BadSignature:
        return None
    return Invitation.objects.filter(digest=digest, expires_at__gt=timezone.now()).first()


@transaction.atomic
def accept(token: str, name: str, password: str) -> User | None:
    """Return the new account; None if the link was used, has expired or is unknown."""
    invitation = find_invitation(token)
    if invitation is None or not Invitation.objects.filter(pk=invitation.pk).delete()[0]:
        return None
    if User.objects.filter(email__same=invitation.email).exists():
        return None
    try:
        with transaction.atomic():
            user = User.objects.create_user(invitation.email, password, name=name)
    except IntegrityError:  # somebody signed up with this address at the same moment
        return None
    EmailAddress.objects.create(
        user=user, email=user.email, primary=True, verified=invitation.is_mailed
    )
    if invitation.group:
        with attributed_to(SERVER, f"invitation {invitation.pk}"):
            user.groups.add(invitation.group)
    return user


def invitation_url(token: str) -> str:
    """Return the address of the invitation's page."""
    return absolute_url(reverse("account_invitation_link", args=[token]))


def is_mail_configured() -> bool:
    """Return whether a mail server is configured."""
    return bool(settings.EMAIL_BACKEND != FILES)


def send(invitation: Invitation, address: str) -> bool:
    """Mail the link; return False if no mail server is configured or sending failed."""
    if not is_mail_configured():
        return False
    subject = _("Your {site} account").format(site=effective.site_name())
    context = {
        "address": address,
        "expires_at": invitation.expires_at,
        "SITE_NAME": effective.site_name(),
    }
    text = render_to_string("accounts/invitation_mail.txt", context)
    if not mail.send(mail.message(subject, text, invitation.email)):
        return False
    Invitation.objects.filter(pk=invitation.pk).update(is_mailed=True)
    return True


def notify_approved(user: User) -> bool:
    """Notify a user by mail that their account was approved."""
    subject = _("Your {site} account").format(site=effective.site_name())
    context = {"address": absolute_url(reverse("home")), "SITE_NAME": effective.site_name()}
    text = render_to_string("accounts/approved_mail.txt", context)
    return mail.send(mail.message(subject, text, user.email))
