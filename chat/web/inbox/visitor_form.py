"""Form in which owners choose what visitors are asked before their first message."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.inbox.models import VisitorForm
from chat.web.http.form_fields import LineField, LinesField
from chat.widget_sites.models import WidgetSite

MAX_CHOICES = 10
FIELDS = ("asks_name", "asks_email", "question", "choices", "is_required")


class VisitorFormSettings(forms.Form):
    asks_name = forms.BooleanField(label=gettext_lazy("Ask for the name"), required=False)
    asks_email = forms.BooleanField(label=gettext_lazy("Ask for the email address"), required=False)
    question = LineField(
        most=VisitorForm.QUESTION_LENGTH,
        required=False,
        label=gettext_lazy("Question with choices"),
        help_text=gettext_lazy("For example: What is it about?"),
    )
    choices = LinesField(
        most_lines=MAX_CHOICES,
        most=VisitorForm.CHOICE_LENGTH,
        rows=4,
        required=False,
        label=gettext_lazy("Choices"),
        help_text=gettext_lazy("One per line, at least two."),
    )
    is_required = forms.BooleanField(
        label=gettext_lazy("Visitors must answer before they can write"),
        required=False,
        help_text=gettext_lazy("Otherwise, they can skip the form."),
    )

    def __init__(self, site: WidgetSite, sent: Any = None) -> None:
        self.site = site
        stored = VisitorForm.objects.filter(site=site).first()
        initial = {name: getattr(stored, name) for name in FIELDS} if stored else {}
        super().__init__(sent, initial=initial)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        question, choices = values.get("question", ""), values.get("choices", [])
        if question and len(set(choices)) < 2 and "choices" not in self.errors:
            self.add_error("choices", _("Enter at least two different choices."))
        if choices and not question and "question" not in self.errors:
            self.add_error("question", _("Enter the question that these choices answer."))
        return values

    def save(self) -> None:
        values = {name: self.cleaned_data[name] for name in FIELDS}
        values["choices"] = list(dict.fromkeys(values["choices"]))
        if values["asks_name"] or values["asks_email"] or values["question"]:
            VisitorForm.objects.update_or_create(site=self.site, defaults=values)
        else:
            VisitorForm.objects.filter(site=self.site).delete()
