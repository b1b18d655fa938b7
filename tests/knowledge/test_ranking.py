"""Rankings by words and by vectors become one."""

import numpy as np
import pytest

from chat.knowledge.ranking import combined


@pytest.mark.parametrize(
    ("words", "vectors", "found"),
    [
        ([9.0, 3.0, 2.9], [0.80, 0.82, 0.50], [0, 1, 2]),  # far ahead by words, nearly by vectors
        ([3.1, 3.0, 2.9, 0.5], [0.3, 0.9, 0.3, 0.2], [1, 0, 2, 3]),
        ([0.0, 2.0, 0.0], [0.6, 0.1, 0.5], [0, 1, 2]),  # the only one with the word has its share
        ([0.0, 0.0], [0.1, 0.2], [1, 0]),
        ([1.0, 1.0], [0.0, 0.0], [0, 1]),
        ([0.0], [-0.5], []),
    ],
)
def test_a_passage_counts_by_how_far_ahead_it_is(
    words: list[float], vectors: list[float], found: list[int]
) -> None:
    assert combined([np.array(words, "f4"), np.array(vectors, "f4")]) == found
