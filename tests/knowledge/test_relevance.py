"""Passages are about a question if they have its words, or stand out by their vectors."""

import pytest

from chat.knowledge.relevance import is_relevant


@pytest.mark.parametrize(
    ("words", "similarity", "distinction", "expected"),
    [
        (0.36, None, None, True),
        (0.34, None, None, False),
        (0.41, 0.1, 1.0, True),
        (0.36, 0.1, None, False),
        (0.0, 0.51, None, True),
        (0.0, 0.49, None, False),
        (0.0, 0.82, 1.5, False),  # a model with which all texts are alike
        (0.0, 0.2, 3.3, True),  # and one with which few are
    ],
)
def test_limits(
    words: float, similarity: float | None, distinction: float | None, expected: bool
) -> None:
    assert is_relevant(words, similarity, distinction) is expected
