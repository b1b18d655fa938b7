"""Allauth's forms of passkeys. What a browser sends may be anything; it is refused in words."""

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.utils.translation import gettext_lazy as _

from chat.lib.text import clean

#: What reading a credential raises that is none: it is JSON, with CBOR and keys inside.
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, OverflowError)
MAX_NAME_CHARS = 100


def _name_field() -> forms.CharField:
    return forms.CharField(label=_("Name"), max_length=MAX_NAME_CHARS, required=False)


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """Each is a passkey: one that asks who holds it, and signs in by itself."""

    name = _name_field()
    passwordless = None

    def clean_name(self) -> str:
        self.cleaned_data["name"] = " ".join(clean(self.cleaned_data["name"]).split())
        return str(super().clean_name())

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["passwordless"] = True
        try:
            return super().clean()  # type: ignore[no-any-return]
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None


class RenamePasskeyForm(EditWebAuthnForm):  # type: ignore[misc]
    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_CHARS)

    def clean_name(self) -> str:
        return " ".join(clean(self.cleaned_data["name"]).split()) or str(self.initial["name"])


class _CheckedCredential:
    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None


class PasskeyForm(_CheckedCredential, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """As the second step, after the password."""


class PasskeyLoginForm(_CheckedCredential, LoginWebAuthnForm):  # type: ignore[misc]
    """Instead of the password."""


class PasskeyConfirmationForm(_CheckedCredential, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """Of somebody who is signed in."""
