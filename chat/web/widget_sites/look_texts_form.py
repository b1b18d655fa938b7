"""Define the forms for what a site's chat says: in other languages, and by itself."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.http import QueryDict
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.personas.parameters import Range
from chat.web.http.form_fields import LineField, NumberField, TextField
from chat.web.widget_sites.greeting_fields import GreetingForm

SECONDS = Range(0, 3600, is_whole=True)
SHARE = Range(0, 100, is_whole=True)
MESSAGE_CHARACTERS = 300
LANGUAGES: dict[str, str] = dict(settings.LANGUAGES)
_in_language = lazy(lambda language: _("Text ({language})").format(language=language), str)


class TextsForm(GreetingForm):
    """Translate the chat's texts. Blank ones stay in the base language."""

    field_order = ("label", "welcome", "starters")

    label = LineField(most=60, label=gettext_lazy("Button label"), required=False)

    def __init__(self, sent: QueryDict | None, *, language: str, initial: Any) -> None:
        super().__init__(sent, prefix=f"texts-{language}", initial=initial)
        self.language = language
        self.name = LANGUAGES[language]
        for field in self.fields.values():
            field.widget.attrs["lang"] = language

    @property
    def values(self) -> dict[str, Any]:
        return {name: text for name, text in self.cleaned_data.items() if text}


class MessageForm(forms.Form):
    """Define a message that appears beside the button, and when. Without a text there is none."""

    text = TextField(most=MESSAGE_CHARACTERS, rows=2, label=gettext_lazy("Text"), required=False)
    path = LineField(
        most=200,
        label=gettext_lazy("Pages"),
        required=False,
        help_text=gettext_lazy("For example: /products/*. Leave blank for all."),
    )
    seconds = NumberField(allowed=SECONDS, label=gettext_lazy("Seconds on the page"))
    scrolled = NumberField(allowed=SHARE, label=gettext_lazy("Percent scrolled"))
    returning = forms.BooleanField(
        label=gettext_lazy("Only for returning visitors"), required=False
    )

    def __init__(self, sent: QueryDict | None, *, number: int, initial: Any) -> None:
        super().__init__(sent, prefix=f"message-{number}", initial=initial)
        self.number = number
        for language, name in LANGUAGES.items():
            field = TextField(
                most=MESSAGE_CHARACTERS, rows=2, label=_in_language(name), required=False
            )
            field.widget.attrs["lang"] = language
            self.fields[f"text_{language}"] = field

    @property
    def conditions(self) -> list[BoundField]:
        return [self[name] for name in ("path", "seconds", "scrolled")]

    @property
    def translations(self) -> list[BoundField]:
        return [self[f"text_{language}"] for language in LANGUAGES]

    @property
    def is_open(self) -> bool:
        """Whether the fields are shown at once."""
        return bool(self.errors or self["text"].value())

    def clean_path(self) -> str:
        path: str = self.cleaned_data["path"]
        if path and path[0] not in "/*":
            raise ValidationError(_("Start with /, such as /products/*."))
        return path

    @property
    def values(self) -> dict[str, Any]:
        """The message, as it is stored; empty if there is none."""
        data = self.cleaned_data
        if not data.get("text"):
            return {}
        texts = {each: data.get(f"text_{each}") for each in LANGUAGES}
        values = {
            name: data.get(name) for name in ("text", "path", "seconds", "scrolled", "returning")
        }
        values["texts"] = {language: text for language, text in texts.items() if text}
        return {name: value for name, value in values.items() if value}
