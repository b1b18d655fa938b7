"""Define the form that connects the model provider."""

import re
from typing import Any, Literal, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.lib.text import clean
from chat.site_settings.provider_address import MAX_LENGTH, checked_address
from chat.site_settings.provider_connection import (
    CLOUDFLARE,
    OPENAI,
    WORKERS_AI,
    ProviderConnection,
)
from chat.web.http.form_fields import LineField

ACCOUNT_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
TOKEN = re.compile(r"[!-~]{1,500}")  # what a header may contain
PROTOCOLS = (
    (WORKERS_AI, gettext_lazy("Cloudflare Workers AI")),
    (OPENAI, gettext_lazy("Another server with an OpenAI-compatible API")),
)


class TokenField(forms.CharField):
    """A bearer token, which no page ever shows."""

    widget = forms.PasswordInput(attrs={"autocomplete": "off"})

    def clean(self, value: Any) -> str:
        token = clean(super().clean(value))
        if token and not TOKEN.fullmatch(token):
            raise ValidationError(_("Enter only the token, without spaces."))
        return token


class ProviderForm(forms.Form):
    """Connect a provider. The stored token is never shown.

    It is kept if the field is blank, but only for the address that it was entered for: otherwise
    somebody could have it sent to a server of their own.
    """

    protocol = forms.ChoiceField(
        label=gettext_lazy("Provider"), choices=PROTOCOLS, widget=forms.RadioSelect
    )
    base_url = LineField(
        most=MAX_LENGTH,
        required=False,
        label=gettext_lazy("Address"),
        help_text=gettext_lazy(
            "For example: https://api.example.org/v1 or http://localhost:11434/v1. "
            "For Cloudflare, leave it blank."
        ),
    )
    account_id = LineField(
        most=64,
        required=False,
        label=gettext_lazy("Account ID"),
        help_text=gettext_lazy("Only for Cloudflare: on the right of its dashboard."),
    )
    token = TokenField(required=False, label=gettext_lazy("Token"))

    def __init__(self, sent: Any, stored: ProviderConnection | None) -> None:
        self.stored = stored
        initial = {"protocol": WORKERS_AI}
        if stored:
            base_url = "" if stored.base_url == CLOUDFLARE else stored.base_url
            initial = {"protocol": stored.protocol, "base_url": base_url}
            initial["account_id"] = stored.account_id
        super().__init__(sent, initial=initial)
        # The style sheet hides what the chosen provider doesn't need: site-form.css.
        self.fields["base_url"].widget.attrs["placeholder"] = " "
        self.fields["token"].help_text = (
            _("A token is stored. Leave blank to keep it.")
            if stored and stored.token
            else _("For Cloudflare, it needs the permissions Workers AI – Read and Edit.")
        )

    def clean_base_url(self) -> str:
        address: str = self.cleaned_data["base_url"]
        return checked_address(address) if address else ""

    def clean_account_id(self) -> str:
        account: str = self.cleaned_data["account_id"]
        if account and not ACCOUNT_ID.fullmatch(account):
            raise ValidationError(_("Enter only letters, digits, “-” and “_”."))
        return account

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors:
            return values
        is_cloudflare = values["protocol"] == WORKERS_AI
        base_url = values["base_url"] or (CLOUDFLARE if is_cloudflare else "")
        token = values["token"] or self._kept_token(base_url)
        values |= {"base_url": base_url, "token": token}
        if not base_url:
            self.add_error("base_url", _("Enter the server's address."))
        if is_cloudflare and not values["account_id"]:
            self.add_error("account_id", _("Enter the account ID."))
        if base_url == CLOUDFLARE and not token:
            self.add_error("token", _("Enter the token."))
        return values

    def _kept_token(self, base_url: str) -> str:
        stored = self.stored
        return stored.token if stored and stored.base_url == base_url else ""

    def connection(self) -> ProviderConnection:
        values = self.cleaned_data
        is_cloudflare = values["protocol"] == WORKERS_AI
        return ProviderConnection(
            protocol=cast("Literal['workers-ai', 'openai']", values["protocol"]),
            base_url=values["base_url"],
            account_id=values["account_id"] if is_cloudflare else "",
            token=values["token"],
        )
