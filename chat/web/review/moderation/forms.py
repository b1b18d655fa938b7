"""Define forms for moderation; each asks for a reason."""

from datetime import date, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.quotas.units import Measure
from chat.review.moderation.warnings import WARNING_LENGTH
from chat.review.utc_days import end_of, today
from chat.web.http.form_fields import TextField
from chat.web.review.http.reason_fields import ReasonField

LAST_DAY = date(9000, 1, 1)


class ModerationForm(forms.Form):
    """The reason for the action, separate from the reason for access."""

    use_required_attribute = False

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["reason"] = ReasonField(label=gettext_lazy("Reason (recorded)"))


class WarningForm(ModerationForm):
    prefix = "warning"
    text = TextField(most=WARNING_LENGTH, rows=3, label=gettext_lazy("Message to the user"))


class DayField(forms.DateField):
    """A day in UTC; the value is its end."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(widget=widget, validators=[MaxValueValidator(LAST_DAY)], **options)

    def clean(self, value: Any) -> datetime | None:
        day = super().clean(value)
        if day is None:
            return None
        if day < today():
            raise ValidationError(_("This date is in the past. Choose a later one."))
        return end_of(day)


class SuspensionForm(ModerationForm):
    prefix = "suspension"
    until = DayField(
        required=False, label=gettext_lazy("Last day in UTC (leave blank for no end date)")
    )


class LimitForm(ModerationForm):
    prefix = "limit"
    measure = forms.ChoiceField(
        choices=[(each.value, capfirst(each.label)) for each in Measure],
        label=gettext_lazy("Metric"),
    )
    amount = forms.DecimalField(
        min_value=0,
        max_digits=12,
        decimal_places=2,
        label=gettext_lazy("Maximum"),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    until = DayField(label=gettext_lazy("Last day in UTC"))
