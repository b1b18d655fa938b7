"""Count ratings: mean scores and shares of labels, in all and by day, model, persona and website.

Each rater's latest rating counts. Where a disagreement was decided, only the decision does. These
are numbers without texts, which stay when chats are erased.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from chat.review.rating_models import RatingForm, RatingQuestion, StaffRating
from chat.review.ratings.agreement import things
from chat.review.ratings.opinions import latest_by_rater
from chat.review.ratings.subjects import rated_within
from chat.review.staff.roles import Reviewer
from chat.review.utc_days import day_of, end_of, start_of


@dataclass(slots=True)
class RatingTally:
    """Ratings of some kind: how many, and by question how often each value was given."""

    ratings: int = 0
    answered: dict[int, int] = field(default_factory=dict)
    values: dict[tuple[int, int], int] = field(default_factory=dict)

    def add(self, rating: StaffRating) -> None:
        self.ratings += 1
        for key, value in rating.answers.items():
            question = int(key)
            self.answered[question] = self.answered.get(question, 0) + 1
            for each in value if isinstance(value, list) else [value]:
                self.values[question, each] = self.values.get((question, each), 0) + 1

    def mean(self, question: RatingQuestion) -> float | None:
        """Return the mean score; None without any."""
        count = self.answered.get(question.pk, 0)
        total = sum(each * self.values.get((question.pk, each), 0) for each in question.scale)
        return total / count if count else None

    def share(self, question: RatingQuestion, place: int) -> float | None:
        """Return the share of ratings with this label or score; None without any."""
        count = self.answered.get(question.pk, 0)
        return self.values.get((question.pk, place), 0) / count if count else None


@dataclass(frozen=True, slots=True)
class RatingFilter:
    """Days of rating in UTC, and a group or website that the chat's owner was in."""

    first: date
    last: date
    group: int | None = None
    site: int | None = None


def counted(reviewer: Reviewer, form: RatingForm, chosen: RatingFilter) -> list[StaffRating]:
    """Return the ratings that count, in the reviewer's scope."""
    since, until = start_of(chosen.first), end_of(chosen.last)
    rows = StaffRating.objects.filter(rated_within(reviewer), form=form, at__lt=until)
    if chosen.group is not None:
        rows = rows.filter(groups__contains=f" {chosen.group} ")
    if chosen.site is not None:
        rows = rows.filter(site=chosen.site)
    return list(_counting(rows.filter(at__gte=since).order_by("id")))


def _counting(rows: Iterable[StaffRating]) -> Iterator[StaffRating]:
    for each in things(rows):
        if each.decision:
            yield each.decision
        else:
            yield from latest_by_rater(each.ratings).values()


def tally(ratings: Iterable[StaffRating]) -> RatingTally:
    total = RatingTally()
    for each in ratings:
        total.add(each)
    return total


def tallies_by(
    ratings: Iterable[StaffRating], key: Callable[[StaffRating], Any]
) -> dict[Any, RatingTally]:
    """Return a tally for each value of `key`."""
    found: dict[Any, RatingTally] = {}
    for each in ratings:
        found.setdefault(key(each), RatingTally()).add(each)
    return found


def day_rated(rating: StaffRating) -> date:
    at: datetime = rating.at
    return day_of(at)


def questions_with_figures(form: RatingForm, total: RatingTally) -> Sequence[RatingQuestion]:
    """Return the current questions, and former ones that the counted ratings answer."""
    return [
        each
        for each in form.questions.order_by("retired_at", "position", "id")
        if each.kind != RatingQuestion.Kind.TEXT
        and (each.retired_at is None or each.pk in total.answered)
    ]
