"""Allauth's forms for passkeys. Malformed input from browsers becomes a validation error."""

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

from chat.lib.text import one_line

#: Exceptions raised for malformed credentials, which are JSON with CBOR and keys inside.
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, OverflowError)
MAX_NAME_CHARS = 100


def _name_field() -> forms.CharField:
    return forms.CharField(label=_("Name"), max_length=MAX_NAME_CHARS, required=False)


class AddPasskeyForm(AddWebAuthnForm):
    """Add a passkey: it always verifies the user, and signs in without a password."""

    name = _name_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("passwordless", None)

    def clean_name(self) -> str:
        self.cleaned_data["name"] = one_line(self.cleaned_data["name"])
        return str(super().clean_name())

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["passwordless"] = True
        try:
            return super().clean()
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None


class RenamePasskeyForm(EditWebAuthnForm):
    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_CHARS)

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"]) or str(self.initial["name"])


class _CheckedCredential(AuthenticateWebAuthnForm):
    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None


class PasskeyForm(_CheckedCredential):
    """Verify a passkey as the second step, after the password."""


class PasskeyLoginForm(_CheckedCredential, LoginWebAuthnForm):
    """Sign in with a passkey instead of the password."""


class PasskeyConfirmationForm(_CheckedCredential, ReauthenticateWebAuthnForm):
    """Confirm the identity of a signed-in member."""
