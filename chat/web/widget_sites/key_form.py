"""Define the form for a key that signs users' tokens."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from chat.errors import BadRequest
from chat.web.http.form_fields import TextField
from chat.widget_sites.identity_keys import has_private_part, read_public
from chat.widget_sites.models import IdentityKey

ALGORITHMS = (
    (IdentityKey.Algorithm.HS256, gettext_lazy("Secret, created here and shown once (HS256)")),
    (IdentityKey.Algorithm.EDDSA, gettext_lazy("Your own public key (EdDSA)")),
)


class WidgetKeyForm(forms.Form):
    """Create an identity key, or store a public one."""

    algorithm = forms.ChoiceField(
        label=gettext_lazy("Type"),
        choices=ALGORITHMS,
        widget=forms.RadioSelect,
        initial=IdentityKey.Algorithm.HS256,
    )
    public_key = TextField(
        most=2000,
        rows=4,
        label=gettext_lazy("Public key"),
        required=False,
        help_text=gettext_lazy("Ed25519 in PEM format. Only needed for your own key pair."),
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        pem = values.get("public_key", "")
        if has_private_part(pem):
            # Never send a private key back to the browser.
            self.data = {**dict(self.data.items()), "public_key": ""}
        if values.get("algorithm") == IdentityKey.Algorithm.EDDSA:
            try:
                read_public(pem)
            except BadRequest as error:
                self.add_error("public_key", ValidationError(error.public))
        return values
