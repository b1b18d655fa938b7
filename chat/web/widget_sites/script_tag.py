"""Build the script tag of a website, with the appearance that its owner chose."""

import re
from dataclasses import asdict, dataclass

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.preferences import LANGUAGES
from chat.web.http.form_fields import LineField
from chat.widget_sites.models import WidgetSite

COLOR = re.compile(r"#[0-9a-fA-F]{6}")
SIDES = (("", gettext_lazy("Right")), ("start", gettext_lazy("Left")))
THEMES = (
    ("", gettext_lazy("System")),
    ("light", gettext_lazy("Light")),
    ("dark", gettext_lazy("Dark")),
)


@dataclass(frozen=True, slots=True)
class TagOptions:
    """Appearance of the launcher, as far as it differs from the default."""

    color: str = ""
    theme: str = ""
    lang: str = ""
    side: str = ""
    label: str = ""

    @property
    def attributes(self) -> list[tuple[str, str]]:
        return [(f"data-{name}", value) for name, value in asdict(self).items() if value]


class TagOptionsForm(forms.Form):
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


def read_tag_options(sent: QueryDict) -> tuple[TagOptionsForm, TagOptions]:
    """Return the form and its valid values."""
    form = TagOptionsForm(sent)
    form.is_valid()
    return form, TagOptions(
        **{name: form.cleaned_data.get(name, "") for name in TagOptionsForm.base_fields}
    )


def script_address() -> str:
    return f"{settings.SITE_URL.rstrip('/')}/w.js"


def script_tag(site: WidgetSite, look: TagOptions) -> SafeString:
    """Return the tag as HTML to copy into a page, with every value escaped."""
    pairs = [("src", script_address()), ("data-site", site.key), *look.attributes]
    return format_html("<script async{}></script>", format_html_join("", ' {}="{}"', pairs))
