"""Define the form for an answer that a person writes for a website."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.models import User
from chat.errors import ChatError
from chat.knowledge.models import ADDRESS_LENGTH
from chat.web.http.form_fields import LineField, TextField
from chat.web.http.shared_limits import require_rate
from chat.website_answers import snippets
from chat.website_answers.models import ANSWER_LENGTH, QUESTION_LENGTH, AnswerSnippet
from chat.website_answers.snippets import SnippetText
from chat.widget_sites.models import WidgetSite

#: Each is indexed, and so costs as much as a document.
ANSWERS_PER_MINUTE = 30


class TrialForm(forms.Form):
    """Ask a question as a visitor would."""

    question = LineField(most=QUESTION_LENGTH, label=gettext_lazy("Question"))


class CaseForm(TrialForm):
    """Keep a question with the source that its answer has to cite."""

    source = LineField(most=ADDRESS_LENGTH, label=gettext_lazy("Source"))


class SnippetForm(forms.Form):
    """Write or edit an answer."""

    question = LineField(most=QUESTION_LENGTH, label=gettext_lazy("Question"))
    answer = TextField(
        most=ANSWER_LENGTH,
        rows=6,
        label=gettext_lazy("Answer"),
        help_text=gettext_lazy("Visitors may see both. Leave out personal data."),
    )
    valid_until = forms.DateField(
        required=False,
        label=gettext_lazy("Valid until (leave blank to keep it)"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    is_for_team = forms.BooleanField(
        required=False,
        label=gettext_lazy("Only for the team"),
        help_text=gettext_lazy("Visitors never get it. It helps the team to write answers."),
    )

    def __init__(
        self, sent: Any = None, known: AnswerSnippet | None = None, **options: Any
    ) -> None:
        self.known = known
        if known:
            options["initial"] = {name: getattr(known, name) for name in self.base_fields}
        super().__init__(sent, **options)

    def clean_valid_until(self) -> Any:
        day = self.cleaned_data["valid_until"]
        if day and day < timezone.localdate():
            raise ValidationError(_("This date is in the past. Choose a later one."))
        return day

    def save(self, site: WidgetSite, author: User) -> AnswerSnippet | None:
        """Store the answer; return None and say why in the form if it can't be stored."""
        try:
            require_rate("site_answers", str(author.pk), ANSWERS_PER_MINUTE)
            return snippets.write(site, author, SnippetText(**self.cleaned_data), self.known)
        except ChatError as error:
            self.add_error(None, error.public)
            return None
