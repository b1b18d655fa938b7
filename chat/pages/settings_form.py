"""The form of a member's own settings."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from chat.accounts.preferences import (
    ANNOUNCEMENTS,
    ENTER_KEYS,
    LANGUAGES,
    TEXT_SIZES,
    THEMES,
    Choices,
    Preferences,
)
from chat.relay import models_on_offer


def _model_choices() -> list[tuple[str, str]]:
    models = models_on_offer.on_offer().values()
    site = next(iter(models)).name
    first = _("Like the site (%(name)s)") % {"name": site}
    return [("", str(first)), *((model.id, model.name) for model in models)]


def _radios(label: Any, choices: Choices) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect)


class SettingsForm(forms.Form):
    """Takes a part of the settings as well as all: what is not sent stays as it was."""

    theme = _radios(_("Colours"), THEMES)
    text_size = _radios(_("Text size"), TEXT_SIZES)
    language = forms.ChoiceField(label=_("Language"), choices=LANGUAGES, required=False)
    default_model = forms.ChoiceField(
        label=_("Model of a new chat"), choices=_model_choices, required=False
    )
    default_persona = forms.ChoiceField(label=_("Persona of a new chat"), required=False)
    enter_key = _radios(_("The Enter key"), ENTER_KEYS)
    announcements = _radios(_("What a screen reader says of an answer"), ANNOUNCEMENTS)

    def __init__(
        self, sent: QueryDict | None, preferences: Preferences, personas: list[dict[str, str]]
    ) -> None:
        before = asdict(preferences)
        names = {each["id"]: each["name"] for each in personas}
        if before["default_persona"] not in names:
            before["default_persona"] = ""
        if before["default_model"] not in models_on_offer.on_offer():
            before["default_model"] = ""
        given = None if sent is None else before | sent.dict()
        super().__init__(given, initial=before)
        field = self.fields["default_persona"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (as it is declared)
        field.choices = [("", _("None")), *names.items()]
        if not names:
            del self.fields["default_persona"]

    def preferences(self) -> Preferences:
        return Preferences(**self.cleaned_data)
