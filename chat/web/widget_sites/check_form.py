"""Define the form to check a page of a website."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.web.http.form_fields import LineField
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.origins import origin_of


class WidgetCheckForm(forms.Form):
    """Check a page of a website."""

    address = LineField(
        most=2000,
        label=gettext_lazy("Page address"),
        help_text=gettext_lazy("This server requests the page once, as a visitor would."),
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        url = address if "://" in address else f"https://{address}"
        if not origin_of(url):
            raise ValidationError(_("Enter a web address, such as https://www.example.org/shop."))
        return url


def likely_address(site: WidgetSite) -> str:
    """Return the URL of the first allowed origin without a wildcard; empty if there is none."""
    return next((f"{each}/" for each in site.origins if "*" not in each), "")
