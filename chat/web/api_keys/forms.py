"""Define the form for a new API key."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.api_keys.keys import KeyOptions
from chat.lib.catalogue import Model
from chat.personas.parameters import Range
from chat.web.http.form_fields import LineField, NumberField, offer_choices

#: Lifetimes by form value; None means no end.
LIFETIMES = {
    "30": timedelta(days=30),
    "90": timedelta(days=90),
    "365": timedelta(days=365),
    "never": None,
}
LIFETIME_CHOICES = (
    ("30", _("30 days")),
    ("90", _("90 days")),
    ("365", _("1 year")),
    ("never", _("No expiration")),
)
DOLLARS = Range(0, 1_000_000)
CENT = Decimal("0.01")


class LifetimeField(forms.ChoiceField):
    """How long a key is valid. Its value is when the key expires; None: never."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Valid for"), choices=LIFETIME_CHOICES, widget=forms.RadioSelect, initial="90"
        )

    def clean(self, value: Any) -> datetime | None:
        lifetime = LIFETIMES[super().clean(value)]
        return timezone.now() + lifetime if lifetime else None


class ApiKeyForm(forms.Form):
    name = LineField(
        most=100, label=_("Name"), help_text=_("Where you use the key, such as “Editor at home”.")
    )
    lifetime = LifetimeField()
    monthly_usd = NumberField(
        allowed=DOLLARS, label=_("Monthly spending limit in US dollars (optional)")
    )
    allowed_models = forms.MultipleChoiceField(
        label=_("Allowed models (if none are selected, all that you can use)"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    keeps_chats = forms.BooleanField(
        required=False,
        label=_("Save calls as chats"),
        help_text=_(
            "They appear in your sidebar and count toward your storage. Staff can review them "
            "like your other chats."
        ),
    )

    def __init__(self, sent: QueryDict | None, models: Mapping[str, Model]) -> None:
        super().__init__(sent)
        choices = [(model.id, model.name) for model in models.values()]
        offer_choices(self, "allowed_models", choices)

    @property
    def options(self) -> KeyOptions:
        """Return what was chosen in a valid form."""
        values = self.cleaned_data
        most = values["monthly_usd"]
        return KeyOptions(
            name=values["name"],
            expires_at=values["lifetime"],
            monthly_usd=None if most is None else Decimal(str(most)).quantize(CENT),
            allowed_models=values["allowed_models"],
            keeps_chats=values["keeps_chats"],
        )
