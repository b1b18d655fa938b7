"""Define the forms for sharing a chat, and for changing whom a link is for."""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.sharing.links import Choices
from chat.sharing.models import SharedLink
from chat.sharing.recipients import MAX_ADDRESSES, Recipients, groups_for
from chat.web.http.form_fields import LinesField, SeveralField

ADDRESS_LENGTH = 254
ANYONE, CHOSEN = "anyone", "chosen"
AUDIENCES = [
    (ANYONE, gettext_lazy("Anyone with the link")),
    (CHOSEN, gettext_lazy("Only people I choose")),
]
LIFETIMES = [
    ("1", gettext_lazy("1 day")),
    ("7", gettext_lazy("7 days")),
    ("30", gettext_lazy("30 days")),
    ("", gettext_lazy("No expiration")),
]


class AddressesField(LinesField):
    """Email addresses, in lines or with commas between them; they become lower case."""

    def clean(self, value: Any) -> list[str]:
        addresses = super().clean(str(value or "").replace(",", "\n").replace(";", "\n"))
        for each in addresses:
            try:
                validate_email(each)
            except ValidationError:
                words = _("{address} isn't an email address.")
                raise ValidationError(words.format(address=each)) from None
        return list(dict.fromkeys(each.lower() for each in addresses))


class RecipientsForm(forms.Form):
    """Whom a link is for. Where public links are off, it is always for people."""

    audience = forms.ChoiceField(
        label=gettext_lazy("Who can open it?"), choices=AUDIENCES, widget=forms.RadioSelect
    )
    people = AddressesField(
        most_lines=MAX_ADDRESSES,
        most=ADDRESS_LENGTH,
        rows=3,
        required=False,
        label=gettext_lazy("Email addresses"),
        help_text=gettext_lazy(
            "One per line. Each person needs an account on this site and must have confirmed the "
            "address."
        ),
    )
    groups = SeveralField(
        label=gettext_lazy("Groups"),
        queryset=None,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def __init__(
        self,
        sent: QueryDict | None,
        user_id: int,
        link: SharedLink | None = None,
        **initial: Any,
    ) -> None:
        super().__init__(sent, initial=_values_of(link) | initial)
        self.fields["groups"].queryset = groups_for(user_id, link)  # type: ignore[attr-defined]
        if not groups_for(user_id, link).exists():
            del self.fields["groups"]
        if not settings.PUBLIC_LINKS:
            del self.fields["audience"]
        self.fields["people"].widget.attrs |= {"dir": "ltr", "autocomplete": "off"}

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        is_restricted = _is_restricted(values)
        is_named = values.get("people") or values.get("groups")
        if is_restricted and not is_named and "people" not in self.errors:
            words = _("Enter at least one email address.")
            if "groups" in self.fields:
                words = _("Enter at least one email address, or choose a group.")
            self.add_error("people", words)
        return values

    def recipients(self) -> Recipients:
        chosen = self.cleaned_data
        if not _is_restricted(chosen):
            return Recipients()
        return Recipients(
            is_restricted=True,
            emails=tuple(chosen["people"]),
            groups=tuple(chosen.get("groups", ())),
        )


class ShareForm(RecipientsForm):
    with_name = forms.BooleanField(label=gettext_lazy("My name"), required=False)
    with_reasoning = forms.BooleanField(label=gettext_lazy("Reasoning"), required=False)
    with_models = forms.BooleanField(label=gettext_lazy("Model names"), required=False)
    days = forms.ChoiceField(
        label=gettext_lazy("Link expires after"), choices=LIFETIMES, required=False, initial="30"
    )
    #: The last message of the branch that the dialog showed.
    last = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**63 - 1)

    def __init__(self, sent: QueryDict | None, user_id: int, **initial: Any) -> None:
        """A dialog that was opened before an upgrade sends no audience: it said anyone."""
        super().__init__(sent, user_id, **initial)
        if "audience" in self.fields:
            self.fields["audience"].required = False

    def choices(self) -> Choices:
        chosen = self.cleaned_data
        return Choices(
            with_name=chosen["with_name"],
            with_reasoning=chosen["with_reasoning"],
            with_models=chosen["with_models"],
            lifetime=timedelta(days=int(chosen["days"])) if chosen["days"] else None,
            recipients=self.recipients(),
        )


def _is_restricted(values: dict[str, Any]) -> bool:
    """Return what was chosen; without the choice, links are for people only."""
    return bool(values.get("audience", CHOSEN) == CHOSEN)


def _values_of(link: SharedLink | None) -> dict[str, Any]:
    """Return the initial values; a link that anyone could open, if that is off, is for people."""
    if link is None:
        return {"audience": ANYONE}
    recipients = link.recipients.all()
    return {
        "audience": CHOSEN if link.is_restricted else ANYONE,
        "people": [each.email for each in recipients if each.email],
        "groups": [each.group_id for each in recipients if each.group_id],
    }
