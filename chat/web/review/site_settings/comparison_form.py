"""Define the form of how members may compare answers."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy

from chat.site_settings import effective, setting_names
from chat.web.review.site_settings.forms import SectionForm


class ComparisonForm(SectionForm):
    """Whether members may hide which model wrote which answer, and vote."""

    NAMES: ClassVar = {"blind": setting_names.BLIND_COMPARISON}

    blind = forms.BooleanField(
        required=False,
        label=gettext_lazy("Let members compare without names"),
        help_text=gettext_lazy(
            "Which model wrote which answer is then hidden until they vote. Votes are counted for "
            "each pair of models, without text."
        ),
    )

    def stored_values(self) -> dict[str, Any]:
        return {"blind": effective.offers_blind_comparison()}
