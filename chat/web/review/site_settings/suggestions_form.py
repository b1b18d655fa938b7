"""Define the form of whether questions are suggested to members."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy

from chat.site_settings import effective, setting_names
from chat.web.review.site_settings.forms import SectionForm


class SuggestionsForm(SectionForm):
    """Whether a model suggests what members could ask next."""

    NAMES: ClassVar = {"suggests": setting_names.SUGGESTED_QUESTIONS}

    suggests = forms.BooleanField(
        required=False,
        label=gettext_lazy("Suggest questions after each answer"),
        help_text=gettext_lazy(
            "The model that writes the titles of chats suggests up to three. Each answer then "
            "costs a second, small request, which counts towards the member's limits. Members can "
            "hide them in their settings. Owners of websites can turn them on for visitors, too."
        ),
    )

    def stored_values(self) -> dict[str, Any]:
        return {"suggests": effective.suggests_questions()}
