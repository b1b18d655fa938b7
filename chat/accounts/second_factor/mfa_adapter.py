"""Adapt allauth's multi-factor authentication to this site."""

from typing import Any
from urllib.parse import urlsplit

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from chat.accounts.errors import SECOND_FACTOR_ERRORS
from chat.accounts.second_factor import encryption
from chat.accounts.sessions.user_agents import browser_name
from chat.errors import ChatError
from chat.site_settings import effective


class SecondFactorUnreadable(ChatError):
    code, status = "second_factor_unreadable", 503
    text = _(
        "Your second factor can't be verified because this site's secret key has "
        "changed. Contact the site administrator."
    )


class MFAAdapter(DefaultMFAAdapter):
    """Bind passkeys to this site, and encrypt the secrets of second factors."""

    error_messages = DefaultMFAAdapter.error_messages | SECOND_FACTOR_ERRORS

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Bind passkeys to the host of SITE_URL, whatever the request's host is."""
        return {"id": urlsplit(settings.SITE_URL).hostname or "", "name": effective.site_name()}

    def get_totp_issuer(self) -> str:
        return effective.site_name()

    def generate_authenticator_name(self, user: Any, type: Authenticator.Type) -> str:  # noqa: A002
        """Name a new passkey after the browser that creates it."""
        return browser_name(context.request.headers.get("User-Agent", ""))

    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return encryption.decrypt(encrypted_text)
        except encryption.Unreadable:
            detail = "SECRET_KEY has changed without SECRET_KEY_FALLBACKS"
            raise SecondFactorUnreadable(detail=detail) from None
