"""People vote without knowing what they vote for, and figures say how sure they are."""

import random

import pytest

from chat.accounts.models import User
from chat.evaluation import comparison, datasets, runs
from chat.evaluation.comparison import RunPair
from chat.evaluation.jsonl import NewItem
from chat.evaluation.models import BlindVote, EvaluationDataset, EvaluationRun
from chat.evaluation.statistics import difference_of, majority, sign_test
from chat.review.access_log.staff_context import StaffContext
from tests.review.conftest import give, staff_context_of


@pytest.fixture
def pair(adam: StaffContext, dataset: EvaluationDataset) -> RunPair:
    """Return two runs: what the first wrote begins with "first"."""
    cases = [NewItem([{"role": "user", "content": f"Question {n}"}]) for n in range(12)]
    datasets.add_items(adam, dataset, cases)
    made = [
        EvaluationRun.objects.create(dataset=dataset, name=name, max_tokens=9)
        for name in ("first", "second")
    ]
    for item in dataset.items.all():
        for run in made:
            runs.store(run, item, text=f"{run.name} {item.pk}")
    return comparison.pair_of(dataset, made[1].pk, made[0].pk)


def test_the_order_is_random_and_a_vote_is_counted_for_what_was_read(
    adam: StaffContext, pair: RunPair
) -> None:
    swapped = set()
    while waiting := comparison.waiting_items(adam, pair):
        shown = comparison.read_pair(adam, pair, waiting[0])
        swapped.add(shown.is_swapped)
        better = "left" if shown.left.startswith("first") else "right"
        assert comparison.vote(adam, pair, waiting[0], better)
    assert swapped == {True, False}
    votes = comparison.votes_of(pair)
    assert votes.counts == {"first": 12}
    assert (votes.raters, votes.wins, votes.losses, votes.ties) == (1, 12, 0, 0)
    assert votes.p_value == pytest.approx(2 / 2**12)


def test_each_person_has_one_vote_and_an_order_of_their_own(
    adam: StaffContext, pair: RunPair, bob: User
) -> None:
    bobs = staff_context_of(give(bob, "administer_review"))
    waiting = comparison.waiting_items(adam, pair)
    assert sorted(waiting) == sorted(comparison.waiting_items(bobs, pair))
    assert waiting != comparison.waiting_items(bobs, pair)
    for staff, choice in ((adam, "tie"), (adam, "both_bad"), (bobs, "left")):
        assert comparison.vote(staff, pair, waiting[0], choice)
    assert BlindVote.objects.count() == 2
    assert not comparison.vote(adam, pair, waiting[1], "first")  # nobody names a run
    assert BlindVote.objects.count() == 2


def test_equal_answers_and_those_that_failed_are_no_choice(
    adam: StaffContext, pair: RunPair
) -> None:
    one, other = list(pair.dataset.items.all()[:2])
    for run in (pair.first, pair.second):
        runs.store(run, one, text="The same")
    runs.store(pair.second, other, problem="upstream_timeout")
    assert {one.pk, other.pk}.isdisjoint(comparison.waiting_items(adam, pair))


@pytest.mark.parametrize(
    ("wins", "losses", "p"), [(0, 0, 1.0), (1, 0, 1.0), (5, 5, 1.0), (9, 1, 0.021484375)]
)
def test_the_sign_test_is_exact(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == sign_test(losses, wins) == pytest.approx(p)


def test_a_majority_counts_once() -> None:
    assert [majority(each) for each in ([1, 1, -1], [-1, 0], [1, -1], [])] == [1, -1, 0, 0]


def test_the_interval_covers_the_true_difference_about_as_often_as_it_says() -> None:
    drawn = random.Random(7)
    covered = 0
    for _ in range(200):
        pairs = [(drawn.random(), min(1.0, drawn.random() * 0.8)) for _ in range(60)]
        found = difference_of(pairs)
        assert found
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= -0.1 <= found.high
    assert 180 <= covered <= 200


def test_one_question_has_no_interval() -> None:
    found = difference_of([(0.5, 0.7)])
    assert found
    assert (found.low, found.high, found.is_clear) == (None, None, False)
    assert difference_of([]) is None
