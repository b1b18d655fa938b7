"""Build the form that a rater fills in from the questions of a rating form."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from chat.review.rating_models import RATING_TEXT_LENGTH, RatingQuestion
from chat.review.ratings.opinions import ShownRating
from chat.review.ratings.rate import Answers
from chat.web.http.form_fields import TextField

Kind = RatingQuestion.Kind


class AnswerForm(forms.Form):
    """One field for each question. Scores and single labels are required."""

    use_required_attribute = False  # the server explains what is missing beside it

    def __init__(
        self,
        sent: Any,
        questions: Sequence[RatingQuestion],
        own: ShownRating | None = None,
        prefix: str = "",
    ) -> None:
        super().__init__(sent, prefix=prefix or None, initial=_initial(questions, own))
        self.questions = {_name(each): each for each in questions}
        for name, question in self.questions.items():
            self.fields[name] = _field(question)

    @property
    def shown_fields(self) -> list[tuple[RatingQuestion, Any]]:
        return [(question, self[name]) for name, question in self.questions.items()]

    @property
    def answers(self) -> Answers:
        """Return the answers by question, once the form is valid."""
        return {
            question.pk: _answer(question, self.cleaned_data[name])
            for name, question in self.questions.items()
        }


def _name(question: RatingQuestion) -> str:
    return f"q{question.pk}"


def _field(question: RatingQuestion) -> forms.Field:
    if question.kind == Kind.TEXT:
        return TextField(most=RATING_TEXT_LENGTH, rows=3, required=False, label=question.text)
    choices = [(str(each), _choice(question, each)) for each in question.scale]
    if question.kind == Kind.LABELS:
        return forms.MultipleChoiceField(
            choices=choices,
            required=False,
            label=question.text,
            widget=forms.CheckboxSelectMultiple,
        )
    words = _("Choose a score.") if question.is_score else _("Choose a label.")
    return forms.ChoiceField(
        choices=choices,
        label=question.text,
        widget=forms.RadioSelect,
        error_messages={"required": words},
    )


def _choice(question: RatingQuestion, place: int) -> str:
    return str(place) if question.is_score else str(question.labels[place])


def _answer(question: RatingQuestion, value: Any) -> int | list[int] | str:
    if question.kind == Kind.TEXT:
        return str(value)
    if question.is_score:
        return int(value)
    return [int(each) for each in (value if question.kind == Kind.LABELS else [value])]


def _initial(questions: Sequence[RatingQuestion], own: ShownRating | None) -> dict[str, Any]:
    """Return what the rater said before, as far as the questions are still the same."""
    if own is None:
        return {}
    texts = {question.pk: words for question, words in own.answers if question.kind == Kind.TEXT}
    values: dict[str, Any] = {}
    for each in questions:
        value = own.rating.answers.get(str(each.pk))
        if each.kind == Kind.TEXT:
            values[_name(each)] = texts.get(each.pk, "")
        elif isinstance(value, list):
            places = [str(place) for place in value]
            values[_name(each)] = places if each.kind == Kind.LABELS else "".join(places[:1])
        elif value is not None:
            values[_name(each)] = str(value)
    return values
