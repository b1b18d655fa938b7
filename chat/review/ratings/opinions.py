"""Decide which ratings of a chat or answer a staff member sees.

Raters are independent: they see what others rated only after they have saved their own rating, or
if they decide a disagreement.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from chat.accounts.models import User
from chat.review.rating_models import (
    RatingForm,
    RatingQuestion,
    StaffRating,
    StaffRatingText,
)
from chat.review.ratings.subjects import Subject
from chat.review.staff.roles import Reviewer, Role

MAX_SHOWN = 200  # ratings of one chat with one form


@dataclass(frozen=True, slots=True)
class ShownRating:
    """A rating with its questions, and its rater; None if the account was deleted."""

    rating: StaffRating
    rater: User | None
    answers: list[tuple[RatingQuestion, str]]
    former: int = 0  # how often the rater has changed it


@dataclass(frozen=True, slots=True)
class Opinions:
    """A form about a chat or answer, as one staff member sees it.

    `others` is empty while they are not to be seen, and `is_blind` tells this from none.
    """

    form: RatingForm
    questions: list[RatingQuestion]
    own: ShownRating | None
    others: list[ShownRating] = field(default_factory=list)
    decision: ShownRating | None = None
    is_blind: bool = True
    may_decide: bool = False


def opinions_on(
    reviewer: Reviewer, forms: Sequence[RatingForm], subject: Subject, deciding: int | None = None
) -> list[Opinions]:
    """Return each form with the ratings that the reviewer may see now, in a few queries for all.

    `deciding` is the form with which they decide a disagreement.
    """
    rows = _ratings(forms, subject)
    words = _with_words(forms, rows)
    return [
        _opinions(
            reviewer,
            each,
            [row for row in rows if row.form_id == each.pk],
            words,
            is_deciding=each.pk == deciding,
        )
        for each in forms
    ]


def _opinions(
    reviewer: Reviewer,
    form: RatingForm,
    rows: list[StaffRating],
    words: "_Words",
    *,
    is_deciding: bool,
) -> Opinions:
    by_rater = latest_by_rater(rows)
    own = by_rater.get(reviewer.user_id)
    decides = _may_decide(reviewer, by_rater)
    sees = own is not None or (is_deciding and decides)
    decision = next((each for each in reversed(rows) if each.is_decision), None)
    shown = [each for each in by_rater.values() if each.rater != reviewer.user_id] if sees else []
    changes = _changes(rows)
    return Opinions(
        form,
        [each for each in words.questions[form.pk] if each.retired_at is None],
        _shown(own, words, changes) if own else None,
        [_shown(each, words, changes) for each in shown],
        _shown(decision, words, changes) if sees and decision else None,
        is_blind=not sees,
        may_decide=decides,
    )


def may_decide(reviewer: Reviewer, form: RatingForm, subject: Subject) -> bool:
    """Return True if raters differ, and the reviewer is a lead, or is none of them."""
    return _may_decide(reviewer, latest_by_rater(_ratings([form], subject)))


def _may_decide(reviewer: Reviewer, by_rater: dict[int, StaffRating]) -> bool:
    ratings = list(by_rater.values())
    if len(ratings) < 2 or not differing(ratings):
        return False
    return reviewer.role >= Role.LEAD or reviewer.user_id not in by_rater


def differing(ratings: Iterable[StaffRating]) -> set[int]:
    """Return the questions that these ratings answer differently."""
    ratings = list(ratings)
    questions = set().union(*(each.answers for each in ratings))
    return {
        int(question)
        for question in questions
        if len({_key(each.answers[question]) for each in ratings if question in each.answers}) > 1
    }


def _key(value: int | list[int]) -> tuple[int, ...]:
    return tuple(sorted(value)) if isinstance(value, list) else (value,)


def latest_by_rater(ratings: Iterable[StaffRating]) -> dict[int, StaffRating]:
    """Return each rater's latest rating, of ratings about one thing in the order of their IDs."""
    return {each.rater: each for each in ratings if not each.is_decision}


def _ratings(forms: Sequence[RatingForm], subject: Subject) -> list[StaffRating]:
    """Return the newest ratings with each form, in the order of their IDs."""
    place = Window(RowNumber(), partition_by=F("form"), order_by=F("id").desc())
    rows = StaffRating.objects.filter(
        form__in=forms, conversation=subject.conversation.pk, message=subject.message_id
    )
    return list(rows.annotate(place=place).filter(place__lte=MAX_SHOWN).order_by("id"))


def _changes(rows: Iterable[StaffRating]) -> dict[tuple[int, bool], int]:
    counts: dict[tuple[int, bool], int] = {}
    for each in rows:
        counts[each.rater, each.is_decision] = counts.get((each.rater, each.is_decision), -1) + 1
    return counts


@dataclass(frozen=True, slots=True)
class _Words:
    """What is needed to write ratings out."""

    questions: dict[int, list[RatingQuestion]]  # of each form
    raters: dict[int, User]
    texts: dict[tuple[int, int], str]


def _with_words(forms: Sequence[RatingForm], ratings: Sequence[StaffRating]) -> _Words:
    texts = StaffRatingText.objects.filter(rating__in=[each.pk for each in ratings])
    questions: dict[int, list[RatingQuestion]] = {each.pk: [] for each in forms}
    for each in RatingQuestion.objects.filter(form__in=forms):
        questions[each.form_id].append(each)
    return _Words(
        questions,
        User.objects.in_bulk([each.rater for each in ratings]),
        {(each.rating, each.question): each.text for each in texts},
    )


def _shown(rating: StaffRating, words: _Words, changes: dict[tuple[int, bool], int]) -> ShownRating:
    answers = []
    for question in words.questions[rating.form_id]:
        value = rating.answers.get(str(question.pk))
        text = words.texts.get((rating.pk, question.pk), "")
        if value is not None or text:
            answers.append((question, text or in_words(question, value)))
    former = changes[rating.rater, rating.is_decision]
    return ShownRating(rating, words.raters.get(rating.rater), answers, former)


def in_words(question: RatingQuestion, value: int | list[int] | None) -> str:
    """Return a score as a number, and labels as they are written."""
    if isinstance(value, list):
        names = [question.labels[place] for place in value if place < len(question.labels)]
        return ", ".join(names) or "–"
    return "–" if value is None else str(value)
