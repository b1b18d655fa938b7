"""Define the fields for what a chat says before the visitor writes."""

from django import forms
from django.utils.translation import gettext_lazy

from chat.web.http.form_fields import LinesField, TextField


class GreetingForm(forms.Form):
    """The base of forms that set it, in one language."""

    welcome = TextField(most=2000, rows=3, label=gettext_lazy("Welcome message"), required=False)
    starters = LinesField(
        most_lines=6,
        most=500,
        rows=4,
        label=gettext_lazy("Example questions"),
        required=False,
        help_text=gettext_lazy("Shown in an empty chat, one per line, up to six."),
    )
