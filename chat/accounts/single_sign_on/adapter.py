"""Decide which account somebody from the identity provider gets, and whether they get one.

People are known by issuer and subject. An address only counts if the provider says that it is
theirs. It leads to an existing account only if the setting allows this and the account is
certainly theirs, too: somebody else may have signed up with their address and wait for them.
"""

import logging
from typing import Any, NoReturn, TypeAlias

import requests
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base.constants import AuthError
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.accounts.models import VISITORS_DOMAIN, User
from chat.accounts.single_sign_on import claims
from chat.accounts.single_sign_on.errors import (
    FutureTokenError,
    InvalidAnswerError,
    SignInExpired,
    SignInProviderInvalid,
    SignInProviderUnavailable,
    SignInRefused,
    refusal_page,
)
from chat.accounts.single_sign_on.identity_client import configured_app
from chat.errors import ChatError

#: Allauth's `SocialLogin`, with the claims that identity_client.py adds.
Login: TypeAlias = Any

SHOWN_CHARS = 100  # of an address that is refused

log = logging.getLogger(__name__)


class SignInAdapter(DefaultSocialAccountAdapter):
    """The site's answers to the questions of allauth.socialaccount."""

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the provider of the settings; rows in the database don't count."""
        return [configured_app()] if settings.SSO_ISSUER else []

    def get_requests_session(self) -> requests.Session:
        """Return a session that follows no redirects, because its requests have secrets."""
        session: requests.Session = super().get_requests_session()
        session.max_redirects = 0
        return session

    def populate_user(self, request: HttpRequest, sociallogin: Login, data: dict[str, Any]) -> User:
        user: User = sociallogin.user
        user.email, user.name = data.get("email", ""), data.get("name", "")
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: Login) -> None:
        """Find, link or create the account. Otherwise, respond with the reason why not."""
        try:
            with transaction.atomic():
                _require_address(sociallogin)
                if not sociallogin.is_existing:
                    _find_or_create_account(request, sociallogin)
                if sociallogin.user.is_active:
                    claims.apply_to(sociallogin.user, sociallogin.claims)
        except SignInRefused as error:
            refuse(request, error, "refused")
        except IntegrityError:  # a second sign-in at the same moment was first
            refuse(request, SignInExpired(), "signed in twice at once")

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        """Respond with a page of this site instead of allauth's."""
        reason = type(exception).__name__ if exception else str(request.GET.get("error", ""))[:40]
        if isinstance(exception, InvalidAnswerError):
            reason = str(exception)
        if isinstance(exception, FutureTokenError):
            words = _(
                "The clocks of this site and of the sign-in service differ. Contact the site "
                "administrator."
            )
            refuse(request, SignInProviderInvalid(words), reason)
        if isinstance(exception, requests.RequestException):
            refuse(request, SignInProviderUnavailable(), reason)
        if error == AuthError.CANCELLED:
            refuse(request, SignInRefused(), "cancelled at the provider")
        if exception is None and "state" not in (extra_context or {}):
            refuse(request, SignInExpired(), "unknown state")
        refuse(request, SignInProviderInvalid(), reason)


def refuse(request: HttpRequest, error: ChatError, reason: str) -> NoReturn:
    """Respond with the error's page. `reason` is for the log and must contain no secrets."""
    log.warning("single sign-on failed: %s %r", error.code, reason)
    raise ImmediateHttpResponse(refusal_page(request, error))


def _require_address(login: Login) -> None:
    """Raise `SignInRefused` unless the provider vouches for an address that may sign in."""
    email = claims.address(login.claims)
    if not email:
        raise SignInRefused(
            _("The sign-in service didn't send your email address. Contact the site administrator.")
        )
    if not login.email_addresses or email.endswith(f"@{VISITORS_DOMAIN}"):
        raise SignInRefused(
            _(
                "This site can't use the address {email}, which the sign-in service sent. Contact "
                "the site administrator."
            ).format(email=email[:SHOWN_CHARS])
        )
    if not claims.is_in_allowed_domain(email):
        raise SignInRefused(
            _("You can't sign in to this site with the address {email}.").format(email=email)
        )
    if not claims.is_address_verified(login.claims):
        raise SignInRefused(
            _(
                "The sign-in service hasn't confirmed your email address. Confirm it there, "
                "then sign in again."
            )
        )


def _find_or_create_account(request: HttpRequest, login: Login) -> None:
    email = claims.address(login.claims)
    verified = EmailAddress.objects.filter(email__same=email, verified=True).first()
    user = verified.user if verified else User.all_objects.filter(email__same=email).first()
    if user is None:
        if not settings.SSO_CREATE_ACCOUNTS:
            raise SignInRefused(
                _("You don't have an account on this site yet. Ask its administrator for one.")
            )
        login.save(request)
        return
    if not settings.SSO_LINK_ACCOUNTS or user.is_visitor:
        raise SignInRefused(
            _(
                "There is already an account with your email address, which isn't connected "
                "with this sign-in. Sign in with your password, or contact the site administrator."
            )
        )
    if not verified and not _is_untouched(user):
        raise SignInRefused(
            _(
                "There is already an account with your email address, but the address wasn't "
                "confirmed. Sign in with your password and confirm it, then try again."
            )
        )
    if not verified:
        EmailAddress.objects.filter(user=user).delete()
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    _link(request, login, user)


def _link(request: HttpRequest, login: Login, user: User) -> None:
    """Connect the account with the provider's, and tell its owner by mail."""
    login.user = login.account.user = user
    login.account.save()
    adapter, context = get_account_adapter(request), {"provider": login.provider}
    template = "socialaccount/email/account_connected"
    transaction.on_commit(lambda: adapter.send_notification_mail(template, user, context))


def _is_untouched(user: User) -> bool:
    """Return whether staff created the account, and nobody has ever signed in to it."""
    return not user.has_usable_password() and user.last_login is None
