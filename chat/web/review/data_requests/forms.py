"""Define the forms for requests of people for their data."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.web.http.form_fields import LineField
from chat.web.review.http.facet_forms import DAYS
from chat.web.review.http.reason_fields import ReasonField


class FindForm(forms.Form):
    """The person to look for."""

    q = LineField(
        most=254,
        required=False,
        label=gettext_lazy("Part of a name or email address"),
    )


class RequestForm(forms.Form):
    """When the request came, and why it is answered."""

    received_on = forms.DateField(
        label=gettext_lazy("Received on"),
        validators=DAYS,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    reason = ReasonField(
        label=gettext_lazy("Reason (recorded)"),
        help_text=gettext_lazy("For example how the person asked, and how you know who they are."),
    )

    def __init__(self, sent: Any = None, *, prefix: str, received_on: date | None = None) -> None:
        day = received_on or timezone.localdate()
        super().__init__(sent, auto_id=f"id_{prefix}_%s", initial={"received_on": day})

    def clean_received_on(self) -> date:
        day: date = self.cleaned_data["received_on"]
        if day > timezone.localdate():
            raise ValidationError(_("This day is in the future."))
        return day
