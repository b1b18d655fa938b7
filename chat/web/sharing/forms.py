"""Define the form for sharing a chat."""

from datetime import timedelta

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.sharing.links import Choices

LIFETIMES = [("1", _("1 day")), ("7", _("7 days")), ("30", _("30 days")), ("", _("No expiration"))]


class ShareForm(forms.Form):
    with_name = forms.BooleanField(label=_("My name"), required=False)
    with_reasoning = forms.BooleanField(label=_("Reasoning"), required=False)
    with_models = forms.BooleanField(label=_("Model names"), required=False)
    days = forms.ChoiceField(
        label=_("Link expires after"), choices=LIFETIMES, required=False, initial="30"
    )
    #: The last message of the branch that the dialog showed.
    last = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**63 - 1)

    def choices(self) -> Choices:
        chosen = self.cleaned_data
        return Choices(
            with_name=chosen["with_name"],
            with_reasoning=chosen["with_reasoning"],
            with_models=chosen["with_models"],
            lifetime=timedelta(days=int(chosen["days"])) if chosen["days"] else None,
        )
