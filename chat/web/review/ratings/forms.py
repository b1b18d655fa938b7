"""Define the forms with which leads define rating forms and samples."""

from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.lib.whole_number import whole_number
from chat.personas.parameters import Range
from chat.review.rating_models import (
    LABEL_LENGTH,
    MODEL_LENGTH,
    QUESTION_LENGTH,
    RATING_FORM_NAME_LENGTH,
    RatingForm,
    RatingQuestion,
)
from chat.review.ratings.rating_forms import MAX_QUESTIONS, QuestionDraft
from chat.review.staff.roles import Reviewer
from chat.upstream import available_models
from chat.web.http.form_fields import LineField, LinesField
from chat.web.review.http.facet_forms import in_scope, set_choices
from chat.widget_sites.models import WidgetSite

BLANK_QUESTIONS = 3  # after the existing ones
MAX_LABELS = 20
FEWEST_LABELS = 2
Kind = RatingQuestion.Kind
PERCENT = Range(0, 100)


class RatingFormForm(forms.Form):
    """The name of a rating form, and what it is about."""

    name = LineField(most=RATING_FORM_NAME_LENGTH, label=gettext_lazy("Name"))
    members = forms.ModelChoiceField(
        Group.objects.none(), required=False, label=gettext_lazy("Members of")
    )
    site = forms.ModelChoiceField(
        WidgetSite.objects.none(), required=False, label=gettext_lazy("Visitors of")
    )
    model = LineField(
        most=MODEL_LENGTH,
        required=False,
        label=gettext_lazy("Model"),
        help_text=gettext_lazy("Its whole name. Leave this blank for all models."),
    )
    is_enabled = forms.BooleanField(required=False, initial=True, label=gettext_lazy("Enabled"))

    def __init__(self, sent: Any, reviewer: Reviewer, form: RatingForm | None = None) -> None:
        names = self.base_fields if form else ()
        super().__init__(sent, initial={name: getattr(form, name) for name in names})
        self._reviewer = reviewer
        self.form = form or RatingForm(created_by_id=reviewer.user_id)
        for name in ("members", "site"):
            field: Any = self.fields[name]
            field.empty_label = _("Everyone") if reviewer.groups is None else _("None")
        groups, sites = in_scope(reviewer)
        set_choices(self, members=groups, site=sites)
        self.fields["model"].widget.attrs["list"] = "models"
        self.models = list(available_models.all_models())

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        chosen = [name for name in ("members", "site") if values.get(name)]
        if len(chosen) > 1:
            self.add_error("site", _("Choose either members or visitors."))
        if not chosen and self._reviewer.groups is not None:
            place = next((name for name in ("members", "site") if name in self.fields), None)
            self.add_error(place, _("Choose whose chats this form is about."))
        return values

    def filled(self) -> RatingForm:
        """Return the rating form with the submitted values, unsaved."""
        values = self.cleaned_data
        members, site = values.get("members"), values.get("site")
        self.form.name, self.form.model = values["name"], values["model"]
        self.form.members, self.form.site = members and members.pk, site and site.pk
        self.form.is_enabled = values["is_enabled"]
        return self.form


class QuestionForm(forms.Form):
    """One question. It is left out if its text is empty, or if it is to be removed."""

    use_required_attribute = False

    question = forms.IntegerField(required=False, widget=forms.HiddenInput)
    text = LineField(most=QUESTION_LENGTH, required=False, label=gettext_lazy("Question"))
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind of answer"),
        choices=[(each.value, each.label) for each in Kind],
    )
    least_label = LineField(
        most=LABEL_LENGTH, required=False, label=gettext_lazy("Lowest score means")
    )
    most_label = LineField(
        most=LABEL_LENGTH, required=False, label=gettext_lazy("Highest score means")
    )
    labels = LinesField(
        most_lines=MAX_LABELS,
        most=LABEL_LENGTH,
        rows=3,
        required=False,
        label=gettext_lazy("Labels, one per line"),
    )
    is_removed = forms.BooleanField(required=False, label=gettext_lazy("Remove this question"))

    @property
    def is_used(self) -> bool:
        return bool(self.cleaned_data.get("text")) and not self.cleaned_data.get("is_removed")

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        kind, labels = values.get("kind"), values.get("labels")
        if values.get("text") and kind in {Kind.LABEL, Kind.LABELS} and labels is not None:
            if len(set(labels)) < (FEWEST_LABELS if kind == Kind.LABEL else 1):
                self.add_error("labels", _("Enter more labels."))
            elif len(set(labels)) < len(labels):
                self.add_error("labels", _("Each label may be there only once."))
        return values

    @property
    def draft(self) -> QuestionDraft:
        """Return the question without what its kind doesn't use."""
        values = self.cleaned_data
        kind = values["kind"]
        has_ends = kind in {Kind.FIVE, Kind.TEN}
        return QuestionDraft(
            values["text"],
            kind,
            values["least_label"] if has_ends else "",
            values["most_label"] if has_ends else "",
            values["labels"] if kind in {Kind.LABEL, Kind.LABELS} else [],
            values["question"],
        )


def question_forms(sent: Any, questions: list[RatingQuestion]) -> list[QuestionForm]:
    """Return a form for each question, and blank ones. `sent` says how many were shown."""
    if sent is None:
        names = QuestionForm.base_fields.keys() - {"question", "is_removed"}
        filled: list[dict[str, Any]] = [
            {"question": each.pk} | {name: getattr(each, name) for name in names}
            for each in questions
        ]
        filled += [{}] * min(BLANK_QUESTIONS, MAX_QUESTIONS - len(filled))
        return [
            QuestionForm(initial=each, prefix=f"question{number}")
            for number, each in enumerate(filled)
        ]
    count = whole_number(sent.get("questions", ""), most_digits=2) or 0
    return [
        QuestionForm(sent, prefix=f"question{number}")
        for number in range(min(count, MAX_QUESTIONS))
    ]
