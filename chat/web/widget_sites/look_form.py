"""Define the form for the look of a site's chat."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.preferences import LANGUAGES
from chat.web.http.form_fields import LineField
from chat.web.widget_sites.greeting_fields import GreetingForm
from chat.widget_sites.look import pictures as widget_pictures
from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import WidgetSite

COLOR = re.compile(r"#[0-9a-fA-F]{6}")
SIDES = (("", gettext_lazy("Right")), ("start", gettext_lazy("Left")))
THEMES = (
    ("", gettext_lazy("System")),
    ("light", gettext_lazy("Light")),
    ("dark", gettext_lazy("Dark")),
)
HEADERS = (("", gettext_lazy("Plain")), ("color", gettext_lazy("Colored")))
SIZES = (
    ("compact", gettext_lazy("Compact")),
    ("", gettext_lazy("Normal")),
    ("large", gettext_lazy("Large")),
)
ICONS = (
    ("", gettext_lazy("Speech bubble")),
    ("question", gettext_lazy("Question mark")),
    ("headset", gettext_lazy("Headset")),
    ("sparkle", gettext_lazy("Sparkle")),
    ("mail", gettext_lazy("Envelope")),
    ("none", gettext_lazy("No icon")),
)
PICTURES = ("logo", "avatar")
#: Form fields copied to the look unchanged.
PLAIN = ("color", "theme", "lang", "side", "size", "icon", "label", "header", "sound")


class PictureField(forms.FileField):
    """A picture to upload, as its bytes."""

    def __init__(self, **options: Any) -> None:
        accept = forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"})
        super().__init__(required=False, allow_empty_file=True, widget=accept, **options)

    def clean(self, data: Any, initial: Any = None) -> bytes:
        if not super().clean(data, initial):
            return b""
        content: bytes = data.read(widget_pictures.MAX_KILOBYTES * 1024 + 1) if data else b""
        widget_pictures.checked(content)
        return content


def picture_fields(name: str, label: Any, hint: Any) -> dict[str, forms.Field]:
    """Return the fields: for a new picture, the name of the stored one, and to remove it."""
    return {
        f"{name}_file": PictureField(label=label, help_text=hint),
        name: forms.CharField(required=False, max_length=32, widget=forms.HiddenInput),
        f"remove_{name}": forms.BooleanField(required=False, label=gettext_lazy("Remove")),
    }


class LookForm(GreetingForm):
    """Choose how the chat looks, and what it says in the base language."""

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
    size = forms.ChoiceField(label=gettext_lazy("Size"), choices=SIZES, required=False)
    header = forms.ChoiceField(label=gettext_lazy("Header"), choices=HEADERS, required=False)
    icon = forms.ChoiceField(label=gettext_lazy("Button icon"), choices=ICONS, required=False)
    sound = forms.BooleanField(
        label=gettext_lazy("Play a sound for new messages"),
        required=False,
        help_text=gettext_lazy(
            "Only while the chat is closed or hidden. Visitors can turn it off."
        ),
    )
    label = LineField(
        most=60,
        label=gettext_lazy("Button label"),
        required=False,
        help_text=gettext_lazy("Leave blank to show only an icon."),
    )

    def __init__(self, *args: Any, site: WidgetSite, **options: Any) -> None:
        super().__init__(*args, **options)
        self.site = site
        limits = _(
            "PNG, JPEG or WebP, up to {kilobytes} KB and {pixels} × {pixels} pixels."
        ).format(kilobytes=widget_pictures.MAX_KILOBYTES, pixels=widget_pictures.MAX_PIXELS)
        self.fields |= picture_fields("logo", _("Logo in the header"), limits)
        self.fields |= picture_fields("avatar", _("Picture beside answers"), limits)

    @property
    def appearance(self) -> list[BoundField]:
        names = ("color", "theme", "header", "size", "side", "icon", "lang")
        return [self[name] for name in names]

    @property
    def words(self) -> list[BoundField]:
        return [self[name] for name in ("label", "welcome", "starters")]

    @property
    def pictures(self) -> list[dict[str, Any]]:
        """The fields of each picture, with the name of the stored one."""
        return [
            {
                "file": self[f"{name}_file"],
                "stored": self[name],
                "remove": self[f"remove_{name}"],
                "name": self[name].value() or "",
            }
            for name in PICTURES
        ]

    def clean_color(self) -> str:
        color: str = self.cleaned_data["color"].lower()
        if color and not COLOR.fullmatch(color):
            raise ValidationError(_("Enter # and six digits or letters from a to f."))
        return color

    def clean_logo(self) -> str:
        return self._stored("logo")

    def clean_avatar(self) -> str:
        return self._stored("avatar")

    def _stored(self, name: str) -> str:
        """Return the name of a picture of this site, or "" if it is gone."""
        digest: str = self.cleaned_data[name]
        return digest if digest and widget_pictures.is_stored(self.site, digest) else ""

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("icon") == "none" and not values.get("label") and "label" not in self.errors:
            self.add_error("label", _("Enter a label, or choose an icon."))
        return values

    @property
    def plain_values(self) -> dict[str, Any]:
        """The valid values of the look, without pictures."""
        return {name: self.cleaned_data.get(name, "") for name in PLAIN}

    def store_pictures(self) -> dict[str, str]:
        """Store pictures that were sent, and return the names of those to show."""
        values, shown_now = self.cleaned_data, WidgetLook.of(self.site).pictures
        kept = {
            name: "" if values.get(f"remove_{name}") else values.get(name, "") for name in PICTURES
        }
        for name in PICTURES:
            if content := values.get(f"{name}_file"):
                kept[name] = widget_pictures.store(self.site, content, shown_now | {*kept.values()})
        return kept
