"""Whatever a provider sends, no text that arrived is lost, and nothing but our own errors is raised.

`python -m tests.fuzz` tries a hundred thousand streams.
"""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.upstream.random_streams import check_exactly, check_loss
from tests.support.variants import examples


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(500), deadline=None)
def test_an_answer_in_any_pieces_arrives_whole(random: Random) -> None:
    check_exactly(random)


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(500), deadline=None)
def test_no_word_between_nonsense_is_lost(random: Random) -> None:
    check_loss(random)
