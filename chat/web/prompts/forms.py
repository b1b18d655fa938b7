"""Define the forms for a prompt, and for a file of them."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.personas.models import MAX_PROMPTS, PROMPT_LENGTH, Prompt
from chat.web.http.audience_form import SharingForm
from chat.web.http.form_fields import TextField


class PromptForm(SharingForm[Prompt]):
    kind, most = Prompt, MAX_PROMPTS

    text = TextField(
        most=PROMPT_LENGTH,
        rows=8,
        label=_("Text"),
        help_text=_(
            "Put variables in double curly brackets, for example {{language}}. You fill them in "
            "when you use the prompt."
        ),
    )

    def values_of(self, one: Prompt) -> dict[str, Any]:
        return {**super().values_of(one), "text": one.text}

    def apply(self, one: Prompt) -> None:
        super().apply(one)
        one.text = self.cleaned_data["text"]


class PromptFileForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "Prompts exported from Open WebUI, or the file prompts.json from a Runnel export."
        ),
        widget=forms.FileInput(attrs={"accept": ".json"}),
    )
