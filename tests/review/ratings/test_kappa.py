"""Cohen's κ has the values of the literature, and says where it isn't defined."""

import pytest

from chat.review.ratings.kappa import cohen_kappa, quadratic, table_of, unweighted

#: J. Cohen (1960), as in the documentation of the R package psych (cohen.kappa): proportions of 200
#: subjects. κ = 0.49. With the weights of disagreement of Cohen (1968), κ = 0.35.
COHEN = [[0.44, 0.05, 0.01], [0.07, 0.20, 0.03], [0.09, 0.05, 0.06]]
COHEN_WEIGHTS = [[0, 1, 3], [1, 0, 6], [3, 6, 0]]
#: Grant proposals, two readers, as in Wikipedia's article on Cohen's kappa: κ = 0.40.
PROPOSALS = [[20, 5], [10, 15]]
#: A. Agresti, Categorical Data Analysis (1990): married couples on sexual fun, from Hout et
#: al. (1987). κ = 0.129.
COUPLES = [[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]]


def test_kappa_of_cohens_first_example() -> None:
    assert cohen_kappa(COHEN) == pytest.approx(0.492, abs=0.001)


def test_weighted_kappa_of_cohens_example() -> None:
    found = cohen_kappa(COHEN, lambda first, second: COHEN_WEIGHTS[first][second])
    assert found == pytest.approx(0.348, abs=0.001)


def test_kappa_of_textbook_tables() -> None:
    assert cohen_kappa(PROPOSALS) == pytest.approx(0.4)
    assert cohen_kappa(COUPLES) == pytest.approx(0.129, abs=0.001)


def test_quadratic_weights_equal_the_intraclass_correlation() -> None:
    """J. L. Fleiss and J. Cohen (1973): if both raters' means are equal, κ tends to it.

    For equal distributions of both raters, κ with these weights is the correlation of the scores.
    """
    table = [[4, 1, 0], [1, 4, 1], [0, 1, 4]]
    pairs = [(a, b) for a in range(3) for b in range(3) for _each in range(table[a][b])]
    mean = sum(a for a, _b in pairs) / len(pairs)
    covariance = sum((a - mean) * (b - mean) for a, b in pairs)
    variance = sum((a - mean) ** 2 for a, _b in pairs)
    assert cohen_kappa(table, quadratic) == pytest.approx(covariance / variance)


def test_two_values_have_the_same_kappa_with_any_weights() -> None:
    assert cohen_kappa(PROPOSALS, quadratic) == pytest.approx(cohen_kappa(PROPOSALS, unweighted))


def test_full_agreement_is_one_and_the_contrary_is_negative() -> None:
    assert cohen_kappa([[3, 0], [0, 4]], quadratic) == 1
    assert cohen_kappa([[0, 5], [5, 0]]) == -1


def test_a_small_difference_of_scores_counts_less_than_a_large_one() -> None:
    near = table_of([(1, 2), (5, 5), (1, 1)], range(1, 6))
    far = table_of([(1, 4), (5, 5), (1, 1)], range(1, 6))
    near_kappa, far_kappa = cohen_kappa(near, quadratic), cohen_kappa(far, quadratic)
    assert near_kappa is not None
    assert far_kappa is not None
    assert near_kappa > 0.9 > far_kappa
    assert cohen_kappa(near) == cohen_kappa(far)


@pytest.mark.parametrize("table", [[[0, 0], [0, 0]], [[7, 0], [0, 0]], [[0, 0], [0, 3]], []])
def test_kappa_is_undefined_without_pairs_and_if_all_are_equal(table: list[list[int]]) -> None:
    assert cohen_kappa(table) is None
    assert cohen_kappa(table, quadratic) is None


def test_chance_agreement_is_zero() -> None:
    assert cohen_kappa([[1, 1], [1, 1]]) == 0
