"""Tell how far raters of the same thing agree, and which disagreements are to be settled.

Agreement is that of each rater's first rating, made before they could see what others rated. The
two earliest raters of a thing are a pair. A disagreement is one of the latest ratings, so raters
may settle it by changing theirs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from chat.conversations.models import Conversation
from chat.review.access import in_scope_of
from chat.review.rating_models import RatingForm, RatingQuestion, StaffRating
from chat.review.ratings import kappa
from chat.review.ratings.opinions import differing, latest_by_rater
from chat.review.ratings.subjects import rated_within
from chat.review.staff.roles import Reviewer

#: Ratings of a form that are compared, the newest first.
MAX_COMPARED = 20_000
MAX_DISAGREEMENTS = 100
Place = tuple[UUID, int | None]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far pairs of raters agree in one question, or in one label of it.

    `kappa` is None where it isn't defined. Then `equal` tells why: all are the same, or there are
    no pairs.
    """

    question: RatingQuestion
    label: str
    pairs: int
    equal: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class RatedThing:
    """All ratings of one chat or answer with one form, oldest first."""

    place: Place
    ratings: list[StaffRating] = field(default_factory=list)

    def pair(self) -> tuple[StaffRating, StaffRating] | None:
        first_of: dict[int, StaffRating] = {}
        for each in self.ratings:
            if not each.is_decision:
                first_of.setdefault(each.rater, each)
        pair = list(first_of.values())[:2]
        return (pair[0], pair[1]) if len(pair) == 2 else None

    @property
    def decision(self) -> StaffRating | None:
        return next((each for each in reversed(self.ratings) if each.is_decision), None)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A chat or answer whose raters differ in these questions, and that nobody has decided."""

    place: Place
    ratings: list[StaffRating]
    questions: set[int]


def things(ratings: Iterable[StaffRating]) -> list[RatedThing]:
    """Collect ratings in the order of their IDs by what they are about."""
    found: dict[Place, RatedThing] = {}
    for each in ratings:
        place = (each.conversation, each.message)
        found.setdefault(place, RatedThing(place)).ratings.append(each)
    return list(found.values())


def compared(reviewer: Reviewer, form: RatingForm) -> list[RatedThing]:
    """Return what was rated with the form in the reviewer's scope."""
    rows = StaffRating.objects.filter(rated_within(reviewer), form=form).order_by("-id")
    return things(list(rows[:MAX_COMPARED])[::-1])


def agreements(questions: Sequence[RatingQuestion], rated: Iterable[RatedThing]) -> list[Agreement]:
    """Return the agreement in each question; in one of any labels, in each label."""
    pairs = [pair for each in rated if (pair := each.pair())]
    return [found for each in questions for found in _agreements(each, pairs)]


def _agreements(
    question: RatingQuestion, pairs: Sequence[tuple[StaffRating, StaffRating]]
) -> Iterator[Agreement]:
    key = str(question.pk)
    values = [
        (a.answers[key], b.answers[key]) for a, b in pairs if key in a.answers and key in b.answers
    ]
    if question.is_score:
        yield _agreement(question, "", values, question.scale, kappa.quadratic)
    elif question.kind == RatingQuestion.Kind.LABEL:
        chosen = [(a[0], b[0]) for a, b in values]
        yield _agreement(question, "", chosen, question.scale, kappa.unweighted)
    elif question.kind == RatingQuestion.Kind.LABELS:
        for place, label in enumerate(question.labels):
            has = [(int(place in a), int(place in b)) for a, b in values]
            yield _agreement(question, label, has, range(2), kappa.unweighted)


def _agreement(
    question: RatingQuestion,
    label: str,
    values: Sequence[tuple[int, int]],
    scale: range,
    weight: kappa.Weight,
) -> Agreement:
    table = kappa.table_of(values, scale)
    equal = sum(first == second for first, second in values)
    return Agreement(question, label, len(values), equal, kappa.cohen_kappa(table, weight))


def disagreements(reviewer: Reviewer, rated: Iterable[RatedThing]) -> list[Disagreement]:
    """Return what is to be settled: most questions first, and of these the newest.

    Chats that were erased, or that the reviewer may not read now, can't be.
    """
    found = []
    for each in reversed(list(rated)):
        latest = list(latest_by_rater(each.ratings).values())
        questions = differing(latest)
        if questions and not each.decision:
            found.append(Disagreement(each.place, latest, questions))
    ids = {each.place[0] for each in found}
    chats = Conversation.all_objects.filter(in_scope_of(reviewer), pk__in=ids)
    readable = set(chats.values_list("pk", flat=True))
    found = [each for each in found if each.place[0] in readable]
    return sorted(found, key=lambda each: -len(each.questions))[:MAX_DISAGREEMENTS]
