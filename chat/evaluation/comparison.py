"""Compare two runs of one dataset: side by side, by the judge, and by blind votes of people."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from chat.errors import NotFound
from chat.evaluation import access
from chat.evaluation.models import BlindVote, DatasetItem, EvaluationDataset, EvaluationRun
from chat.evaluation.statistics import Difference, difference_of, majority, sign_test
from chat.review.access_log.staff_context import StaffContext

Choice = BlindVote.Choice
#: What a vote says about the first run.
SIGNS: Mapping[str, int] = {Choice.FIRST: 1, Choice.SECOND: -1}


@dataclass(frozen=True, slots=True)
class RunPair:
    """Two runs of one dataset; `first` has the lower ID, as in votes."""

    dataset: EvaluationDataset
    first: EvaluationRun
    second: EvaluationRun


@dataclass(frozen=True, slots=True)
class VoteResult:
    """How people voted, and what the sign test says of it.

    `wins` and `losses` are items that most votes gave to the first or the second run.
    """

    counts: Mapping[str, int]
    raters: int
    wins: int
    losses: int
    ties: int

    @property
    def votes(self) -> int:
        return sum(self.counts.values())

    @property
    def p_value(self) -> float:
        return sign_test(self.wins, self.losses)


@dataclass(frozen=True, slots=True)
class BlindPair:
    """Two answers to an item without names. `is_swapped`: the second run's is shown first."""

    item: DatasetItem
    left: str
    right: str
    is_swapped: bool

    def choice(self, shown: str) -> Choice | None:
        """Return what a vote for what was shown as "left" or "right" means; None for nonsense."""
        if shown in {Choice.TIE, Choice.BOTH_BAD}:
            return Choice(shown)
        if shown not in {"left", "right"}:
            return None
        return Choice.FIRST if (shown == "left") != self.is_swapped else Choice.SECOND


def pair_of(dataset: EvaluationDataset, one_id: int, other_id: int) -> RunPair:
    """Return two different runs of a dataset. Raise `NotFound`."""
    if one_id == other_id:
        raise NotFound
    first, second = (access.run_of(dataset, each) for each in sorted((one_id, other_id)))
    return RunPair(dataset, first, second)


def texts_of(pair: RunPair, items: QuerySet[DatasetItem]) -> dict[int, tuple[str, str]]:
    """Return both answers to each of the items that both runs have answered, by the item's ID."""
    first, second = (_texts(run, items) for run in (pair.first, pair.second))
    return {item: (first[item], second[item]) for item in first if item in second}


def differences_of(pair: RunPair) -> dict[str, Difference]:
    """Return the difference in each category that the judge has told of both answers."""
    first, second = (_probabilities(pair, run) for run in (pair.first, pair.second))
    figures: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for item, ours in first.items():
        theirs = second.get(item, {})
        for category in ours.keys() & theirs.keys():
            figures[category].append((ours[category], theirs[category]))
    found = {category: difference_of(pairs) for category, pairs in sorted(figures.items())}
    return {category: each for category, each in found.items() if each}


def votes_of(pair: RunPair) -> VoteResult:
    """Return how people have voted on items that may still be used."""
    votes = list(
        BlindVote.objects.filter(
            first=pair.first, second=pair.second, item__in=access.items_of(pair.dataset)
        ).values_list("item", "rater", "choice")
    )
    by_item: defaultdict[int, list[int]] = defaultdict(list)
    for item, _rater, choice in votes:
        by_item[item].append(SIGNS.get(choice, 0))
    outcomes = Counter(majority(each) for each in by_item.values())
    return VoteResult(
        Counter(choice for _item, _rater, choice in votes),
        len({rater for _item, rater, _choice in votes}),
        outcomes[1],
        outcomes[-1],
        outcomes[0],
    )


def waiting_items(staff_context: StaffContext, pair: RunPair) -> list[int]:
    """Return the items that this person has not voted on, in an order of their own.

    Answers that are the same are no choice.
    """
    rater = staff_context.reviewer.user_id
    done = BlindVote.objects.filter(first=pair.first, second=pair.second, rater=rater)
    voted = set(done.values_list("item", flat=True))
    texts = texts_of(pair, access.items_of(pair.dataset))
    waiting = [item for item, (one, other) in texts.items() if one != other and item not in voted]
    return sorted(waiting, key=lambda item: _random(pair, item, rater))


def read_pair(staff_context: StaffContext, pair: RunPair, item_id: int) -> BlindPair:
    """Return both answers to an item without names; the item is logged. Raise `NotFound`."""
    items = access.items_of(pair.dataset).filter(pk=item_id)
    shown = access.read_items(staff_context, items)
    return _blind(staff_context, pair, shown)


@transaction.atomic
def vote(staff_context: StaffContext, pair: RunPair, item_id: int, shown: str) -> bool:
    """Store or replace a person's vote; return False if it is none. Raise `NotFound`."""
    blind = _blind(staff_context, pair, [access.item_of(pair.dataset, item_id)])
    choice = blind.choice(shown)
    if choice is None:
        return False
    BlindVote.objects.update_or_create(
        first=pair.first,
        second=pair.second,
        item=blind.item,
        rater_id=staff_context.reviewer.user_id,
        defaults={"choice": choice},
    )
    return True


def _blind(staff_context: StaffContext, pair: RunPair, items: list[DatasetItem]) -> BlindPair:
    texts = texts_of(pair, access.items_of(pair.dataset).filter(pk__in=[each.pk for each in items]))
    if not texts:
        raise NotFound
    item, rater = items[0], staff_context.reviewer.user_id
    first, second = texts[item.pk]
    is_swapped = int(_random(pair, item.pk, rater)[-1], 16) % 2 == 1
    left, right = (second, first) if is_swapped else (first, second)
    return BlindPair(item, left, right, is_swapped)


def _random(pair: RunPair, item_id: int, rater_id: int) -> str:
    """Return what nobody can guess, and is the same each time: no form has to say the order."""
    value = f"{pair.first.pk} {pair.second.pk} {item_id} {rater_id}"
    return salted_hmac("chat.evaluation.comparison", value, algorithm="sha256").hexdigest()


def _texts(run: EvaluationRun, items: QuerySet[DatasetItem]) -> dict[int, str]:
    there = run.answers.filter(problem="", item__in=items)
    return dict(there.order_by("item").values_list("item", "text"))


def _probabilities(pair: RunPair, run: EvaluationRun) -> dict[int, dict[str, float]]:
    there = run.answers.filter(
        problem="", probabilities__isnull=False, item__in=access.items_of(pair.dataset)
    )
    rows = there.values_list("item", "probabilities")
    return {item: probabilities or {} for item, probabilities in rows}
