"""Define the field for a staff member's reason, which must have a few words."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.lib.words import runs_of
from chat.review.models import REASON_LENGTH
from chat.web.http.form_fields import LineField

MIN_WORDS = 3
#: Characters that count as a word in scripts without spaces.
CHARACTERS_OF_A_WORD = 2


def require_few_words(text: str) -> None:
    """Raise `ValidationError` if `text` has fewer words than a reason needs."""
    words = sum(
        max(1, len(run) // CHARACTERS_OF_A_WORD) if is_joined else 1
        for run, is_joined in runs_of(text)
    )
    if words < MIN_WORDS:
        raise ValidationError(_("Enter a reason of at least three words."))


class ReasonField(LineField):
    def __init__(self, **options: Any) -> None:
        options.setdefault("label", gettext_lazy("Reason"))
        super().__init__(most=REASON_LENGTH, **options)
        self.validators.append(require_few_words)


class ActionReasonForm(forms.Form):
    """A reason for a single action."""

    reason = ReasonField(help_text=gettext_lazy("Recorded with this action."))
