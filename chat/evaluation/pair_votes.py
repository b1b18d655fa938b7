"""Count the votes of members on pairs of models, which they cast without knowing the models."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Count

from chat.evaluation.statistics import sign_test
from chat.generations.pairs.models import AnswerPair, PairVote
from chat.review.staff.roles import Reviewer

Verdict = AnswerPair.Verdict
#: What a verdict says once the two sides are exchanged.
EXCHANGED: dict[str, str] = {"a": "b", "b": "a"}


@dataclass(frozen=True, slots=True)
class PairCount:
    """The votes on two models; `first` is the one whose id comes first."""

    first: str
    second: str
    first_better: int
    second_better: int
    both_good: int
    both_bad: int

    @property
    def votes(self) -> int:
        return self.first_better + self.second_better + self.both_good + self.both_bad

    @property
    def first_share(self) -> float | None:
        """Return the share of `first` in the votes for one of the two; None without any."""
        decided = self.first_better + self.second_better
        return self.first_better / decided if decided else None

    @property
    def p_value(self) -> float:
        return sign_test(self.first_better, self.second_better)


def pair_counts(reviewer: Reviewer) -> list[PairCount]:
    """Return the counts of all pairs in the reviewer's scope, the most votes first."""
    votes = PairVote.objects.filter(reviewer.within("user"))
    rows = votes.values_list("model_a", "model_b", "verdict").annotate(count=Count("pk"))
    pairs: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for model_a, model_b, verdict, count in rows.order_by():
        if model_a <= model_b:
            pairs[model_a, model_b][verdict] += count
        else:
            pairs[model_b, model_a][EXCHANGED.get(verdict, verdict)] += count
    counts = [
        PairCount(
            first,
            second,
            each[Verdict.A_BETTER],
            each[Verdict.B_BETTER],
            each[Verdict.BOTH_GOOD],
            each[Verdict.BOTH_BAD],
        )
        for (first, second), each in pairs.items()
    ]
    return sorted(counts, key=lambda each: (-each.votes, each.first, each.second))
