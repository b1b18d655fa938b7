"""Define the form for the look of a site's chat."""

import re

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.preferences import LANGUAGES
from chat.web.http.form_fields import LineField
from chat.widget_sites.site_look import SiteLook

COLOR = re.compile(r"#[0-9a-fA-F]{6}")
SIDES = (("", gettext_lazy("Right")), ("start", gettext_lazy("Left")))
THEMES = (
    ("", gettext_lazy("System")),
    ("light", gettext_lazy("Light")),
    ("dark", gettext_lazy("Dark")),
)
HEADERS = (("", gettext_lazy("Plain")), ("color", gettext_lazy("In the color")))


class LookForm(forms.Form):
    """Choose how the chat looks."""

    color = LineField(
        most=20,
        label=gettext_lazy("Color"),
        required=False,
        help_text=gettext_lazy("For example: #0b6e4f. Leave blank for the chat's color."),
    )
    theme = forms.ChoiceField(label=gettext_lazy("Theme"), choices=THEMES, required=False)
    lang = forms.ChoiceField(label=gettext_lazy("Language"), choices=LANGUAGES, required=False)
    side = forms.ChoiceField(
        label=gettext_lazy("Side"),
        choices=SIDES,
        required=False,
        help_text=gettext_lazy("Appears on the opposite side in right-to-left languages."),
    )
    header = forms.ChoiceField(label=gettext_lazy("Header"), choices=HEADERS, required=False)
    label = LineField(
        most=60,
        label=gettext_lazy("Button label"),
        required=False,
        help_text=gettext_lazy("Leave blank to show only an icon."),
    )

    def clean_color(self) -> str:
        color: str = self.cleaned_data["color"].lower()
        if color and not COLOR.fullmatch(color):
            raise ValidationError(_("Enter # and six digits or letters from a to f."))
        return color

    @property
    def look(self) -> SiteLook:
        """The valid values."""
        given = {name: self.cleaned_data.get(name, "") for name in self.base_fields}
        return SiteLook(**given)
