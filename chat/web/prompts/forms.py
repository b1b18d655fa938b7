"""Define the form for a prompt."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from chat.personas.models import Prompt
from chat.web.http.audience_form import SharingForm
from chat.web.http.form_fields import TextField


class PromptForm(SharingForm[Prompt]):
    kind, most = Prompt, 500

    text = TextField(
        most=20_000,
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
